import { formatDate } from '@tradewright/core/time'
import type { AccountCurve } from '@tradewright/engine/backtest/result'
import { growthOf, livedBars } from '../backtests/measurable-curve.ts'
import { readStored } from '../backtests/read-stored.ts'
import type { ResultSummaryStore, StoredSummary } from './ports.ts'

interface ResultSummary extends Omit<StoredSummary, 'curve' | 'startValue' | 'wipedOut'> {
  /** YYYY-MM-DD, first and last bar. */
  readonly from: string
  readonly to: string
  readonly growth: readonly number[]
}

interface Limits {
  readonly results: number
  readonly points: number
}

/** A summary that cannot be read is an error in its place, so that the caller can leave it out and say so. */
export type ReadSummary = { readonly id: number; readonly summary: ResultSummary | Error }

export async function homeResults(
  { results }: { results: ResultSummaryStore },
  userId: number,
  limits: Limits,
): Promise<{ latest: ReadSummary[]; best: ReadSummary[] }> {
  const [latest, best] = await Promise.all([
    results.newest(userId, limits.results),
    results.bestBySharpe(userId, limits.results),
  ])
  const stored = await results.summaries(userId, [...new Set([...latest, ...best])])
  const read = await Promise.all(stored.map((one) => readSummary(one, limits.points)))
  const byId = new Map(read.map((one) => [one.id, one]))
  // A backtest that was deleted in between is in neither list.
  const listed = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? [])
  return { latest: listed(latest), best: listed(best) }
}

async function readSummary(stored: StoredSummary, points: number): Promise<ReadSummary> {
  try {
    return { id: stored.id, summary: await summaryOf(stored, points) }
  } catch (error) {
    return { id: stored.id, summary: error instanceof Error ? error : new Error('unreadable', { cause: error }) }
  }
}

type ShortCurve = Pick<AccountCurve, 'days' | 'values' | 'nominalValues' | 'flows'>

async function summaryOf(stored: StoredSummary, points: number): Promise<ResultSummary> {
  const { curve: storedCurve, startValue, wipedOut, ...rest } = stored
  const curve = await readStored<ShortCurve>(storedCurve)
  const parts = { curve, settings: { startValue }, wipedOut }
  const length = livedBars(parts)
  return {
    ...rest,
    from: formatDate(curve.days[0]!),
    to: formatDate(curve.days[length - 1]!),
    growth: evenlyPicked(growthOf(parts, length), points),
  }
}

/** Picks at most so many values; the first and the last are always there. */
function evenlyPicked(values: ArrayLike<number>, count: number): number[] {
  if (values.length <= count) return Array.from(values)
  const step = (values.length - 1) / (count - 1)
  return Array.from({ length: count }, (_, index) => values[Math.round(index * step)]!)
}
