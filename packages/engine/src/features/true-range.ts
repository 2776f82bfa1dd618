import type { Column } from '@tradewright/core/column'
import type { FeatureBars } from './feature-bars.ts'
import { fieldOf } from './feature-bars.ts'

/** The range of a bar, including the gap from the close before it. The first bar has none, as in TA-Lib. */
export function trueRange(bars: FeatureBars): Column {
  const [high, low, close] = [fieldOf(bars, 'high'), fieldOf(bars, 'low'), fieldOf(bars, 'close')]
  return high.map((top, row) => {
    if (row === 0) return Number.NaN
    const before = close[row - 1]!
    return Math.max(top - low[row]!, Math.abs(top - before), Math.abs(low[row]! - before))
  })
}
