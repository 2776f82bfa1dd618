import { Button, Checkbox } from '@mantine/core'
import type { StrategyItem, StrategyPerformance } from '@tradewright/contract/strategies'
import { numeric, Table } from '../../ui/table/table.tsx'
import { StrategyRow } from './strategy-row.tsx'
import classes from './strategies-screen.module.css'

interface StrategiesTableProps {
  /** The strategies of the page in sight. */
  strategies: readonly StrategyItem[]
  performances: readonly StrategyPerformance[]
  selected: ReadonlySet<number>
  onSelect: (selected: ReadonlySet<number>) => void
  onDelete: (strategies: readonly number[]) => void
}

/** Select-all covers the page in sight; what is selected on other pages stays so. */
export function StrategiesTable({ strategies, performances, selected, onSelect, onDelete }: StrategiesTableProps) {
  const here = strategies.filter(({ id }) => selected.has(id)).length
  const select = (ids: readonly number[], isSelected: boolean) => {
    const next = new Set(selected)
    for (const id of ids) {
      if (isSelected) next.add(id)
      else next.delete(id)
    }
    onSelect(next)
  }
  return (
    <>
      {selected.size > 0 && (
        <section className={classes.selection} aria-label="Selection">
          <b className="tabular">{selected.size} selected</b>
          <Button variant="subtle" color="gray" onClick={() => onSelect(new Set())}>
            Clear
          </Button>
          <Button variant="subtle" className={classes.delete ?? ''} onClick={() => onDelete([...selected])}>
            Delete
          </Button>
        </section>
      )}
      <div className={classes.table}>
        <Table label="Strategies">
          <thead>
            <tr>
              <th>
                <Checkbox
                  size="xs"
                  aria-label="Select all on this page"
                  checked={here === strategies.length}
                  indeterminate={here > 0 && here < strategies.length}
                  onChange={(event) =>
                    select(
                      strategies.map(({ id }) => id),
                      event.currentTarget.checked,
                    )
                  }
                />
              </th>
              <th>Strategy</th>
              <th>Type</th>
              <th className={numeric}>Performance</th>
              <th className={numeric}>Risk Metrics</th>
              <th className={numeric}>Created</th>
              <th className={numeric}>Actions</th>
            </tr>
          </thead>
          <tbody>
            {strategies.map((strategy) => (
              <StrategyRow
                key={strategy.id}
                strategy={strategy}
                performance={performances.find(({ strategy_id }) => strategy_id === strategy.id)}
                isSelected={selected.has(strategy.id)}
                onSelect={(isSelected) => select([strategy.id], isSelected)}
                onDelete={() => onDelete([strategy.id])}
              />
            ))}
          </tbody>
        </Table>
      </div>
    </>
  )
}
