import { deriveSeed, Random } from '@tradewright/core/random'
import { dateOf } from '@tradewright/core/time'
import { nyse } from '../../market/trading-calendar.ts'
import { defaultSettings } from '../../backtest/request.ts'
import { standardNormal } from '../../backtest/test-support/random-walks.ts'
import type { BoardEffort, BoardMaterial } from '../material.ts'
import { nearbyMixes, recordTape, signalTape, thresholdTapes } from '../tapes.ts'

/** Little, for studies of many boards. */
export const SMALL_EFFORT: BoardEffort = { paths: 200, resamples: 250, permutations: 100, groups: 4 }

const FROM = dateOf('2003-01-02')
const TO = dateOf('2022-12-30')
const DAYS = Int32Array.from(nyse.sessionsBetween(FROM, TO + 1))
const PER_YEAR = 252
const DAILY_VOLATILITY = 0.16 / Math.sqrt(PER_YEAR)

/** Daily normal returns, by default at 16% volatility a year, whose Sharpe ratio at that is expected to be this. */
function normalReturns(random: Random, sharpe: number, bars: number, daily = DAILY_VOLATILITY): Float64Array {
  const mean = (sharpe * 0.16) / PER_YEAR
  return Float64Array.from({ length: bars }, () => mean + daily * standardNormal(random))
}

/** Divides normal deviations by the root of a chi-square of four degrees, and scales them back to their variance. */
function thicken(returns: Float64Array, mean: number, random: Random): void {
  for (let i = 0; i < returns.length; i++) {
    const chiSquare = -2 * Math.log((1 - random.float()) * (1 - random.float()))
    returns[i] = Math.max(-0.5, mean + (returns[i]! - mean) * Math.sqrt(2 / chiSquare))
  }
}

function pricesOf(returns: readonly Float64Array[], days: Int32Array) {
  const close = returns.map((column) => {
    let price = 100
    return column.map((earned, bar) => (price *= bar === 0 ? 1 : 1 + earned))
  })
  return {
    tickers: returns.map((_, i) => `A${i + 1}`),
    timestamps: Float64Array.from(days, (day) => day * 86_400_000),
    days,
    open: close.map((column) => column.map((price, bar) => (bar === 0 ? price : column[bar - 1]!))),
    close,
    dividends: returns.map(() => undefined),
  }
}

const conditionsOf = (returns: readonly Float64Array[], days: Int32Array) => ({
  settings: { ...defaultSettings, from: days[0]!, to: days.at(-1)! },
  table: { prices: pricesOf(returns, days), barsPerYear: PER_YEAR, sessionAfter: days.at(-1)! + 1 },
  deflator: undefined,
  flowDeflator: undefined,
  borrowingCosts: undefined,
})

const common = {
  isSynthetic: false,
  riskFree: undefined,
  reference: undefined,
  priceDeflator: undefined,
  flows: { amount: 0, frequency: 'yearly', kind: 'dollars' },
  laterChecks: [],
} as const

/** Equal percentages of independent assets, each with a Sharpe ratio so that the mix has the one asked for. */
export function allocationStudy(
  seed: number,
  sharpe: number,
  assets = 3,
  years = 20,
  daily = DAILY_VOLATILITY,
): BoardMaterial {
  const days = DAYS.subarray(0, Math.round(years * PER_YEAR))
  const returns = Array.from({ length: assets }, (_, i) =>
    normalReturns(new Random(deriveSeed(seed, i)), sharpe / Math.sqrt(assets), days.length, daily),
  )
  const weights = new Float64Array(assets).fill(1 / assets)
  return {
    ...common,
    kind: 'allocation',
    conditions: conditionsOf(returns, days),
    tape: recordTape(days.length, (bar) => (bar === 0 ? weights : undefined)),
    fillTiming: 'same_close',
    rebalances: true,
    holding: undefined,
    neighbours: nearbyMixes(weights, days.length, seed),
  }
}

/** What differs from the usual study of timing. */
interface TimingVariation {
  /** Sharpe ratio of the asset itself. */
  readonly drift?: number
  readonly years?: number
  /** Bars that the account stays in the market, or out of it, on average. */
  readonly holdingBars?: number
  /** Returns with Student's t of four degrees of freedom, of the same variance, in place of normal ones. */
  readonly hasFatTails?: boolean
}

/**
 * A model that is in the market or in cash, by a signal that stays for 20 days on average. `edge`: what the asset earns a year
 * while the signal says Buy, less what it earns while it says Sell, in Sharpe ratios of the asset. Without one the signal
 * is noise on an asset that drifts upwards.
 */
export function timingStudy(
  seed: number,
  edge: number,
  { drift = 0.3, years = 20, holdingBars = 20, hasFatTails = false }: TimingVariation = {},
): BoardMaterial {
  const days = DAYS.subarray(0, Math.round(years * PER_YEAR))
  const random = new Random(deriveSeed(seed, 1))
  const signals = new Int8Array(days.length)
  // Half of the draws repeat the signal, so it changes once in twice as many bars as there are between draws.
  const drawn = 2 / holdingBars
  for (let bar = 0; bar < days.length; bar++) {
    const stays = bar > 0 && random.float() < 1 - drawn
    signals[bar] = stays ? signals[bar - 1]! : random.below(2)
  }
  const own = normalReturns(new Random(deriveSeed(seed, 2)), drift, days.length)
  if (hasFatTails) thicken(own, (drift * 0.16) / PER_YEAR, new Random(deriveSeed(seed, 3)))
  const half = (edge * 0.16) / 2 / PER_YEAR
  // Decided at the close before, filled at the open, which is that close.
  const returns = own.map((earned, bar) => (bar === 0 ? 0 : earned + (signals[bar - 1] === 1 ? half : -half)))
  const weights = { 1: Float64Array.of(1), 0: Float64Array.of(0) }
  const probabilities = Float64Array.from(signals, (signal) => (signal === 1 ? 0.5 : 0.4) + 0.1 * random.float())
  return {
    ...common,
    kind: 'ml',
    conditions: conditionsOf([returns], days),
    tape: signalTape(signals, weights),
    fillTiming: 'next_open',
    rebalances: true,
    holding: { name: 'always holding the buy allocation', weights: weights[1] },
    neighbours: thresholdTapes({ signals, probabilities }, weights),
  }
}
