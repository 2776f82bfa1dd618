import { civilDate, type EpochDay, toEpochDay, dateOf } from '@tradewright/core/time'
import { Noise, ClusteredVolatility } from './noise.ts'
import { nyse } from '../trading-calendar.ts'

interface Regime {
  readonly name: string
  /** Per year. */
  readonly drift: number
  readonly volatility: number
  /** Chance per day to move to each other regime, by index. */
  readonly leave: readonly number[]
}

const marketRegimes: readonly Regime[] = [
  { name: 'calm', drift: 0.13, volatility: 0.1, leave: [0, 0.008, 0] },
  { name: 'usual', drift: 0.1, volatility: 0.16, leave: [0.008, 0, 0.003] },
  { name: 'crisis', drift: -0.35, volatility: 0.34, leave: [0, 0.013, 0] },
]

const coinRegimes: readonly Regime[] = [
  { name: 'rally', drift: 1.2, volatility: 0.6, leave: [0, 0.006, 0.002] },
  { name: 'sideways', drift: 0.1, volatility: 0.45, leave: [0.005, 0, 0.003] },
  { name: 'winter', drift: -0.75, volatility: 0.7, leave: [0.001, 0.005, 0] },
]

/** The regime of the next day, by a Markov chain. */
function nextRegime(regimes: readonly Regime[], current: number, noise: Noise): number {
  let chance = noise.uniform()
  for (const [index, leave] of regimes[current]!.leave.entries()) {
    if (chance < leave) return index
    chance -= leave
  }
  return current
}

/** One month of the sample economy; rates in percent per year. */
export interface EconomicMonth {
  readonly firstDay: EpochDay
  readonly priceIndex: number
  readonly seasonalPriceIndex: number
  readonly unemployment: number
  readonly fedFunds: number
  readonly bill: number
}

export interface Economy {
  /** In percent by session of the exchange. */
  readonly fedFunds: Float64Array
  readonly bill: Float64Array
  readonly tenYear: Float64Array
  readonly months: readonly EconomicMonth[]
}

const CRISIS = marketRegimes.findIndex(({ name }) => name === 'crisis')
const SESSIONS_BETWEEN_MEETINGS = 31
const INFLATION_TARGET = 2.4
const USUAL_UNEMPLOYMENT = 4.8

/** Rates, prices and jobs that answer to the regimes of the market, as they would. */
export function economyOf(seed: number, factors: ExchangeFactors): Economy {
  const rates = new RateWalk(seed, factors.sessions.length)
  const months = new MonthWalk(seed)
  factors.sessions.forEach((day, session) => {
    const isCrisis = factors.regime[session] === CRISIS
    rates.step(session, isCrisis, factors.market[session]!, months.inflation)
    months.step(day, isCrisis, rates.fedFunds[session]!, rates.bill[session]!)
  })
  return { fedFunds: rates.fedFunds, bill: rates.bill, tenYear: rates.tenYear, months: months.finished }
}

class RateWalk {
  readonly fedFunds: Float64Array
  readonly bill: Float64Array
  readonly tenYear: Float64Array
  readonly #noise: Noise
  #policy = 5
  #long = 6.5

  constructor(seed: number, sessions: number) {
    this.#noise = new Noise(seed, 'rates')
    this.fedFunds = new Float64Array(sessions)
    this.bill = new Float64Array(sessions)
    this.tenYear = new Float64Array(sessions)
  }

