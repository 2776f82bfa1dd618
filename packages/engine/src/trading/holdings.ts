/** A simulated account. Quantities are in the order of the price table's tickers. */
export interface Holdings {
  /** Negative: borrowed. */
  cash: number
  readonly quantities: Float64Array
}

export const emptyHoldings = (cash: number, tickerCount: number): Holdings => ({
  cash,
  quantities: new Float64Array(tickerCount),
})

/** Cash and all positions at these prices. */
export function accountValue({ cash, quantities }: Holdings, prices: Float64Array): number {
  let value = cash
  for (let i = 0; i < quantities.length; i++) if (quantities[i] !== 0) value += quantities[i]! * prices[i]!
  return value
}

/** The positions alone, short ones counted as positive: what is exposed to the market. */
export function grossExposure({ quantities }: Holdings, prices: Float64Array): number {
  let exposure = 0
  for (let i = 0; i < quantities.length; i++) if (quantities[i] !== 0) exposure += Math.abs(quantities[i]! * prices[i]!)
  return exposure
}
