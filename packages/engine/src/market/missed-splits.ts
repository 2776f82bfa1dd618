import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import type { Split } from './corporate-actions.ts'

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
