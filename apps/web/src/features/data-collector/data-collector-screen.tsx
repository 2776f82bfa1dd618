import { useState, useEffect } from 'react'
import { COLLECTION_JOB } from '@tradewright/contract/data-collector'
import type { JobState } from '@tradewright/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { useTabInAddress } from '../../ui/layout/use-tab-in-address.ts'
import { BrowseTab } from './browse/browse-tab.tsx'
import classes from './data-collector-screen.module.css'
import { JobsTab } from './jobs/jobs-tab.tsx'
import { LoadFailure } from './load-failure.tsx'
import { NoticeBanner } from './notice-banner.tsx'
import { ProvidersTab } from './providers/providers-tab.tsx'
import { RunsTab } from './runs/runs-tab.tsx'
import { StoresTab } from './stores/stores-tab.tsx'
import { useNotice } from './use-notice.ts'
import { watchJobs } from '../../lib/events.ts'
import { KEYS, refreshData, refreshRuns } from './queries.ts'

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
