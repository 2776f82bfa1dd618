import type { Clock } from '@tradewright/core/clock'
import { PRICE_INDEXES } from '@tradewright/engine/backtest/inflation'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { requiredSeries } from '@tradewright/engine/backtest/required-series'
import type { BoardPart } from '@tradewright/engine/robustness/board'
import type { StoredSignals } from '@tradewright/engine/robustness/prepare'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { defineJobKind, type JobContext } from '../../jobs/job.ts'
import type { QueueDeps } from '../../jobs/pieces.ts'
import { fetchForThread } from '../execute-run.ts'
import { fetchRequired } from '../market-data-for.ts'
import type { BoardWorkStore, SeriesSource } from '../ports.ts'
import type { BacktestReport } from '../report.ts'
import { type BacktestReader, findBacktest } from '../saved-backtests.ts'
import { type BoardCompute, boardPieceJob, type PartsEvaluator, poolParts, queueParts } from './piece-job.ts'
import type { PreparedBoard } from './prepare-task.ts'

const Input = z.object({ backtestId: z.int(), seed: z.int() })

export const robustnessJob = { kind: 'robustness', input: Input } as const

/** Workers may die often before the checks of a run are given up. */
const ATTEMPTS = 10
/** The part of the progress bar that is done when all decisions are known. */
const PREPARED = 0.3
/** The month of a price index is needed before the run begins. */
const INDEX_LEAD_DAYS = 70
/** Most boards end within that; the way through the queue would take them longer. */
const ALONE_MS = 1000
/** Material beyond this is not stored for other processes. */
const MAX_PACKED_BYTES = 32 * 2 ** 20

interface RobustnessDeps extends BacktestReader {
  readonly source: SeriesSource
  readonly compute: BoardCompute
  /** Where other processes find the material; undefined where this one computes alone. */
  readonly shared: { readonly work: BoardWorkStore; readonly queue: QueueDeps } | undefined
  readonly clock: Clock
}

export const robustnessJobKind = (deps: RobustnessDeps) =>
  defineJobKind({
    ...robustnessJob,
    attemptLimit: ATTEMPTS,
    async run(context, { backtestId, seed }): Promise<{ backtestId: number }> {
      const { userId, signal } = context
      const begun = deps.clock.now().getTime()
      const { report: kept } = await findBacktest(deps, userId, backtestId)
      const prepared = await prepare(deps, context, kept, seed)
      const { material, parts, fingerprint, digests } = prepared
      const results = await runParts(deps, context, backtestId, prepared)
      const options = { owner: String(userId), signal }
      const board = await deps.compute.run('backtests/robustness-join', { material, seed, parts, results }, options)
      signal.throwIfAborted()
      const now = deps.clock.now()
      await deps.backtests.saveBoard(userId, backtestId, {
        board,
        fingerprint,
        changedSeries: kept.digest ? changedSince(kept.digest.series, digests) : null,
        computedAt: now.toISOString(),
        seconds: (now.getTime() - begun) / 1000,
      })
      return { backtestId }
    },
  })

type Context = Pick<JobContext<unknown>, 'userId' | 'signal' | 'reportProgress'>

async function prepare(deps: RobustnessDeps, job: Context, kept: BacktestReport, seed: number): Promise<PreparedBoard> {
  const { userId, signal } = job
  const { request, provider, model } = kept.run
  const plan = planBacktest(request)
  const { from, to } = plan.settings
  // Withdrawals keep their value where consumer prices are at hand, whatever the run was reported in.
  const indexes = PRICE_INDEXES.map((symbol) => ({
    symbol,
    from: from - INDEX_LEAD_DAYS,
    to,
    isEssential: false,
    purpose: 'rates' as const,
  }))
  const access = { userId, provider, source: deps.source, signal }
  const { data, options } = await fetchForThread(
    job,
    () => fetchRequired([...requiredSeries(plan), ...indexes], plan.settings, access),
    PREPARED,
  )
  const payload = { request, data, signals: signalsOf(kept), seed, model, isPacked: deps.shared !== undefined }
  return deps.compute.run('backtests/robustness-prepare', payload, options)
}

/** All parts of all checks: here, and what takes longer on every process that takes jobs. */
async function runParts(
  { compute, shared }: RobustnessDeps,
  { userId, signal, reportProgress }: Context,
  backtestId: number,
  { material, parts, packed }: PreparedBoard,
): Promise<unknown[]> {
  const results: unknown[] = []
  const say = (done: number) =>
    reportProgress({
      fraction: PREPARED + ((1 - PREPARED) * done) / parts.length,
      note: `Part ${done} of ${parts.length}`,
    })
  const run = async (evaluate: PartsEvaluator, next: readonly BoardPart[]) => {
    const before = results.length
    results.push(...(await evaluate(next, { userId, signal, onProgress: (done) => say(before + done) })))
  }
  const here = poolParts(compute, material)
  if (!shared || !packed || packed.length > MAX_PACKED_BYTES) {
    await run(here, parts)
    return results
  }
  const until = performance.now() + ALONE_MS
  while (results.length < parts.length && performance.now() < until)
    await run(here, parts.slice(results.length, results.length + compute.threads))
  if (results.length === parts.length) return results
  const { work, queue } = shared
  // Pieces may be left of an attempt whose process died: this one does not wait for them, and its own would wait behind
  // them.
  await queue.jobs.cancelAll(userId, boardPieceJob.kind, String(backtestId))
  const workId = randomUUID()
  await work.keep(workId, backtestId, packed)
  try {
    await run(queueParts(queue, workId, backtestId), parts.slice(results.length))
  } finally {
    await work.forget(workId, backtestId)
  }
  return results
}

/** What the model predicted, as columns: stored lists have null for "no value". */
function signalsOf({ result }: BacktestReport): StoredSignals | undefined {
  const { ml, curve } = result
  if (!ml) return undefined
  return {
    timestamps: Float64Array.from(curve.timestamps, (stamp) => stamp ?? Number.NaN),
    signals: Int8Array.from(ml.signals, (signal) => signal ?? -1),
    probabilities: Float64Array.from(ml.probabilities, (probability) => probability ?? Number.NaN),
  }
}

type Digests = readonly { readonly ticker: string; readonly sha256: string }[]

function changedSince(before: Digests, now: Digests): string[] {
  const known = new Map(now.map(({ ticker, sha256 }) => [ticker, sha256]))
  return before.flatMap(({ ticker, sha256 }) => (known.get(ticker) === sha256 ? [] : [ticker]))
}
