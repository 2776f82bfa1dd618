import { receivesSignals } from '@tradewright/core/strategy-kinds'
import type { Clock } from '@tradewright/core/clock'
import type { ReceivedSignal } from '@tradewright/core/external-signal'
import { Problem } from '@tradewright/core/problem'
import { formatDate } from '@tradewright/core/time'
import { enqueueJob, type JobWatch, cancelJob } from '../jobs/job-watch.ts'
import type { JobStore } from '../jobs/job.ts'
import { backtestJob, type BacktestOutcome } from './backtest-job.ts'
import { validateRun } from './validate-run.ts'
import { NO_COMMON_PERIOD } from './common-period.ts'
import { type BacktestRun, isSaved } from './backtest-run.ts'
import type { BacktestReport } from './report.ts'
import type { SavedBacktest } from './saved-backtest.ts'
import { type BacktestReader, findBacktest } from './saved-backtests.ts'

export interface BacktestRunDeps extends BacktestReader {
  readonly jobs: JobStore
  readonly watch: Pick<JobWatch, 'result'>
  readonly clock: Clock
  /** Signals that a saved strategy has received until now, by its id, or by its name where there is one. */
  readonly receivedSignals: (userId: number, of: number | string) => Promise<readonly ReceivedSignal[]>
}

interface Asked {
  readonly userId: number
  readonly run: BacktestRun
  /** The client's name for this run. */
  readonly runId: string | undefined
  /** Aborted when the client has disconnected. */
  readonly left: AbortSignal
  readonly isValidated?: boolean
}

interface FinishedBacktest {
  readonly strategyId: number | null
  /** Null unless it was saved as a backtest. */
  readonly backtestId: number | null
  readonly resultId: number
  readonly resultName: string
  readonly report: BacktestReport
}

/** Queues the run and waits for its end. A run that would not be saved is cancelled when the client disconnects. */
export async function startBacktest(
  deps: BacktestRunDeps,
  { userId, run: asked, runId, left, isValidated = false }: Asked,
): Promise<FinishedBacktest> {
  const run = await withReceivedSignals(deps, userId, asked)
  // The signals that came with it are the only thing that was not looked at when the form was read.
  if (!isValidated || run !== asked) validateRun(run, deps.clock)
  if (run.referenceBacktestId !== undefined) {
    refuseApart(await findBacktest(deps, userId, run.referenceBacktestId), run)
  }
  const { job } = await enqueueJob(deps, backtestJob, {
    userId,
    subject: runId ?? run.strategyName,
    input: run,
    isLimited: true,
    ...(runId !== undefined && { singletonKey: runId }),
  })
  try {
    const { strategyId, resultId } = (await deps.watch.result(userId, job.id, left)) as BacktestOutcome
    const { name, report } = await findBacktest(deps, userId, resultId)
    return { strategyId, backtestId: run.saveBacktest ? resultId : null, resultId, resultName: name, report }
  } catch (error) {
    if (left.aborted && !isSaved(run)) await cancelJob(deps, userId, job.id)
    throw error
  }
}

/** The record as it stands goes into the request, so that the run can be repeated whatever is received later. */
async function withReceivedSignals(deps: BacktestRunDeps, userId: number, run: BacktestRun): Promise<BacktestRun> {
  const { request, signalsOf } = run
  const { strategy } = request
  if (!receivesSignals(strategy) || strategy.signals.length > 0) return run
  const signals = await deps.receivedSignals(userId, signalsOf ?? run.strategyName)
  return { ...run, request: { ...request, strategy: { ...strategy, signals } } }
}

/** Before anything is computed: a backtest of other years says nothing about this one. */
function refuseApart({ name, report }: SavedBacktest, { request }: BacktestRun): void {
  const { days } = report.result.curve
  const [first, last] = [days[0]!, days[days.length - 1]!]
  if (first < request.to && last > request.from) return
  const sentence = `“${name}” runs from ${formatDate(first)} to ${formatDate(last)}: it has no period in common with this backtest, so the two cannot be compared.`
  throw new Problem('invalid', NO_COMMON_PERIOD, sentence)
}
