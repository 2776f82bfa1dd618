import { OPTIMIZER_JOB } from '@tradewright/contract/optimizer'
import { useEffect, useRef } from 'react'
import { watchJobs } from '../../lib/events.ts'
import { throttle } from '../../lib/throttle.ts'

/** Throttle: a quick run has dozens of events a second, more than can be read. */
const REFRESH_INTERVAL_MS = 250

/** Calls `onNews` soon after the server has said something of this run. The run is polled too, should an event get lost. */
export function useRunEvents(runId: string, isWatched: boolean, onNews: () => void): void {
  const latest = useRef(onNews)
  useEffect(() => {
    latest.current = onNews
  })
  useEffect(() => {
    if (!isWatched) return undefined
    const news = throttle(() => latest.current(), REFRESH_INTERVAL_MS)
    const stopWatching = watchJobs({
      onJob: ({ kind, subject }) => {
        if (kind === OPTIMIZER_JOB && subject === runId) news.call()
      },
      onResync: () => news.call(),
    })
    return () => {
      stopWatching()
      news.stop()
    }
  }, [runId, isWatched])
}
