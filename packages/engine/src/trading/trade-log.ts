/** A negative quantity is a sale. */
export interface Trade {
  readonly bar: number
  readonly ticker: string
  readonly quantity: number
  readonly price: number
  readonly fee: number
}

/** The sum of what changed hands, buying and selling, and of what it cost. */
export interface TradeTotals {
  readonly tradedValue: number
  readonly fees: number
}

export function totalsOf(trades: readonly Trade[]): TradeTotals {
  let [tradedValue, fees] = [0, 0]
  for (const { quantity, price, fee } of trades) {
    tradedValue += Math.abs(quantity) * price
    fees += fee
  }
  return { tradedValue, fees }
}
