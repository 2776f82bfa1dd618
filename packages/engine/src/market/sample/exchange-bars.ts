import { ClusteredVolatility } from './clustered-volatility.ts'
import { BarBuilder, type DailyBars, newMove } from './daily-bars.ts'
import type { Economy } from './economy.ts'
import { type ExchangeFactors, NEW_MONTH, PAYDAY_OF_QUARTER } from './factors.ts'
import { Noise } from './noise.ts'
import { portableExp } from './portable-math.ts'
import type { Traits } from './universe.ts'

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
