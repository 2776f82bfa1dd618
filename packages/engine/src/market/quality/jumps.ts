import type { Column } from '@tradewright/core/column'
import { isObservation } from '@tradewright/core/ticker-kind'
import { dayStamp, type UtcMillis } from '@tradewright/core/time'
import { actionsOf } from '../corporate-actions.ts'
import { findMissedSplits } from '../missed-splits.ts'
import type { SeriesTable } from '../series.ts'

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
