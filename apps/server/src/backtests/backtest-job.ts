import { strategyTypeOf } from '@tradewright/core/strategy-kinds'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { MAX_RECENT_RUNS } from '@tradewright/core/recent-runs'
import type { BacktestResult } from '@tradewright/engine/backtest/result'
import { z } from 'zod'
import { defineJobKind, type JobContext } from '../jobs/job.ts'
import { compareWith } from './compare.ts'
import type { BacktestRun } from './backtest-run.ts'
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

/** The job's result: where the run is kept. */
export interface BacktestOutcome {
  readonly strategyId: number | null
  readonly resultId: number
}

/** Runs that are not saved are kept as long as these bounds allow, so that the page of one can be opened again. */
const RECENT_RUNS = { runs: MAX_RECENT_RUNS, bytes: 256 * 1024 ** 2 }

/** We wrote it ourselves, and `planBacktest` checks it again. */
const Run = z.custom<BacktestRun>((value) => typeof value === 'object' && value !== null && 'request' in value)

export const backtestJob = { kind: 'backtest', input: Run } as const

/** A bug would only happen again, so a run is repeated once, for the case that its worker died. */
const ATTEMPTS = 2

export const backtestJobKind = (deps: BacktestJobDeps) =>
  defineJobKind({
    ...backtestJob,
    attemptLimit: ATTEMPTS,
    async run(context, run): Promise<BacktestOutcome> {
      const limit = AbortSignal.timeout(deps.timeLimitMs ?? TIME_LIMIT_MS)
      const signal = AbortSignal.any([context.signal, limit])
      try {
        const outcome = await executeRun(deps, run, { ...context, signal })
        const report = await reportOf(deps, context.userId, run, outcome)
        signal.throwIfAborted()
        return await keep(deps, context, run, report)
      } catch (error) {
        if (limit.aborted && !context.signal.aborted) throw timedOut()
        throw error
      }
    },
  })

async function reportOf(
  deps: BacktestReader,
  userId: number,
  run: BacktestRun,
  outcome: RunOutcome,
): Promise<StoredReport> {
  const { config: _, ...asked } = run
  const { referenceBacktestId: id } = asked
  if (id === undefined) return { run: asked, ...outcome, comparison: null }
  const other = await findBacktest(deps, userId, id)
  const comparison = compareWith(other, {
    name: run.strategyName || 'This run',
    result: await readStored<BacktestResult>(outcome.result),
  })
  return { run: asked, ...outcome, comparison: stored(comparison) }
}

async function keep(
  { saving, clock }: BacktestJobDeps,
  { userId, jobId }: JobContext<unknown>,
  run: BacktestRun,
  report: StoredReport,
): Promise<BacktestOutcome> {
  const { strategyName, config, request, saveBacktest: isSaved } = run
  const createdAt = clock.now()
  return saving(async ({ strategies, backtests }) => {
    const strategy = { name: strategyName, type: strategyTypeOf(request.strategy.kind), config }
    const strategyId = run.saveStrategy ? (await strategies.save(userId, strategy, createdAt)).id : null
    const name = run.backtestName
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
