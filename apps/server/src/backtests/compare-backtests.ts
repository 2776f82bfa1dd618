import { Problem } from '@tradewright/core/problem'
import type { JobStore } from '../jobs/job.ts'
import { backtestJob, type BacktestOutcome } from './backtest-job.ts'
import { describeStrategy } from './backtest-run.ts'
import { type BacktestComparison, compareOnCommonPeriod, type NamedResult } from './common-period.ts'
import { type BacktestReader, findBacktest } from './saved-backtests.ts'

/** A backtest, or a run by the client's name for it. */
type BacktestReference = { readonly id: number } | { readonly runId: string }

interface CompareDeps extends BacktestReader {
  readonly jobs: Pick<JobStore, 'findBySubject'>
}

/** Backtests side by side on the days that all of them have, every figure computed anew there. */
export async function compareBacktests(
  deps: CompareDeps,
  userId: number,
  references: readonly BacktestReference[],
): Promise<BacktestComparison<ComparedRun>> {
  const found = await Promise.all(references.map((reference) => named(deps, userId, reference)))
  return compareOnCommonPeriod(found)
}

/** A run with what tells it from the others. */
export interface ComparedRun extends NamedResult {
  readonly id: number
  /** `60% SPY, 40% AGG`. */
  readonly holdings: string
}

async function named(deps: CompareDeps, userId: number, reference: BacktestReference): Promise<ComparedRun> {
  if ('id' in reference) {
    const { name, report } = await findBacktest(deps, userId, reference.id)
    const { request, model } = report.run
    return { id: reference.id, name, result: report.result, holdings: describeStrategy(request, model) }
  }
  const job = await deps.jobs.findBySubject(userId, backtestJob.kind, reference.runId)
  if (job?.state !== 'completed') throw runMissing()
  const { resultId } = job.result as BacktestOutcome
  return named(deps, userId, { id: resultId })
}

const runMissing = () =>
  new Problem('missing', 'backtest.run-missing', 'This result is no longer kept. Run the backtest again, or save it.')
