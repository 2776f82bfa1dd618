import { OPTIMIZER_JOB } from '@tradewright/contract/optimizer'
import { useEffect, useRef } from 'react'
import { watchJobs } from '../../lib/events.ts'

/** Calls `onNews` whenever the server says something of this run. The run is polled too, should an event get lost. */
export function useRunEvents(runId: string, isWatched: boolean, onNews: () => void): void {
  const latest = useRef(onNews)
  useEffect(() => {
    latest.current = onNews
  })
  useEffect(() => {
    if (!isWatched) return undefined
    return watchJobs({
      onJob: ({ kind, subject }) => {
        if (kind === OPTIMIZER_JOB && subject === runId) latest.current()
      },
      onResync: () => latest.current(),
    })
  }, [runId, isWatched])
}
