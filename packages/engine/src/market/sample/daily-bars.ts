import { dayStamp } from '@tradewright/core/time'
import type { CorporateActions, Dividend, Split } from '../corporate-actions.ts'

/** All daily bars of one ticker of the sample market, prices as traded. */
export interface DailyBars {
  readonly days: Int32Array
  readonly timestamps: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
  readonly actions: CorporateActions
}

/** Prices move in cents, and those below a dollar in hundredths of a cent. */
export function toTick(price: number): number {
  return price >= 1 ? Math.round(price * 100) / 100 : Math.max(1, Math.round(price * 10_000)) / 10_000
}

/** Moves of one day, in fractions of the close before. One object serves all days: there are half a million. */
interface DayMove {
  open: number
  close: number
  /** How far the high and the low lie beyond the higher and the lower of open and close. */
  above: number
  below: number
  volume: number
}

export const newMove = (): DayMove => ({ open: 1, close: 1, above: 1, below: 1, volume: 0 })

/** Collects bars day by day, each on ticks and free of contradictions. */
export class BarBuilder {
  readonly #bars: Omit<DailyBars, 'days' | 'timestamps' | 'actions'>
  readonly #splits: Split[] = []
  readonly #dividends: Dividend[] = []
  readonly #days: Int32Array
  #row = 0
  #price: number

  constructor(days: Int32Array, firstPrice: number) {
    const column = () => new Float64Array(days.length)
    this.#bars = { open: column(), high: column(), low: column(), close: column(), volume: column() }
    this.#days = days
    this.#price = firstPrice
  }

  /** The price before any rounding. */
  get price(): number {
    return this.#price
  }

  /** To be called before the bar of the ex-date. */
  split(ratio: number): void {
    this.#splits.push({ exDay: this.#days[this.#row]!, ratio })
    this.#price /= ratio
  }

  payDividend(amount: number): void {
    if (amount <= 0) return
    this.#dividends.push({ exDay: this.#days[this.#row]!, amount })
    this.#price -= amount
  }

  add(move: DayMove): void {
    const bars = this.#bars
    const row = this.#row++
    const open = toTick(this.#price * move.open)
    this.#price *= move.close
    const close = toTick(this.#price)
    bars.open[row] = open
    bars.close[row] = close
    bars.high[row] = toTick(Math.max(open, close) * move.above)
    bars.low[row] = toTick(Math.min(open, close) * move.below)
    bars.volume[row] = move.volume
  }

  finish(): DailyBars {
    const days = this.#days
    const actions = { splits: this.#splits, dividends: this.#dividends }
    return { days, timestamps: new Float64Array(days).map(dayStamp), ...this.#bars, actions }
  }
}
