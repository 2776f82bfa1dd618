/** Borrowed money costs the borrowing rate of a leveraged ticker (SW and SP of `?L=n`), so both ways cost the same. */
const BORROW_WEIGHT = 1.1
const SPREAD_PCT = 0.4

/**
 * The cost of one borrowed dollar over each bar, from the fed funds (or T-bill) rate known at it, in percent a year.
 */
export const borrowingCosts = (ratePct: Float64Array, barsPerYear: number): Float64Array =>
  ratePct.map((rate) => (BORROW_WEIGHT * (rate + SPREAD_PCT)) / 100 / barsPerYear)
