import { BACKTEST_JOB, deleteBacktest } from '@tradewright/contract/backtests'
import type { JobEvent } from '@tradewright/contract/events'
import { cancelJob } from '@tradewright/contract/jobs'
import { useEffect, useRef, useState } from 'react'
import { watchJobs } from '../../lib/events.ts'
import { call } from '../../lib/http.ts'
import type { StudioAnswer } from './answer/studio-result.ts'
import type { BacktestForm } from './form/form.ts'
import { toRequest } from './form/form-request.ts'
import {
  type PlannedRun,
  runOnCommonPeriod,
  type RunOutcome as PortfolioOutcome,
} from './portfolios/run-on-common-period.ts'
import { type Loaded, postBacktest } from './queries.ts'

interface CurrentRun {
  runId: string
  abort: AbortController
  /** A run that saves its outcome goes on when the page is left. */
  saves: boolean
  /** Tells which of several runs this is; null where there is one. */
  step: string | null
}

interface RunOptions {
  retryData?: boolean
  step?: string | null
}

interface RunOutcome {
  /** `form`: as it was run. */
  onResult: (loaded: Loaded<StudioAnswer>, form: BacktestForm) => void
  onPortfolios: (outcomes: PortfolioOutcome[]) => void
  onFailure: (error: unknown, form: BacktestForm | null) => void
  onCancelled: () => void
}

/** While a run is under way, so that its result does not wait for them. Drawing one tells of a failure itself. */
function fetchCharts(): void {
  import('../../ui/chart/time-chart.tsx').catch(() => {})
  import('../../ui/chart/line-chart.tsx').catch(() => {})
}

/** One run at a time: starting, its progress, cancelling. */
export function useBacktestRun({ onResult, onPortfolios, onFailure, onCancelled }: RunOutcome) {
  const [run, setRun] = useState<CurrentRun | null>(null)
  const [isCancelling, setCancelling] = useState(false)
  const job = useJobOf(run?.runId ?? null)
  const current = useRef<CurrentRun | null>(null)
  const isBusy = useRef(false)
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

  const post = async (form: BacktestForm, { retryData = false, step = null }: RunOptions) => {
    // Between two portfolios.
    if (cancelled.current || isLeft.current) throw new Error('The run was cancelled.')
    const next = {
      runId: crypto.randomUUID(),
      abort: new AbortController(),
      saves: form.saveStrategy || form.saveBacktest,
      step,
    }
    current.current = next
    setRun(next)
    fetchCharts()
    return postBacktest(toRequest(form, next.runId, retryData), next.abort.signal)
  }

  /** `form`: the one whose failure is told; of several portfolios each keeps its own. */
  const whileRunning = async (form: BacktestForm | null, work: () => Promise<void>) => {
    if (isBusy.current) return
    isBusy.current = true
    cancelled.current = false
    try {
      await work()
    } catch (error) {
      if (isLeft.current) return
      if (cancelled.current) onCancelled()
      else onFailure(error, form)
    } finally {
      isBusy.current = false
      current.current = null
      setRun(null)
      setCancelling(false)
    }
  }

  const start = (form: BacktestForm, options: RunOptions = {}) =>
    whileRunning(form, async () => {
      const loaded = await post(form, options)
      if (!isLeft.current) onResult(loaded, form)
    })

  const startPortfolios = (planned: readonly PlannedRun[], options: RunOptions = {}) =>
    whileRunning(null, async () => {
      const outcomes = await runOnCommonPeriod(planned, {
        run: async (form, step) => {
          const { answer } = await post(form, { ...options, step })
          return { id: answer.result_id, start: answer.actual_start_date }
        },
        discard: async (id) => void (await call(deleteBacktest, { params: { id: String(id) } }).catch(() => undefined)),
        goesOn: () => !cancelled.current && !isLeft.current,
      })
      if (!isLeft.current) onPortfolios(outcomes)
    })

  const cancel = () => {
    cancelled.current = true
    setCancelling(true)
    if (!job) current.current?.abort.abort()
    else void call(cancelJob, { params: { id: job.job_id } }).catch(() => current.current?.abort.abort())
  }

  const notes = [run?.step, job?.progress?.note].filter(Boolean)
  return {
    isRunning: run !== null,
    isCancelling,
    note: notes.length > 0 ? notes.join(': ') : null,
    start,
    startPortfolios,
    cancel,
  }
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
