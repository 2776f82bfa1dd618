import { BACKTEST_JOB } from '@tradewright/contract/backtests'
import type { JobEvent } from '@tradewright/contract/events'
import { cancelJob } from '@tradewright/contract/jobs'
import { useEffect, useRef, useState } from 'react'
import { watchJobs } from '../../lib/events.ts'
import { call } from '../../lib/http.ts'
import type { StudioAnswer } from './answer/studio-result.ts'
import type { BacktestForm } from './form.ts'
import { toRequest } from './form-request.ts'
import { type Loaded, postBacktest } from './queries.ts'

interface CurrentRun {
  runId: string
  abort: AbortController
  /** A run that saves its outcome goes on when the page is left. */
  saves: boolean
}

interface RunOutcome {
  /** `form`: as it was run. */
  onResult: (loaded: Loaded<StudioAnswer>, form: BacktestForm) => void
  onFailure: (error: unknown) => void
  onCancelled: () => void
}

/** One run at a time: starting, its progress, cancelling. */
export function useBacktestRun({ onResult, onFailure, onCancelled }: RunOutcome) {
  const [run, setRun] = useState<CurrentRun | null>(null)
  const [isCancelling, setCancelling] = useState(false)
  const job = useJobOf(run?.runId ?? null)
  const current = useRef<CurrentRun | null>(null)
  const cancelled = useRef(false)
  // A run that goes on after the page was left must not bring its page back.
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
      leave(current.current)
    }
  }, [])

  const start = async (form: BacktestForm, { retryData = false } = {}) => {
    if (current.current) return
    const next = {
      runId: crypto.randomUUID(),
      abort: new AbortController(),
      saves: form.saveStrategy || form.saveBacktest,
    }
    current.current = next
    cancelled.current = false
    setRun(next)
    try {
      const loaded = await postBacktest(toRequest(form, next.runId, retryData), next.abort.signal)
      if (!isLeft.current) onResult(loaded, form)
    } catch (error) {
      if (isLeft.current) return
      if (cancelled.current) onCancelled()
      else onFailure(error)
    } finally {
      current.current = null
      setRun(null)
      setCancelling(false)
    }
  }

  const cancel = () => {
    cancelled.current = true
    setCancelling(true)
    if (!job) current.current?.abort.abort()
    else void call(cancelJob, { params: { id: job.job_id } }).catch(() => current.current?.abort.abort())
  }

  return { isRunning: run !== null, isCancelling, note: job?.progress?.note ?? null, start, cancel }
}

function leave(run: CurrentRun | null): void {
  if (run && !run.saves) run.abort.abort()
}

/** The state of the run's job on the server; null until the first event. */
function useJobOf(runId: string | null): JobEvent | null {
  const [job, setJob] = useState<JobEvent | null>(null)
  useEffect(() => {
    if (runId === null) return undefined
    const stop = watchJobs({
      onJob: (event) => {
        if (event.kind === BACKTEST_JOB && event.subject === runId) setJob(event)
      },
    })
    return () => {
      stop()
      setJob(null)
    }
  }, [runId])
  return job
}
