import type { Column } from '@tradewright/core/column'
import type { Dividend } from '../market/corporate-actions.ts'

/** A dividend is booked with the first bar of its ex-date, or of the next session of the run. Undefined: there are none. */
export function dividendColumn(dividends: readonly Dividend[], days: Int32Array): Column | undefined {
  if (dividends.length === 0) return undefined
  const column = new Float64Array(days.length)
  for (const { exDay, amount } of dividends) {
    if (exDay <= days[0]!) continue
    const bar = days.findIndex((day) => day >= exDay)
    if (bar >= 0) column[bar]! += amount
  }
  return column
}
