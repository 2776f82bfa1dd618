import type { Column } from '@tradewright/core/column'
import { isObservation } from '@tradewright/core/ticker-kind'
import { dayStamp, type UtcMillis, epochDayOf } from '@tradewright/core/time'
import { actionsOf, type Split } from '../corporate-actions.ts'
import type { SeriesTable } from '../series.ts'

interface SuspectedSplit {
  /** The first row at the new price. */
  readonly row: number
  readonly timestamp: UtcMillis
  /** The usual ratio that the jump is nearest to. */
  readonly ratio: number
}

const USUAL_RATIOS: readonly number[] = [1.5, 2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 50, 100].flatMap((n) => [
  n,
  1 / n,
])

/** A split day has its own market move on top of the ratio. */
const TOLERANCE = 0.12

/**
 * Overnight jumps of raw closes that look like an unreported split. Some are real crashes, so they are shown and not
 * corrected.
 */
export function findMissedSplits(
  timestamps: Float64Array,
  close: Float64Array,
  splits: readonly Split[],
): SuspectedSplit[] {
  const known = new Set(splits.map(({ exDay }) => exDay))
  const suspects: SuspectedSplit[] = []
  for (let row = 1; row < close.length; row++) {
    const jump = close[row - 1]! / close[row]!
    // Most days end here; the smallest usual ratio less the tolerance is 1.32.
    if (jump < 1.32 && jump > 1 / 1.32) continue
    const ratio = USUAL_RATIOS.find((usual) => Math.abs(jump / usual - 1) < TOLERANCE)
    const timestamp = timestamps[row]!
    if (ratio !== undefined && !known.has(epochDayOf(timestamp))) suspects.push({ row, timestamp, ratio })
  }
  return suspects
}

/** A change from one bar to the next that is worth checking. */
export interface Jump {
  readonly timestamp: UtcMillis
  /** As a fraction of the price before. */
  readonly change: number
  /** The split ratio that the jump looks like; undefined when it looks like none, or the split was reported. */
  readonly splitRatio: number | undefined
}

/** Jumps that are listed for one series, as many as can be read. */
const MAX_JUMPS = 1_000
const SMALLEST_JUMP = 0.15
const USUAL_MOVES = 12

/** The largest moves above 15 % that are also twelve times the series' usual one, and what looks like a missed split. */
export function findJumps(table: SeriesTable, prices: Column): Jump[] {
  if (isObservation(table.type) || prices.length < 2) return []
  const { splits } = actionsOf(table)
  const ratios = new Map(findMissedSplits(table.timestamps, prices, splits).map(({ row, ratio }) => [row, ratio]))
  const changes = changesOf(
    prices,
    new Map(splits.map(({ exDay, ratio }) => [dayStamp(exDay), ratio])),
    table.timestamps,
  )
  const threshold = Math.max(SMALLEST_JUMP, USUAL_MOVES * medianMove(changes))
  const jumps: Jump[] = []
  for (let row = 1; row < changes.length; row++) {
    const splitRatio = table.type === 'security' ? ratios.get(row) : undefined
    if (Math.abs(changes[row]!) < threshold && splitRatio === undefined) continue
    jumps.push({ timestamp: table.timestamps[row]!, change: changes[row]!, splitRatio })
  }
  if (jumps.length <= MAX_JUMPS) return jumps
  return jumps
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, MAX_JUMPS)
    .toSorted((a, b) => a.timestamp - b.timestamp)
}

/** Known splits are taken out, so that only what is left can be suspicious. */
function changesOf(prices: Column, ratios: ReadonlyMap<UtcMillis, number>, timestamps: Float64Array): Float64Array {
  const changes = new Float64Array(prices.length)
  let before = prices[0]!
  for (let row = 1; row < prices.length; row++) {
    const price = prices[row]!
    if (Number.isNaN(price)) continue
    // Futures may come back from below zero, which is no percent change.
    changes[row] = before > 0 ? (price * (ratios.get(timestamps[row]!) ?? 1)) / before - 1 : 0
    before = price
  }
  return changes
}

function medianMove(changes: Float64Array): number {
  const moves = changes.map(Math.abs).sort()
  return moves[moves.length >>> 1] ?? 0
}
