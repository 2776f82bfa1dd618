import type { TickerKind } from '@tradewright/core/ticker-kind'
import { dayStamp } from '@tradewright/core/time'
import { ClusteredVolatility, Noise, portableExp } from './noise.ts'
import { type Economy, type ExchangeFactors, NEW_MONTH, PAYDAY_OF_QUARTER, roundTo } from './economy.ts'
import type { Traits, CoinTraits } from './universe.ts'
import type { CorporateActions, Dividend, Split } from '../corporate-actions.ts'

const SESSIONS_PER_YEAR = 252

/** The daily bars of a fund or stock, from its listing to the end of the sample market. */
export function exchangeBars(seed: number, traits: Traits, factors: ExchangeFactors, economy: Economy): DailyBars {
  const first = factors.sessions.findIndex((day) => day >= traits.listedOn)
  const days = factors.sessions.subarray(first)
  const builder = new BarBuilder(days, traits.firstPrice)
  const noise = new Noise(seed, traits.ticker)
  const ownVolatility = traits.own / Math.sqrt(SESSIONS_PER_YEAR)
  const own = new ClusteredVolatility(ownVolatility)
  const pace = new VolumePace(traits.volume)
  const today = newMove()
  for (let row = 0; row < days.length; row++) {
    const session = first + row
    const yearlyYield = yieldOf(traits, economy, session)
    if (row > 0) payAndSplit(builder, traits, yearlyYield, factors.turns[session]!)
    const ownMove = own.next(noise, ownVolatility)
    const carry = isBond(traits) ? yearlyYield / SESSIONS_PER_YEAR : 0
    const common = carry + bondMove(traits.duration, economy, session) + commonMove(traits, factors, session)
    const move = common + ownMove
    const spread = usualSpread(common, ownVolatility, own.volatility)
    const night = 0.3 * move + 0.25 * spread * noise.normal()
    today.open = portableExp(night)
    today.close = portableExp(move)
    today.above = 1 + 0.45 * spread * Math.abs(noise.normal())
    today.below = 1 / (1 + 0.45 * spread * Math.abs(noise.normal()))
    today.volume = pace.next(noise, Math.abs(move) / spread)
    builder.add(today)
  }
  return builder.finish()
}

/** How wide a usual day is: its own unrest, and what the common factors have stirred up. */
const usualSpread = (common: number, ownTarget: number, own: number): number =>
  Math.max(0.0004, Math.sqrt(0.5 * common * common + own * own) + 0.3 * ownTarget)

function commonMove(traits: Traits, factors: ExchangeFactors, session: number): number {
  return (
    traits.drift / SESSIONS_PER_YEAR +
    traits.market * factors.market[session]! +
    traits.technology * factors.technology[session]! +
    traits.gold * factors.gold[session]! +
    traits.commodities * factors.commodities[session]! +
    traits.abroad * factors.abroad[session]!
  )
}

const isBond = ({ dividends }: Traits): boolean => dividends.perYear === 12

/** A bond pays what its place on the curve yields, between the bill and the ten-year note. */
function yieldOf({ dividends, duration }: Traits, { bill, tenYear }: Economy, session: number): number {
  if (dividends.perYear !== 12) return dividends.yield
  const slope = tenYear[session]! - bill[session]!
  return dividends.yield + (bill[session]! + slope * Math.min(1, duration / 8)) / 100
}

/** A price falls by its duration when yields rise. */
const bondMove = (duration: number, { tenYear }: Economy, session: number): number =>
  session === 0 ? 0 : (-duration * (tenYear[session]! - tenYear[session - 1]!)) / 100

function payAndSplit(builder: BarBuilder, traits: Traits, yearlyYield: number, turn: number): void {
  if (turn === 0) return
  const { perYear } = traits.dividends
  const isPayday = (turn & (perYear === 12 ? NEW_MONTH : PAYDAY_OF_QUARTER)) !== 0
  if (perYear > 0 && isPayday) builder.payDividend(Math.round((builder.price * yearlyYield * 1000) / perYear) / 1000)
  if ((turn & NEW_MONTH) !== 0 && builder.price > traits.splitsAbove) {
    builder.split(splitRatio(builder.price, traits.splitsAbove))
  }
}

/** Down to about a third of the price that was too high. */
function splitRatio(price: number, tooHigh: number): number {
  const wanted = (3 * price) / tooHigh
  return [2, 3, 4, 5, 10, 20].find((ratio) => ratio >= wanted) ?? 20
}

/** Volume that wanders around what is usual and swells on days with large moves. */
export class VolumePace {
  readonly #usual: number
  #mood = 0

  constructor(usual: number) {
    this.#usual = usual
  }

  next(noise: Noise, moveInSpreads: number): number {
    this.#mood = 0.85 * this.#mood + 0.18 * noise.normal()
    const unrest = 0.75 + 0.35 * Math.min(4, moveInSpreads)
    return Math.max(100, Math.round((this.#usual * portableExp(this.#mood) * unrest) / 100) * 100)
  }
}

/** Daily values of what traders of a coin's perpetual do, moved by the coin's own price. */
export interface DerivativeDays {
  readonly timestamps: Float64Array
  readonly values: Float64Array
  /** A flow is the sum over a day, a level its last value. */
  readonly isFlow: boolean
}

export type DerivativeKind = Extract<TickerKind, 'funding_rate' | 'open_interest' | 'long_short_ratio' | 'liquidations'>

/** Where each series rests, how fast it returns there and what a strong week of the coin does to it. */
const HABITS = {
  /** Percent per funding period, as the exchanges' usual 0.01. */
  funding_rate: { rest: 0.01, memory: 0.8, chase: 0.12, noise: 0.004, digits: 4 },
  long_short_ratio: { rest: 1.5, memory: 0.93, chase: -1.2, noise: 0.06, digits: 3 },
} as const

export function derivativeDays(
  seed: number,
  { ticker, volume }: CoinTraits,
  kind: DerivativeKind,
  bars: DailyBars,
): DerivativeDays {
  const noise = new Noise(seed, `${ticker} ${kind}`)
  const trend = weeklyTrend(bars.close)
  const values = new Float64Array(bars.timestamps.length)
  if (kind === 'funding_rate' || kind === 'long_short_ratio') {
    const { rest, memory, chase, noise: width, digits } = HABITS[kind]
    let value: number = rest
    for (let row = 0; row < values.length; row++) {
      value = memory * value + (1 - memory) * (rest + chase * trend[row]!) + width * noise.shock()
      if (kind === 'long_short_ratio') value = Math.max(0.3, value)
      values[row] = roundTo(value, digits)
    }
  } else if (kind === 'open_interest') {
    let appetite = 0
    for (let row = 0; row < values.length; row++) {
      appetite = 0.98 * appetite + 0.03 * noise.shock() + 0.06 * trend[row]!
      values[row] = Math.round(0.6 * volume * portableExp(appetite))
    }
  } else {
    for (let row = 0; row < values.length; row++) {
      const range = bars.high[row]! / bars.low[row]! - 1
      values[row] = Math.round(volume * range * range * (0.3 + 0.4 * noise.uniform()))
    }
  }
  return { timestamps: bars.timestamps, values, isFlow: kind === 'liquidations' }
}

/** Change of the close over seven days, 0 while there are fewer. */
const weeklyTrend = (close: Float64Array): Float64Array =>
  close.map((price, row) => (row < 7 ? 0 : price / close[row - 7]! - 1))

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
