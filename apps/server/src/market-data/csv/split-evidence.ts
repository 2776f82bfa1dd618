import { lowerBound } from '@tradewright/core/column'
import { dayStamp } from '@tradewright/core/time'
import type { Split } from '@tradewright/engine/market/corporate-actions'
import type { SeriesBlock } from '@tradewright/engine/market/series'

/**
 * Whether prices fall by the ratio where a split happened, as raw prices do. Files often hold both adjusted prices and
 * the splits they were adjusted for, and applying those again would be wrong by their product.
 */
export function splitsShowInPrices({ timestamps, columns }: SeriesBlock, splits: readonly Split[]): boolean {
  const close = columns['close']
  if (!close) return true
  let [visible, hidden] = [0, 0]
  for (const { exDay, ratio } of splits) {
    const row = lowerBound(timestamps, dayStamp(exDay))
    if (row === 0 || row >= close.length) continue
    const fall = Math.log(close[row - 1]! / close[row]!)
    if (Math.abs(fall - Math.log(ratio)) < Math.abs(fall)) visible++
    else hidden++
  }
  return visible >= hidden
}
