import { civilDate, dateOf, type EpochDay } from '@tradewright/core/time'
import { nyse } from '../calendar/nyse.ts'
import { ClusteredVolatility } from './clustered-volatility.ts'
import { coinRegimes, marketRegimes, nextRegime } from './regimes.ts'
import { Noise } from './noise.ts'

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