  step(session: number, isCrisis: boolean, marketMove: number, inflation: number): void {
    if (session % SESSIONS_BETWEEN_MEETINGS === 0) this.#decide(isCrisis, inflation)
    // Money flees from stocks into bonds, so yields fall with the market.
    const flight = isCrisis ? 1.6 : 0.4
    const target = 0.65 * this.#policy + 1.7
    this.#long += 0.002 * (target - this.#long) + 0.052 * this.#noise.shock() + flight * marketMove
    this.#long = Math.max(0.4, this.#long)
    this.fedFunds[session] = this.#policy
    this.bill[session] = Math.max(0.01, this.#policy - 0.1 + 0.03 * this.#noise.normal())
    this.tenYear[session] = this.#long
  }

  /** In quarters of a percent towards what inflation asks for; in steps of half a percent down in a crisis. */
  #decide(isCrisis: boolean, inflation: number): void {
    const wanted = Math.max(0.125, 0.75 + inflation + 0.5 * (inflation - INFLATION_TARGET))
    if (isCrisis) this.#policy = Math.max(0.125, this.#policy - 0.5)
    else if (wanted > this.#policy + 0.25) this.#policy += 0.25
    else if (wanted < this.#policy - 0.25) this.#policy = Math.max(0.125, this.#policy - 0.25)
  }
}

/** Prices rise faster in the first half of the year; the twelve add up to nothing. In percent. */
const SEASON = [0.25, 0.2, 0.3, 0.15, 0.1, 0.05, -0.1, -0.05, -0.05, -0.15, -0.3, -0.4]

class MonthWalk {
  readonly finished: EconomicMonth[] = []
  inflation = 2.8
  readonly #noise: Noise
  #index = 150.3
  #season = 0
  #unemployment = 5.5
  #month = 0
  #sums = { days: 0, crisisDays: 0, fedFunds: 0, bill: 0, firstDay: 0 }

  constructor(seed: number) {
    this.#noise = new Noise(seed, 'economy')
  }

  step(day: EpochDay, isCrisis: boolean, fedFunds: number, bill: number): void {
    const { year, month } = civilDate(day)
    if (month !== this.#month) {
      if (this.#month !== 0) this.#finish()
      this.#month = month
      this.#sums = { days: 0, crisisDays: 0, fedFunds: 0, bill: 0, firstDay: toEpochDay(year, month, 1) }
    }
    this.#sums.days++
    this.#sums.crisisDays += isCrisis ? 1 : 0
    this.#sums.fedFunds += fedFunds
    this.#sums.bill += bill
  }

  #finish(): void {
    const { days, crisisDays, fedFunds, bill, firstDay } = this.#sums
    const crisis = crisisDays / days
    this.inflation += 0.04 * (INFLATION_TARGET - this.inflation) + 0.17 * this.#noise.shock() - 0.15 * crisis
    this.#unemployment +=
      0.035 * (USUAL_UNEMPLOYMENT - this.#unemployment) + 0.07 * this.#noise.normal() + 0.28 * crisis
    this.#unemployment = Math.max(2.9, this.#unemployment)
    this.#index *= 1 + this.inflation / 1200 + 0.0008 * this.#noise.normal()
    this.#season += SEASON[this.#month - 1]!
    this.finished.push({
      firstDay,
      priceIndex: roundTo(this.#index, 3),
      seasonalPriceIndex: roundTo(this.#index * (1 + this.#season / 100), 3),
      unemployment: roundTo(this.#unemployment, 1),
      fedFunds: roundTo(fedFunds / days, 2),
      bill: roundTo(bill / days, 2),
    })
  }
}

const POWERS_OF_TEN = [1, 10, 100, 1000, 10_000]

/** Rounds as a statistics office prints. */
export const roundTo = (value: number, digits: number): number =>
  Math.round(value * POWERS_OF_TEN[digits]!) / POWERS_OF_TEN[digits]!

/** The sample market exists between these days, half-open, for every request at any time. */
export const SAMPLE_START: EpochDay = dateOf('1995-01-03')
export const SAMPLE_END: EpochDay = dateOf('2040-01-01')
const COINS_START: EpochDay = dateOf('2014-01-01')

const SESSIONS_PER_YEAR = 252
const DAYS_PER_YEAR = 365

/** Daily movements that tickers have in common; arrays by session of the exchange. */
export interface ExchangeFactors {
  readonly sessions: Int32Array
  /** NEW_MONTH and PAYDAY_OF_QUARTER by session, 0 on most of them. */
  readonly turns: Uint8Array
  readonly regime: Uint8Array
  readonly market: Float64Array
  readonly technology: Float64Array
  readonly gold: Float64Array
  readonly commodities: Float64Array
  readonly abroad: Float64Array
}

export const NEW_MONTH = 1
/** The first session from the 15th of March, June, September and December on: when stocks go ex dividend. */
export const PAYDAY_OF_QUARTER = 2

function turnsOf(sessions: Int32Array): Uint8Array {
  let before = civilDate(sessions[0]!)
  return Uint8Array.from(sessions, (day) => {
    const now = civilDate(day)
    const isNewMonth = before.month !== now.month
    const isPayday = now.month % 3 === 0 && now.day >= 15 && (before.day < 15 || isNewMonth)
    before = now
    return (isNewMonth ? NEW_MONTH : 0) | (isPayday ? PAYDAY_OF_QUARTER : 0)
  })
}

/** A factor that wanders on its own: volatility and drift per year. */
function wander(seed: number, name: string, length: number, volatility: number, drift: number): Float64Array {
  const noise = new Noise(seed, name)
  const daily = volatility / Math.sqrt(SESSIONS_PER_YEAR)
  const clustered = new ClusteredVolatility(daily)
  return Float64Array.from({ length }, () => drift / SESSIONS_PER_YEAR + clustered.next(noise, daily))
}

export function exchangeFactors(seed: number): ExchangeFactors {
  const sessions = nyse.sessionsBetween(SAMPLE_START, SAMPLE_END)
  const { regime, moves } = regimeWalk(seed, 'market', marketRegimes, sessions.length, SESSIONS_PER_YEAR)
  return {
    sessions,
    turns: turnsOf(sessions),
    regime,
    market: moves,
    technology: wander(seed, 'technology', sessions.length, 0.12, 0.02),
    gold: wander(seed, 'gold', sessions.length, 0.15, 0.05),
    commodities: wander(seed, 'commodities', sessions.length, 0.2, 0),
    abroad: wander(seed, 'abroad', sessions.length, 0.08, 0),
  }
}

/** A factor that lives through good times and bad. */
function regimeWalk(seed: number, name: string, regimes: typeof marketRegimes, length: number, daysPerYear: number) {
  const noise = new Noise(seed, name)
  const perDay = Math.sqrt(daysPerYear)
  let current = 1
  const clustered = new ClusteredVolatility(regimes[current]!.volatility / perDay)
  const regime = new Uint8Array(length)
  const moves = new Float64Array(length)
  for (let day = 0; day < length; day++) {
    current = nextRegime(regimes, current, noise)
    const { drift, volatility } = regimes[current]!
    regime[day] = current
    moves[day] = drift / daysPerYear + clustered.next(noise, volatility / perDay)
  }
  return { regime, moves }
}

/** Movements of all coins by UTC day, which on trading days lean towards the stock market. */
export interface CoinFactors {
  readonly firstDay: EpochDay
  readonly regime: Uint8Array
  readonly moves: Float64Array
}

const COINS_FOLLOW_MARKET = 0.7

export function coinFactors(seed: number, exchange: ExchangeFactors): CoinFactors {
  const length = SAMPLE_END - COINS_START
  const { regime, moves } = regimeWalk(seed, 'coins', coinRegimes, length, DAYS_PER_YEAR)
  exchange.sessions.forEach((day, session) => {
    if (day < COINS_START) return
    moves[day - COINS_START] = moves[day - COINS_START]! + COINS_FOLLOW_MARKET * exchange.market[session]!
  })
  return { firstDay: COINS_START, regime, moves }
}
