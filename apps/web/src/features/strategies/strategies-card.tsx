import { Button } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import type { StrategyItem, StrategyPerformance } from '@tradewright/contract/strategies'
import { useState } from 'react'
import { Card } from '../../ui/layout/card.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LinkButton } from '../../ui/form/buttons.tsx'
import { Pagination } from '../../ui/table/table.tsx'
import { DeleteStrategies } from './delete-strategies.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, listed, NO_FILTERS, PAGE_SIZE, typesOf } from './listing.ts'
import { StrategiesTable } from './strategies-table.tsx'

interface StrategiesCardProps {
  strategies: readonly StrategyItem[]
  performances: readonly StrategyPerformance[]
}

export function StrategiesCard({ strategies, performances }: StrategiesCardProps) {
  const [filters, setFilters] = useState(NO_FILTERS)
  const [page, setPage] = useState(1)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [toDelete, setToDelete] = useState<readonly number[]>([])
  const found = listed(strategies, filters)
  // The last page may have gone with its last strategy.
  const shownPage = Math.min(page, Math.max(1, Math.ceil(found.length / PAGE_SIZE)))
  const filter = (next: Filters) => {
    setFilters(next)
    setPage(1)
  }
  return (
    <Card>
      <FilterBar filters={filters} types={typesOf(strategies)} count={found.length} onChange={filter} />
      {found.length === 0 ? (
        <NoStrategies isFiltered={strategies.length > 0} onReset={() => filter(NO_FILTERS)} />
      ) : (
        <StrategiesTable
          strategies={found.slice((shownPage - 1) * PAGE_SIZE, shownPage * PAGE_SIZE)}
          performances={performances}
          selected={selected}
          onSelect={setSelected}
          onDelete={setToDelete}
        />
      )}
      <Pagination
        page={shownPage}
        pageSize={PAGE_SIZE}
        total={found.length}
        onChange={setPage}
        label="Pages of strategies"
      />
      <DeleteStrategies
        strategies={strategies.filter(({ id }) => toDelete.includes(id))}
        onClose={() => setToDelete([])}
        onDeleted={(id) => setSelected((before) => new Set([...before].filter((one) => one !== id)))}
      />
    </Card>
  )
}

function NoStrategies({ isFiltered, onReset }: { isFiltered: boolean; onReset: () => void }) {
  return (
    <EmptyState
      icon={IconStack2}
      title="No strategies found"
      text={
        isFiltered
          ? 'No strategy matches these filters.'
          : 'Run one in the Backtest Studio and press Save above the result; it then appears here.'
      }
      action={
        <>
          <LinkButton to="/backtest" primary>
            Create Strategy
          </LinkButton>
          {isFiltered && (
            <Button variant="default" onClick={onReset}>
              Reset filters
            </Button>
          )}
        </>
      }
    />
  )
}
