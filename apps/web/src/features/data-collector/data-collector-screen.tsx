import { useState, useEffect } from 'react'
import { COLLECTION_JOB, type CollectionRun } from '@tradewright/contract/data-collector'
import type { JobState } from '@tradewright/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { IconHistory, IconRefresh } from '@tabler/icons-react'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { Tabs, useTabInAddress } from '../../ui/layout/tabs.tsx'
import { BrowseTab } from './browse/browse-tab.tsx'
import classes from './data-collector-screen.module.css'
import { JobsTab } from './jobs/jobs-tab.tsx'
import { LoadFailure } from './load-failure.tsx'
import { NoticeBanner, failed, withoutCounts, useNotice } from './notice.tsx'
import { ProvidersTab } from './providers/providers-tab.tsx'
import { StoresTab } from './stores/stores-tab.tsx'
import { watchJobs } from '../../lib/events.ts'
import { KEYS, refreshData, refreshRuns, useCollectionRuns } from './queries.ts'
import { formatCount, formatNumber, MISSING } from '../../lib/format.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Pagination, numeric, Table } from '../../ui/table/table.tsx'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import layout from './layout.module.css'
import runsTabClasses from './runs/runs-table.module.css'
import { formatExact, formatMarketMoment } from '../../lib/format-time.ts'
import { StatusPill, type StatusShape } from '../../ui/feedback/status-pill.tsx'
import runsTableClasses from './runs/runs-table.module.css'

const PILLS: Record<CollectionRun['status'], { shape: StatusShape; word: string }> = {
  running: { shape: 'ring', word: 'Running' },
  completed: { shape: 'disc', word: 'Completed' },
  failed: { shape: 'cross', word: 'Failed' },
  cancelled: { shape: 'ring', word: 'Cancelled' },
}

function RunsTable({ runs }: { runs: readonly CollectionRun[] }) {
  return (
    <div className={runsTableClasses.table}>
      <Table label="Runs">
        <thead>
          <tr>
            <th>Job</th>
            <th>Provider</th>
            <th>Store</th>
            <th>Status</th>
            <th className={numeric}>Started</th>
            <th className={numeric}>Completed</th>
            <th className={numeric}>Fetched</th>
            <th className={numeric}>Stored</th>
            <th>Layers (bronze/silver/gold)</th>
            <th className={numeric}>Duration</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.run_id} run={run} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function RunRow({ run }: { run: CollectionRun }) {
  const words = run.error_message ?? withoutCounts(run.message ?? '')
  return (
    <tr>
      <td className={runsTableClasses.job}>
        <b>{run.job_name}</b>
        {words && (
          <span className={layout.second} data-failed={run.status === 'failed'}>
            {words}
          </span>
        )}
      </td>
      <td className={runsTableClasses.provider}>{run.provider ?? '—'}</td>
      <td className={runsTableClasses.store}>{run.store}</td>
      <td className={runsTableClasses.status}>
        <StatusPill {...PILLS[run.status]} />
      </td>
      <td className={`${numeric} ${runsTableClasses.started}`}>
        <Moment when={run.started_at} />
      </td>
      <td className={`${numeric} ${runsTableClasses.completed}`}>
        {run.completed_at ? <Moment when={run.completed_at} /> : '—'}
      </td>
      <td className={`${numeric} ${runsTableClasses.fetched}`} data-word="fetched">
        {formatCount(run.records_fetched)}
      </td>
      <td className={`${numeric} ${runsTableClasses.stored}`} data-word="stored">
        {formatCount(run.records_stored)}
      </td>
      <td className={`${runsTableClasses.layers} tabular`}>
        {layersText(run.run_counts)} <span className={layout.second}>of {layersText(run.layer_counts)}</span>
      </td>
      <td className={`${numeric} ${runsTableClasses.duration}`}>{formatDuration(run.total_duration_ms)}</td>
    </tr>
  )
}

const Moment = ({ when }: { when: string }) => (
  <time dateTime={when} title={formatExact(when)}>
    {formatMarketMoment(when)}
  </time>
)

const layersText = ({ bronze, silver, gold }: CollectionRun['run_counts']): string =>
  [bronze, silver, gold].map(formatCount).join(' / ')

/** `340 ms`, `2.4 s`, `3 min 5 s`. */
export function formatDuration(milliseconds: number | null): string {
  if (milliseconds === null) return MISSING
  if (milliseconds < 1_000) return `${milliseconds} ms`
  if (milliseconds < 60_000) return `${formatNumber(milliseconds / 1_000, { decimals: 1 })} s`
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1_000)} s`
}

const PAGE_SIZE = 25

function RunsTab() {
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
        <div className={runsTabClasses.failure}>
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

const TABS = [
  { name: 'jobs', label: 'Collection Jobs', Content: JobsTab },
  { name: 'providers', label: 'Data Providers', Content: ProvidersTab },
  { name: 'stores', label: 'Data Stores', Content: StoresTab },
  { name: 'browse', label: 'Browse Data', Content: BrowseTab },
  { name: 'runs', label: 'Run History', Content: RunsTab },
] as const

type TabName = (typeof TABS)[number]['name']
const TAB_NAMES = ['jobs', 'providers', 'stores', 'browse', 'runs'] as const satisfies TabName[]

export function DataCollectorScreen() {
  const [tab, setTab] = useTabInAddress(TAB_NAMES)
  // A tab asks the server for nothing before it is first opened, and keeps what was typed in it after that.
  const [visited, setVisited] = useState<ReadonlySet<TabName>>(new Set([tab]))
  const { notice, tell, dismiss } = useNotice()
  useLiveRuns()
  if (!visited.has(tab)) setVisited(new Set([...visited, tab]))
  return (
    <Page documentTitle="Data Collector" width="work">
      <PageHeader title="Data Collector" subtitle="Manage data providers, storage, and collection jobs" />
      <div className={classes.notices}>
        <NoticeBanner notice={notice} onClose={dismiss} />
        <LoadFailure />
      </div>
      <div className={classes.tabs}>
        <Tabs
          label="Data Collector"
          variant="page"
          current={tab}
          onChange={setTab}
          tabs={TABS.map(({ name, label, Content }) => ({
            name,
            label,
            content: visited.has(name) ? <Content tell={tell} /> : null,
          }))}
        />
      </div>
    </Page>
  )
}

const ENDED: ReadonlySet<JobState> = new Set(['completed', 'failed', 'cancelled'])

/** Keeps the lists as they stand on the server, also for runs that a schedule or another page has started. */
function useLiveRuns(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      watchJobs({
        onJob: ({ kind, state }) => {
          if (kind !== COLLECTION_JOB) return
          if (ENDED.has(state)) {
            void refreshRuns(queries)
            void refreshData(queries)
            return
          }
          // Progress comes several times a second: a list that is on its way already will do.
          void queries.invalidateQueries({ queryKey: KEYS.jobs }, { cancelRefetch: false })
        },
        onResync: () => void refreshRuns(queries),
      }),
    [queries],
  )
}
