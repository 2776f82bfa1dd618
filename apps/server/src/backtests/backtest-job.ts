import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { RECENT_RUNS_KEPT } from '@tradewright/core/recent-runs'
import type { BacktestResult } from '@tradewright/engine/backtest/result'
import { z } from 'zod'
import { defineJobKind, type JobContext } from '../jobs/job-kind.ts'
import { compareWith } from './compare.ts'
import { type BacktestRun, strategyTypeOf } from './backtest-run.ts'
import type { SavingTransaction } from './ports.ts'
import { readStored } from './read-stored.ts'
import type { RunOutcome, StoredReport } from './report.ts'
import { type RunDeps, executeRun } from './execute-run.ts'
import { type BacktestReader, findBacktest } from './saved-backtests.ts'
import { stored } from './stored.ts'

const TIME_LIMIT_MS = 10 * 60_000

interface BacktestJobDeps extends RunDeps, BacktestReader {
  readonly saving: SavingTransaction
  readonly clock: Clock
  readonly timeLimitMs?: number
}

/** The job's result: where the run is kept. Jobs of earlier versions kept the report itself, and have no `resultId`. */
export interface BacktestOutcome {
  readonly strategyId: number | null
  readonly resultId?: number
}

/** Runs that are not saved are kept as long as these bounds allow, so that the page of one can be opened again. */
const RECENT_RUNS = { runs: RECENT_RUNS_KEPT, bytes: 256 * 1024 ** 2 }

/** We wrote it ourselves, and `planBacktest` checks it again. */
const Order = z.custom<BacktestRun>((value) => typeof value === 'object' && value !== null && 'request' in value)

export const backtestJob = { kind: 'backtest', input: Order } as const

/** A bug would only happen again, so a run is repeated once, for the case that its worker died. */
const ATTEMPTS = 2

export const backtestJobKind = (deps: BacktestJobDeps) =>
  defineJobKind({
    ...backtestJob,
    attemptLimit: ATTEMPTS,
    async run(context, order): Promise<BacktestOutcome> {
      const limit = AbortSignal.timeout(deps.timeLimitMs ?? TIME_LIMIT_MS)
      const signal = AbortSignal.any([context.signal, limit])
      try {
        const outcome = await executeRun(deps, order, { ...context, signal })
        const report = await reportOf(deps, context.userId, order, outcome)
        signal.throwIfAborted()
        return await keep(deps, context, order, report)
      } catch (error) {
        if (limit.aborted && !context.signal.aborted) throw timedOut()
        throw error
      }
    },
  })

async function reportOf(
  deps: BacktestReader,
  userId: number,
  order: BacktestRun,
  outcome: RunOutcome,
): Promise<StoredReport> {
  const { config: _, ...asked } = order
  const { referenceBacktestId: id } = asked
  if (id === undefined) return { order: asked, ...outcome, comparison: null }
  const other = await findBacktest(deps, userId, id)
  const comparison = compareWith(other, {
    name: order.strategyName || 'This run',
    result: await readStored<BacktestResult>(outcome.result),
  })
  return { order: asked, ...outcome, comparison: stored(comparison) }
}

async function keep(
  { saving, clock }: BacktestJobDeps,
  { userId, jobId }: JobContext<unknown>,
  order: BacktestRun,
  report: StoredReport,
): Promise<BacktestOutcome> {
  const { strategyName, config, request, saveBacktest: isSaved } = order
  const createdAt = clock.now()
  return saving(async ({ strategies, backtests }) => {
    const strategy = { name: strategyName, type: strategyTypeOf(request), config }
    const strategyId = order.saveStrategy ? (await strategies.save(userId, strategy, createdAt)).id : null
    const name = order.backtestName
    const backtest = { name, strategyId, strategyName, config, report, runId: jobId, createdAt, isSaved }
    const resultId = await backtests.save(userId, backtest)
    await backtests.removeOldRuns(userId, { ...RECENT_RUNS, at: createdAt })
    return { strategyId, resultId }
  })
}

function timedOut(): Problem {
  const sentence =
    'The backtest took longer than 10 minutes and was stopped. Try a shorter range, fewer trees or fewer windows.'
  return new Problem('unavailable', 'backtest.time-limit', sentence)
}
