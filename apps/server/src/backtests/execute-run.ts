import type { Clock } from '@tradewright/core/clock'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { SeriesTable } from '@tradewright/engine/market/series'
import type { JobContext } from '../jobs/job.ts'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import { type FetchedData, marketDataFor } from './market-data-for.ts'
import type { BacktestRun } from './backtest-run.ts'
import type { SeriesSource } from './ports.ts'
import type { RunOutcome } from './report.ts'

export interface RunDeps {
  readonly source: SeriesSource
  readonly compute: Pick<ComputePool<typeof tasks>, 'run'>
}

/** The part of the progress bar that is done when prices are there. */
const FRACTION_FETCHED = 0.1

/** Fetches what the run needs and computes it on a thread of the pool. */
export async function executeRun(
  { source, compute, clock }: RunDeps & { readonly clock: Clock },
  { request, model, provider, retriesData: retries = false, asOf }: BacktestRun,
  job: JobParts,
): Promise<RunOutcome> {
  const { data, problems, options } = await fetchForThread(job, () =>
    marketDataFor(planBacktest(request), { userId: job.userId, provider, retries, asOf, source, signal: job.signal }),
  )
  // After what was missing has been fetched and stored: the store holds all of it now.
  const dataAt = asOf ?? clock.now().getTime()
  const outcome = await compute.run('backtests/run', { request, model, data }, options)
  const { result } = outcome
  const notes = [...result.notes, ...problems.map(({ sentence }) => sentence)]
  return { ...outcome, result: { ...result, notes }, dataProblems: problems, dataAt }
}

type JobParts = Pick<JobContext<unknown>, 'userId' | 'signal' | 'reportProgress'>

/**
 * What is fetched, as a thread may take it, with the options that show the thread's progress as the rest of the job's, up to
 * `fractionDone`.
 */
export async function fetchForThread(
  { userId, signal, reportProgress }: JobParts,
  fetchPrices: () => Promise<FetchedData>,
  fractionDone = 1,
) {
  reportProgress({ fraction: 0, note: 'Fetching prices' })
  const { data: fetched, problems } = await fetchPrices()
  signal.throwIfAborted()
  reportProgress({ fraction: FRACTION_FETCHED, note: 'Waiting for its turn' })
  const { data, buffers } = portable(fetched)
  const onProgress = (fraction: number, note = '') =>
    reportProgress({ fraction: FRACTION_FETCHED + (fractionDone - FRACTION_FETCHED) * fraction, note })
  return { data, problems, options: { owner: String(userId), signal, transfer: buffers, onProgress } }
}

/** Columns on buffers of their own: those of a store may be views of something larger, which must stay where it is. */
export function portable({ series, actions }: MarketData): { data: MarketData; buffers: ArrayBuffer[] } {
  const buffers: ArrayBuffer[] = []
  const own = (column: Float64Array) => {
    const copy = new Float64Array(column)
    buffers.push(copy.buffer)
    return copy
  }
  const moved = (table: SeriesTable): SeriesTable => ({
    ...table,
    timestamps: own(table.timestamps),
    columns: Object.fromEntries(Object.entries(table.columns).map(([name, column]) => [name, own(column)])),
    ...(table.knownAt && { knownAt: own(table.knownAt) }),
  })
  const tables = new Map([...series].map(([symbol, table]) => [symbol, moved(table)]))
  return { data: { series: tables, ...(actions && { actions }) }, buffers }
}
