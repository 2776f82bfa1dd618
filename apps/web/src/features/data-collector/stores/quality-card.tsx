import { Button } from '@mantine/core'
import { IconReportSearch, IconX } from '@tabler/icons-react'
import type { DataStore } from '@tradewright/contract/data-stores'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import { IconButton } from '../../../ui/form/icon-button.tsx'
import { Pagination } from '../../../ui/table/pagination.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { failed } from '../messages.ts'
import { summaryOf, worstFirst } from './quality.ts'
import { QualityTable } from './quality-table.tsx'
import { useStoreQuality } from './store-queries.ts'
import classes from './stores-tab.module.css'

const PAGE_SIZE = 25

/** Gaps, doubles, jumps and stale series of a store's gold layer. */
export function QualityCard({ store, onClose }: { store: DataStore; onClose: () => void }) {
  const quality = useStoreQuality(store.id, 'gold')
  const [page, setPage] = useState(1)
  const series = worstFirst(quality.data ?? [])
  const summary = summaryOf(series)
  const failure = quality.isError ? failed('quality', quality.error) : null
  return (
    <Card
      title={`Data quality of ${store.name}`}
      hint="The gold layer against the calendar of each market"
      actions={<IconButton icon={IconX} label="Close the report" onClick={onClose} />}
    >
      {quality.isPending && <CardSkeleton rows={5} label="Checking..." />}
      {failure && (
        <div className={classes.inset}>
          <Banner
            kind="error"
            text={failure.text}
            detail={failure.detail}
            action={
              <Button variant="default" onClick={() => void quality.refetch()}>
                Try again
              </Button>
            }
          />
        </div>
      )}
      {quality.data && series.length === 0 && (
        <EmptyState
          icon={IconReportSearch}
          title="Nothing to check"
          text="The store holds no series yet. Run a collection job or import a file under Collection Jobs, then check again."
        />
      )}
      {series.length > 0 && (
        <>
          <MetricsStrip>
            <Figure label="Series" rank="second">
              {formatCount(summary.series)}
            </Figure>
            <Figure label="With gaps" rank="second">
              {formatCount(summary.withGaps)}
            </Figure>
            <Figure label="Duplicates" rank="second">
              {formatCount(summary.withDoubles)}
            </Figure>
            <Figure label="Suspicious jumps" rank="second">
              {formatCount(summary.withJumps)}
            </Figure>
            <Figure label="Stale" rank="second">
              {formatCount(summary.stale)}
            </Figure>
          </MetricsStrip>
          <QualityTable series={series.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} />
        </>
      )}
      <Pagination page={page} pageSize={PAGE_SIZE} total={series.length} onChange={setPage} label="Pages of series" />
    </Card>
  )
}
