import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import { given, invalidField, numberField } from '../input/form-values.ts'

/** Rows of an allocation form: tickers and percentages in the same order. A row without a ticker does not count. */
export function allocationRows(
  what: string,
  tickers: readonly string[] = [],
  percentages: readonly string[] = [],
): AllocationRow[] {
  if (tickers.length !== percentages.length) {
    throw invalidField(`${what} has ${tickers.length} tickers but percentages for ${percentages.length}.`)
  }
  return tickers.flatMap((text, row) => {
    const ticker = given(text)
    if (ticker === undefined) return []
    const allocationPct = numberField(`${what} of ${ticker}`, percentages[row])
    if (allocationPct === undefined) throw invalidField(`${what} of ${ticker} is missing.`)
    return [{ ticker: ticker.toUpperCase(), allocationPct }]
  })
}
