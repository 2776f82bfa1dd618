import { civilDate, type EpochDay, toEpochDay } from '@tradewright/core/time'
import type { ExchangeFactors } from './factors.ts'
import { Noise } from './noise.ts'
import { marketRegimes } from './regimes.ts'

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
