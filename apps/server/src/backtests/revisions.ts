import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import { epochDayOf } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { marketDataFor } from './market-data-for.ts'
import type { SeriesSource } from './ports.ts'
import { type BacktestReader, findBacktest } from './saved-backtests.ts'

interface RevisionDeps extends BacktestReader {
  readonly source: SeriesSource
  readonly clock: Clock
}

/** Cells of one series that differ between two moments. */
interface SeriesRevisions {
  readonly ticker: string
  /** At the earlier moment. */
  readonly values: number
  readonly revised: number
  readonly removed: number
  /** Between its first and last row of then. */
  readonly added: number
  /** The day of the first difference; undefined where there is none. */
  readonly firstDay: EpochDay | undefined
}

export interface Revisions {
  readonly dataAt: UtcMillis | undefined
  /** Why nothing can be told; undefined where it can. */
  readonly reason: string | undefined
  /** Every series of the result. */
  readonly series: readonly SeriesRevisions[]
}

/** What became of the values that a result was computed from. */
export async function revisionsOf(
  { clock, source, ...deps }: RevisionDeps,
  { userId, id, signal }: { userId: number; id: number; signal: AbortSignal },
): Promise<Revisions> {
  const { report } = await findBacktest(deps, userId, id)
  const { dataAt, run } = report
  const unknown = (reason: string): Revisions => ({ dataAt, reason, series: [] })
  if (dataAt === undefined) return unknown('it was computed by an earlier version, which did not record when')
  const plan = planBacktest(run.request)
  const access = { userId, provider: run.provider, source, signal }
  try {
    const then = (await marketDataFor(plan, { ...access, asOf: dataAt })).data
    const now = (await marketDataFor(plan, { ...access, asOf: clock.now().getTime() })).data
    return { dataAt, reason: undefined, series: await compareData(then, now) }
  } catch (error) {
    if (error instanceof Problem && UNKNOWN.has(error.code)) return unknown(error.message)
    throw error
  }
}

/** The store keeps no history, or not from so long ago; or it is another store now, which has none of it. */
const UNKNOWN: ReadonlySet<string> = new Set(['store.history', 'store.no-history', 'backtest.no-data'])

async function compareData(then: MarketData, now: MarketData): Promise<SeriesRevisions[]> {
  const compared: SeriesRevisions[] = []
  for (const [ticker, table] of then.series) {
    compared.push(compareTables(ticker, table, now.series.get(ticker)))
    // A year of minutes takes some milliseconds.
    await nextTurn()
  }
  return compared
}

/** Cell by cell, by category and stamp. */
function compareTables(ticker: string, then: SeriesTable, now: SeriesTable | undefined): SeriesRevisions {
  const counts = { values: 0, revised: 0, removed: 0, added: 0 }
  let first = Number.POSITIVE_INFINITY
  const names = new Set([...Object.keys(then.columns), ...Object.keys(now?.columns ?? {})])
  const last = then.timestamps.at(-1) ?? Number.NEGATIVE_INFINITY
  const note = (what: 'revised' | 'removed' | 'added', stamp: number) => {
    counts[what]++
    first = Math.min(first, stamp)
  }
  const own = now?.timestamps ?? new Float64Array()
  for (const name of names) {
    const [before, after] = [then.columns[name], now?.columns[name]]
    for (let i = 0, k = 0; i < then.timestamps.length || k < own.length;) {
      const [left, right] = [then.timestamps[i] ?? Infinity, own[k] ?? Infinity]
      const stamp = Math.min(left, right)
      if (stamp > last) break
      const old = left === stamp ? (before?.[i++] ?? Number.NaN) : Number.NaN
      const value = right === stamp ? (after?.[k++] ?? Number.NaN) : Number.NaN
      if (!Number.isNaN(old)) counts.values++
      if (Number.isNaN(old) ? !Number.isNaN(value) && stamp >= then.timestamps[0]! : false) note('added', stamp)
      else if (!Number.isNaN(old) && Number.isNaN(value)) note('removed', stamp)
      else if (!Number.isNaN(old) && old !== value) note('revised', stamp)
    }
  }
  return { ticker, ...counts, firstDay: Number.isFinite(first) ? epochDayOf(first) : undefined }
}
