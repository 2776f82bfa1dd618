import { Button } from '@mantine/core'
import { choiceOptions } from '../../../strategy-form/setting-field.tsx'
import { IconPlus, IconScale, IconX } from '@tabler/icons-react'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { allocationTotal, nextKey } from '../../../strategy-form/tickers/allocation-rows.ts'
import setup from '../../../strategy-form/setup.module.css'
import { TickerField, TickerNote } from '../../../strategy-form/tickers/ticker-field.tsx'
import { TickerRows } from '../../../strategy-form/tickers/ticker-rows.tsx'
import { ChoiceField, NumberField, SelectField, TextField } from '../../../ui/form/fields.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import type { EditProps } from '../form/edit-props.ts'
import type { PortfolioColumn, PortfolioTable } from './portfolio-columns.ts'
import { addColumn, holdingsOf, MAX_PORTFOLIOS, removeColumn, withTable } from './portfolio-table.ts'
import classes from './portfolios.module.css'

interface TableProps extends EditProps {
  table: PortfolioTable
}

/** Several portfolios over the same tickers. A narrow screen shows the column of one portfolio at a time. */
function PortfolioFields({ table, form, edit }: TableProps) {
  const [chosen, setChosen] = useState(0)
  const { rows, columns } = table
  const current = Math.min(chosen, columns.length - 1)
  const setTable = (portfolios: PortfolioTable) => edit({ portfolios })
  const setColumn = (key: number, change: Partial<PortfolioColumn>) =>
    setTable({ rows, columns: columns.map((one) => (one.key === key ? { ...one, ...change } : one)) })
  const cells = (cell: (column: PortfolioColumn, title: string) => ReactNode) =>
    columns.map((column, position) => (
      <div key={column.key} className={classes.cell} data-current={position === current}>
        {cell(column, `Portfolio ${position + 1}`)}
      </div>
    ))
  return (
    <fieldset className={setup.group}>
      <legend>Portfolios</legend>
      <div className={classes.switch}>
        <ChoiceField
          label="Portfolio shown"
          hideLabel
          value={String(current + 1)}
          options={columns.map((_, position) => String(position + 1))}
          onChange={(position) => setChosen(Number(position) - 1)}
        />
      </div>
      <div className={classes.table} style={{ '--portfolios': columns.length } as CSSProperties}>
        <Line head="Name">
          {cells((column, title) => (
            <TextField
              label={`${title} name`}
              hideLabel
              placeholder={title}
              value={column.name}
              onChange={(name) => setColumn(column.key, { name })}
            />
          ))}
        </Line>
        {rows.map((row, position) => (
          <div key={row.key} className={classes.line}>
            <TickerField
              label={`Ticker ${position + 1}`}
              hideLabel
              placeholder="Ticker"
              hasNote={false}
              value={row.ticker}
              onChange={(ticker) =>
                setTable({ columns, rows: rows.map((one) => (one.key === row.key ? { ...one, ticker } : one)) })
              }
            />
            {cells((column, title) => (
              <NumberField
                label={`${title} percent ${position + 1}`}
                hideLabel
                unit="%"
                placeholder="0%"
                value={column.weights[row.key] ?? ''}
                onChange={(weight) => setColumn(column.key, { weights: { ...column.weights, [row.key]: weight } })}
              />
            ))}
            <IconButton
              icon={IconX}
              label={`Remove ticker row ${position + 1}`}
              onClick={() => setTable({ columns, rows: rows.filter(({ key }) => key !== row.key) })}
            />
            <TickerNote text={row.ticker} />
          </div>
        ))}
        <Line head="Total">
          {cells((column) => (
            <Total table={table} column={column} />
          ))}
        </Line>
        <Line head="Leverage">
          {cells((column, title) => (
            <NumberField
              label={`${title} leverage`}
              hideLabel
              unit="×"
              placeholder="1×"
              value={column.leverage}
              onChange={(leverage) => setColumn(column.key, { leverage })}
            />
          ))}
        </Line>
        <Line head="Rebalance">
          {cells((column, title) => (
            <SelectField
              label={`${title} rebalance`}
              hideLabel
              value={column.rebalanceFrequency}
              options={choiceOptions('rebalanceFrequency')}
              onChange={(rebalanceFrequency) => setColumn(column.key, { rebalanceFrequency })}
            />
          ))}
        </Line>
        <Line head="">
          {cells((column, title) => (
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              aria-label={`Remove ${title}`}
              onClick={() => edit(removeColumn(form, column.key))}
            >
              Remove
            </Button>
          ))}
        </Line>
      </div>
      <div className={setup.rowFoot}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setTable({ columns, rows: [...rows, { key: nextKey(rows), ticker: '' }] })}
        >
          Add ticker
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={columns.length >= MAX_PORTFOLIOS}
          onClick={() => {
            setTable(addColumn(table))
            setChosen(columns.length)
          }}
        >
          Add portfolio
        </Button>
      </div>
      {columns.length >= MAX_PORTFOLIOS && (
        <p className={setup.hint}>At most {MAX_PORTFOLIOS} portfolios side by side.</p>
      )}
      <TickerField
        label="Benchmark"
        placeholder="None"
        value={form.referenceTicker}
        onChange={(referenceTicker) => edit({ referenceTicker })}
      />
      <p className={setup.hint}>
        All are run over the longest period that they and the benchmark have in common, within{' '}
        {formatDateRange(form.startDate, form.endDate)}, the dates of Backtest Config. Leverage is reset daily and
        applies to each ticker without one of its own; weights above 100% borrow.
      </p>
    </fieldset>
  )
}

/** Turns the allocation into the first of two columns. */
function AddPortfolio({ form, edit }: EditProps) {
  return (
    <div className={setup.offer}>
      <p className={setup.hint}>Compare portfolios in one run: each has its own weights, rebalancing and leverage.</p>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => edit(withTable(form))}
      >
        Add portfolio
      </Button>
    </div>
  )
}

function Line({ head, children }: { head: string; children: ReactNode }) {
  return (
    <div className={classes.line}>
      <span className={classes.head} aria-hidden>
        {head}
      </span>
      {children}
    </div>
  )
}

function Total({ table, column }: { table: PortfolioTable; column: PortfolioColumn }) {
  const total = allocationTotal(holdingsOf(table, column))
  const text = total === null ? 'n/a' : formatNumber(total, { decimals: 2, minDecimals: 0, suffix: '%' })
  return (
    <span className={`${classes.total} tabular`} data-off={total !== 100}>
      {text}
      {total !== null && total < 100 && <small>rest cash</small>}
      {total !== null && total > 100 && <small>borrows</small>}
    </span>
  )
}

/** One portfolio, or several side by side. */
export function AllocationSetup({ form, edit, onConstruct }: EditProps & { onConstruct: () => void }) {
  return (
    <div className={setup.section}>
      {form.portfolios ? (
        <PortfolioFields table={form.portfolios} form={form} edit={edit} />
      ) : (
        <>
          <TickerRows title="Allocation" rows={form.allocations} onChange={(allocations) => edit({ allocations })} />
          <AddPortfolio form={form} edit={edit} />
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconScale size={14} aria-hidden />}
            onClick={onConstruct}
          >
            Find better weights
          </Button>
        </>
      )}
    </div>
  )
}
