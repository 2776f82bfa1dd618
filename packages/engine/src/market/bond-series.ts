import { type Column, lastAtOrBefore } from '@tradewright/core/column'
import { DAY } from '@tradewright/core/time'

/**
 * $100 in a bond of constant maturity, made of its yield. At each stamp a par bond is bought whose coupon is the yield,
 * and sold at the next stamp: it has paid its coupon for the days between and is priced at the yield of that day, with
 * that much less time to run and two coupons a year. This is the approximation of Swinkels (2019, "Treasury bond return
 * data starting in 1962") for any distance of days. `yieldPct` is that of each stamp, in percent a year.
 */
export function bondSeries(timestamps: Float64Array, yieldPct: Column, maturityYears: number): Float64Array {
  const values = new Float64Array(timestamps.length)
  let value = 100
  for (let row = 0; row < values.length; row++) {
    if (row > 0) {
      const years = (timestamps[row]! - timestamps[row - 1]!) / (365 * DAY)
      const coupon = yieldPct[row - 1]! / 100
      value *= coupon * years + parBondPrice(coupon, yieldPct[row]! / 100, Math.max(0, maturityYears - years))
    }
    values[row] = value
  }
  return values
}

/** Clean price of a bond of 1 that pays its coupon twice a year. */
function parBondPrice(coupon: number, yearlyYield: number, years: number): number {
  if (yearlyYield === 0) return 1 + coupon * years
  const discount = (1 + yearlyYield / 2) ** (-2 * years)
  return (coupon / yearlyYield) * (1 - discount) + discount
}

/** The newest value at or before each stamp; NaN before the first. */
export function valuesInForce(known: Float64Array, values: Column, timestamps: Float64Array): Column {
  return timestamps.map((stamp) => {
    for (let row = lastAtOrBefore(known, stamp); row >= 0; row--) if (!Number.isNaN(values[row]!)) return values[row]!
    return Number.NaN
  })
}
