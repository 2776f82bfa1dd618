import { accountValue, type Holdings } from './holdings.ts'

/** Whether some position has drifted further from its target than the band, in percentage points of the account. */
export function isOutsideBand(
  weights: Float64Array,
  holdings: Holdings,
  prices: Float64Array,
  bandPct: number,
): boolean {
  const value = accountValue(holdings, prices)
  if (!(value > 0)) return false
  for (let i = 0; i < weights.length; i++) {
    const weight = (holdings.quantities[i]! * prices[i]!) / value
    if (Math.abs(weight - weights[i]!) * 100 > bandPct) return true
  }
  return false
}
