import type { Column } from '@tradewright/core/column'
import type { RulesProgram } from './program.ts'
import type { RulesInputs } from './inputs.ts'
import type { RulesState } from './state.ts'

/** What the price of each ticker of a program grew by from check to check. */
export class TickerGrowth {
  readonly #tickers: readonly string[]
  readonly #isKnown: boolean
  /** By ticker: the close at the last check. */
  readonly #prices: Float64Array
  /** By ticker. */
  readonly #priceColumns: readonly Column[]
  /** By ticker, from `#row` on: growth since the last check. */
  readonly #growth: Float64Array
  #row = 0

  constructor({ tickers, priceColumns }: RulesProgram, { columns, known }: RulesInputs, state: RulesState | undefined) {
    this.#tickers = tickers
    this.#isKnown = known !== undefined
    this.#prices = Float64Array.from(tickers, (ticker) => state?.prices[ticker] ?? Number.NaN)
    this.#priceColumns = priceColumns.map((column) => columns[column]!)
    this.#growth = known?.growth ?? new Float64Array(tickers.length)
  }

  advanceTo(bar: number): void {
    if (this.#isKnown) {
      this.#row = bar * this.#tickers.length
      return
    }
    const columns = this.#priceColumns
    const prices = this.#prices
    const growth = this.#growth
    for (let i = 0; i < columns.length; i++) {
      const now = columns[i]![bar]!
      const before = prices[i]!
      if (now > 0) {
        growth[i] = before > 0 ? now / before : 1
        prices[i] = now
      } else growth[i] = 1
    }
  }

  /** Since the last check; of cash (-1) none. */
  of(ticker: number): number {
    return ticker < 0 ? 1 : this.#growth[this.#row + ticker]!
  }

  /** The closes at the last check, by ticker. */
  prices(): RulesState['prices'] {
    const known = this.#tickers.flatMap((ticker, i) =>
      Number.isNaN(this.#prices[i]!) ? [] : [[ticker, this.#prices[i]!] as const],
    )
    return Object.fromEntries(known)
  }
}

/** By bar, a row by ticker: growth from each bar with a check to the next one; prices that are missing stand still. */
export function growthRows(prices: readonly Column[], checks: Uint8Array): Float64Array {
  const tickers = prices.length
  const growth = new Float64Array(checks.length * tickers).fill(1)
  for (const [ticker, column] of prices.entries()) {
    let before = Number.NaN
    for (let bar = 0; bar < checks.length; bar++) {
      const now = column[bar]!
      if (checks[bar] !== 1 || !(now > 0)) continue
      if (before > 0) growth[bar * tickers + ticker] = now / before
      before = now
    }
  }
  return growth
}
