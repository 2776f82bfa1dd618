import type { Column } from '@tradewright/core/column'
import { type FeatureBars, fieldOf, defineTarget, horizonParameter, type Label, percentParameter } from '../feature.ts'

interface Barriers {
  readonly up: number
  readonly down: number
  readonly horizon: number
}

export const tripleBarrier = defineTarget({
  id: 4,
  key: 'triple_barrier',
  name: 'Triple barrier',
  description:
    'The price reaches the upper barrier before the lower one; where it reaches neither within the horizon, it ends above this close.',
  parameters: [
    horizonParameter(10),
    percentParameter('profit', 'Profit (%)', 2, 'Upper barrier above this close, in percent.'),
    percentParameter('loss', 'Loss (%)', 2, 'Lower barrier below this close, in percent.'),
  ],
  horizon: (values) => values.number('horizon'),
  compute: ({ bars }, values) => {
    const barriers = {
      up: 1 + values.number('profit') / 100,
      down: 1 - values.number('loss') / 100,
      horizon: values.number('horizon'),
    }
    const close = fieldOf(bars, 'close')
    const [high, low] = [columnOr(bars, 'high', close), columnOr(bars, 'low', close)]
    return Array.from(close, (_, row) => labelOf(row, close, high, low, barriers))
  },
})

const columnOr = (bars: FeatureBars, field: string, fallback: Column): Column => bars.columns[field] ?? fallback

/**
 * López de Prado, "Advances in Financial Machine Learning", 3.4. When a bar touches both barriers the bar does not tell
 * which came first, and the loss is assumed. Until the horizon is over a label is not known, even if a barrier was
 * touched: otherwise the newest rows would only have labels of the quick moves.
 */
function labelOf(row: number, close: Column, high: Column, low: Column, { up, down, horizon }: Barriers): Label {
  const start = close[row]!
  const end = row + horizon
  if (end >= close.length || Number.isNaN(start) || Number.isNaN(close[end]!)) return null
  for (let ahead = row + 1; ahead <= end; ahead++) {
    if (low[ahead]! <= start * down) return 0
    if (high[ahead]! >= start * up) return 1
  }
  return close[end]! > start ? 1 : 0
}
