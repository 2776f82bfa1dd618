import { Button } from '@mantine/core'
import { IconHistory, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Pagination } from '../../../ui/table/pagination.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import layout from '../layout.module.css'
import { failed } from '../messages.ts'
import { useCollectionRuns } from '../queries.ts'
import { RunsTable } from './runs-table.tsx'
import classes from './runs-table.module.css'

const PAGE_SIZE = 25

export function RunsTab() {
  const runs = useCollectionRuns()
  const [page, setPage] = useState(1)
  const list = runs.data ?? []
  const failure = runs.isError ? failed('runs', runs.error) : null
  return (
    <Card>
      <div className={layout.toolbar}>
        <p className={layout.words}>
          {list.length > 0
            ? `${formatCount(list.length)} ${list.length === 1 ? 'run' : 'runs'}, newest first`
            : 'History of your collection jobs'}
        </p>
        <div className={layout.actions}>
          <Button
            variant="default"
            leftSection={<IconRefresh size={15} aria-hidden />}
            disabled={runs.isFetching}
            onClick={() => void runs.refetch()}
          >
            Refresh
          </Button>
        </div>
      </div>
      {failure && (
        <div className={classes.failure}>
          <Banner kind="error" text={failure.text} detail={failure.detail} />
        </div>
      )}
      {runs.isPending && <CardSkeleton rows={6} />}
      {runs.data && list.length === 0 && (
        <EmptyState
          icon={IconHistory}
          title="No runs yet"
          text="Each run of a collection job is listed here. Start one under Collection Jobs with its Run button."
        />
      )}
      {list.length > 0 && <RunsTable runs={list.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} />}
      <Pagination page={page} pageSize={PAGE_SIZE} total={list.length} onChange={setPage} label="Pages of runs" />
    </Card>
  )
}
