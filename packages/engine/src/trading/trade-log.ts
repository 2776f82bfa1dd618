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

/** A row of the log: bar, place of the ticker, quantity, price, fee. */
export const LOG_ROW_NUMBERS = 5

/** The trades of one account as they are booked: rows of numbers, since most accounts of a sweep are never asked for them. */
export class TradeLog {
  readonly #tickers: readonly string[]
  /** Each chunk holds whole rows. */
  readonly #chunks: (number[] | Float64Array)[] = []
  #trades: readonly Trade[] | undefined

  constructor(tickers: readonly string[]) {
    this.#tickers = tickers
  }

  add(bar: number, place: number, quantity: number, price: number, fee: number): void {
    const last = this.#chunks.at(-1)
    if (Array.isArray(last)) last.push(bar, place, quantity, price, fee)
    else this.#chunks.push([bar, place, quantity, price, fee])
  }

  /** Adds a copy of rows. */
  addRows(rows: Float64Array): void {
    if (rows.length > 0) this.#chunks.push(rows.slice())
  }

  /** Once the last one is booked. */
  trades(): readonly Trade[] {
    this.#trades ??= this.#chunks.flatMap((chunk) =>
      Array.from({ length: chunk.length / LOG_ROW_NUMBERS }, (_, row) => this.#tradeAt(chunk, row * LOG_ROW_NUMBERS)),
    )
    return this.#trades
  }

  #tradeAt(chunk: number[] | Float64Array, at: number): Trade {
    return {
      bar: chunk[at]!,
      ticker: this.#tickers[chunk[at + 1]!]!,
      quantity: chunk[at + 2]!,
      price: chunk[at + 3]!,
      fee: chunk[at + 4]!,
    }
  }
}
