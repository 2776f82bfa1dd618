import { COLLECTION_JOB } from '@tradewright/contract/data-collector'
import type { JobState } from '@tradewright/contract/events'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { watchJobs } from '../../lib/events.ts'
import { KEYS, refreshData, refreshRuns } from './queries.ts'

const ENDED: ReadonlySet<JobState> = new Set(['completed', 'failed', 'cancelled'])

/** Keeps the lists as they stand on the server, also for runs that a schedule or another page has started. */
export function useLiveRuns(): void {
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
