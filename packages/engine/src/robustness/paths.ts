import { isFixed } from '@tradewright/core/strategy-kinds'
import { deriveSeed, Random } from '@tradewright/core/random'
import { civilDate } from '@tradewright/core/time'
import { normalQuantile, mean, sampleDeviation } from '../performance/statistics.ts'
import type { BoardMaterial } from './material.ts'
import { replay } from './replay.ts'

export const HORIZON_YEARS = 30
const MONTHS = 12 * HORIZON_YEARS
/** Points of the bands: one a quarter, and the start. */
export const POINT_MONTHS = 3
export const POINTS = MONTHS / POINT_MONTHS + 1
/** A year on average, so that months of one crisis mostly stay together. */
const MEAN_BLOCK_MONTHS = 12
/** With less there is nothing to draw from. */
export const MIN_MONTHS = 24
/** An account that has fallen to this share of its start is ruined. */
export const RUIN_SHARE = 0.1

/** What the future is drawn from: whole months of the past, all assets of a month together. */
export interface PathPlan {
  readonly months: number
  readonly assets: number
  /** By month and asset: what one dollar became in it. */
  readonly gross: Float64Array
  /** By month: what prices became of one dollar of goods; ones where they are not known or already taken out. */
  readonly prices: Float64Array
  /** Whether the months are in today's prices, or become so by `prices`. */
  readonly isReal: boolean
  /** Holds or has held something short, which is paid no premium for its risk. */
  readonly isShort: boolean
  readonly weights: Float64Array
  /** Whether a trade of the asset costs something; cash does not. */
  readonly isTraded: Uint8Array
  /** 0: never. */
  readonly rebalanceMonths: number
  /** A fraction of the traded value. */
  readonly costRate: number
  readonly startValue: number
  readonly flow: number
  readonly flowMonths: number
  readonly flowKind: 'dollars' | 'percent' | 'inflation'
}

const EVERY_MONTHS = { none: 0, daily: 1, weekly: 1, monthly: 1, quarterly: 3, yearly: 12 } as const

/** Fixed percentages are rebalanced on every path; of other strategies the months of the account itself are drawn. */
export function pathPlan(material: BoardMaterial): PathPlan {
  const { settings, table } = material.conditions
  const { days } = table.prices
  const ends = monthEnds(days)
  const assets = hasReturns(material) ? allocationColumns(material) : accountColumns(material)
  const months = Math.max(0, ends.length - 1)
  const count = assets.columns.length
  const gross = new Float64Array(months * count)
  const prices = new Float64Array(months).fill(1)
  // In real dollars where the run is; the columns of assets are nominal then.
  const deflator = material.conditions.deflator
  const outside = deflator ? undefined : material.priceDeflator
  for (let month = 0; month < months; month++) {
    const [from, to] = [ends[month]!, ends[month + 1]!]
    const real = deflator && assets.isNominal ? deflator[to]! / deflator[from]! : 1
    for (let i = 0; i < count; i++) {
      gross[month * count + i] = (real * assets.columns[i]![to]!) / assets.columns[i]![from]!
    }
    if (outside) prices[month] = outside[from]! / outside[to]!
  }
  const { amount, frequency, kind } = material.flows
  return {
    months,
    assets: count,
    gross,
    prices,
    isReal: deflator !== undefined || outside !== undefined,
    isShort: material.tape.weights.some((weights) => weights.some((weight) => weight < 0)),
    weights: assets.weights,
    isTraded: assets.isTraded,
    rebalanceMonths: isFixed(material) ? EVERY_MONTHS[settings.rebalanceFrequency] : 0,
    costRate: settings.tradingCostBps / 10_000,
    startValue: settings.startValue,
    flow: amount,
    flowMonths: EVERY_MONTHS[frequency],
    flowKind: kind,
  }
}

/** The last bar of each month that has one after it, and the first bar of all where a month begins with it. */
function monthEnds(days: Int32Array): number[] {
  const monthOf = (bar: number) => {
    const { year, month } = civilDate(days[bar]!)
    return 12 * year + month
  }
  const ends: number[] = []
  for (let bar = 0; bar + 1 < days.length; bar++) {
    if (days[bar] !== days[bar + 1] && monthOf(bar) !== monthOf(bar + 1)) ends.push(bar)
  }
  return ends
}

interface AssetColumns {
  readonly columns: readonly Float64Array[]
  readonly weights: Float64Array
  readonly isTraded: Uint8Array
  readonly isNominal: boolean
}

const accountColumns = (material: BoardMaterial): AssetColumns => ({
  columns: [replay(material).growth],
  weights: Float64Array.of(1),
  isTraded: Uint8Array.of(0),
  isNominal: false,
})

/** A price at or below zero has no return to draw: the account itself does. */
const hasReturns = ({ kind, conditions }: BoardMaterial): boolean =>
  isFixed({ kind }) && conditions.table.prices.close.every((prices) => prices.every((price) => price > 0))

/** Total returns of the tickers, and what is left to 100% as cash, which costs interest where it is borrowed. */
function allocationColumns({ conditions, tape }: BoardMaterial): AssetColumns {
  const { close, dividends } = conditions.table.prices
  const weights = tape.weights[0]!
  const columns = close.map((prices, i) => totalReturns(prices, dividends[i]))
  const cash = 1 - weights.reduce((sum, weight) => sum + weight, 0)
  const costs = conditions.borrowingCosts
  const ones = new Float64Array(close[0]?.length ?? conditions.table.prices.days.length).fill(1)
  if (cash < 0 && costs) for (let bar = 1; bar < ones.length; bar++) ones[bar] = ones[bar - 1]! * (1 + costs[bar]!)
  return {
    columns: [...columns, ones],
    weights: Float64Array.of(...weights, cash),
    isTraded: Uint8Array.from([...columns.map(() => 1), 0]),
    isNominal: true,
  }
}

function totalReturns(close: Float64Array, dividends: Float64Array | undefined): Float64Array {
  const index = new Float64Array(close.length).fill(1)
  for (let bar = 1; bar < close.length; bar++) {
    index[bar] = (index[bar - 1]! * (close[bar]! + (dividends?.[bar] ?? 0))) / close[bar - 1]!
  }
  return index
}

/** Results of some paths. By path, but `values`: by point, then by path. */
export interface PathResults {
  readonly count: number
  readonly values: Float64Array
  /** Paid in beyond the start value, less what was taken out, at 10 and at 30 years. */
  readonly netFlows: Float64Array
  /** The month of ruin, or 0. */
  readonly ruinMonths: Int32Array
  /** The largest constant real withdrawal a month, as a share of the start, that lasts for 30 years. */
  readonly withdrawals: Float64Array
  /** The deepest fall of one dollar from a high, flows left out, within 10 years. */
  readonly drawdowns: Float64Array
}

const TEN_YEARS = 120

/**
 * What markets paid over 120 years, before the months of a run are looked at: real return of bills and reward per risk with the uncertainty
 * of each. For stocks (16% volatility) 4.8% a year, give or take 2.3; for bonds (6%) 2.4, give or take 1.3. Stocks of 21 countries earned 5%
 * from 1900 on, bonds about 2% (Dimson, Marsh and Staunton); the USA alone earned more, as it did best.
 */
const LONG_RUN = { bills: 0.005, billsError: 0.01, sharpe: 0.35, sharpeError: 0.13, inflation: 0.03 }
/**
 * In volatilities a year, over the first ten years: how far the mean differs by the valuation at the start. By the price-earnings ratio of
 * Shiller 2.6% a year of the 14% that US stocks vary by.
 */
const START_ERROR = 0.18

/** Means are of logarithms a year. */
interface Outlook {
  /** The mean of the run's own months. */
  readonly ownMean: number
  readonly volatility: number
  /** The mean of the future: own and long-run mean, each weighted by its precision. */
  readonly mean: number
  readonly meanError: number
  readonly startError: number
}

/** A good decade is mostly luck: ten years of stocks say less about their mean than the long run does. */
export function outlookOf(plan: PathPlan): Outlook {
  const logs = Float64Array.from({ length: plan.months }, (_, month) => {
    let growth = 0
    for (let i = 0; i < plan.assets; i++) growth += plan.weights[i]! * plan.gross[month * plan.assets + i]!
    return Math.log(Math.max(1e-9, growth / plan.prices[month]!))
  })
  const ownMean = 12 * mean(logs)
  const volatility = Math.sqrt(12) * sampleDeviation(logs)
  const { bills, billsError, sharpe, sharpeError, inflation } = LONG_RUN
  const longRun = bills + (plan.isReal ? 0 : inflation) + (plan.isShort ? 0 : sharpe) * volatility - volatility ** 2 / 2
  const longRunVariance = billsError ** 2 + (sharpeError * volatility) ** 2
  const ownVariance = volatility ** 2 / (plan.months / 12)
  const weight = longRunVariance / (longRunVariance + ownVariance)
  return {
    ownMean,
    volatility,
    mean: weight * ownMean + (1 - weight) * longRun,
    meanError: Math.sqrt(weight * ownVariance),
    startError: START_ERROR * volatility,
  }
}

/** By month, what is added to the logarithm of its growth. */
interface Drift {
  readonly first: number
  readonly later: number
}

/** Draws and follows paths: months of the run, moved to a mean that is drawn for each path from what is known of it. */
export function drawPaths(plan: PathPlan, count: number, seed: number, outlook = outlookOf(plan)): PathResults {
  const random = new Random(seed)
  const errors = new Random(deriveSeed(seed, 0x6d65616e))
  const drawn = new Int32Array(MONTHS)
  const normal = () => normalQuantile((errors.uint32() + 0.5) / 0x100000000)
  return followPaths(
    plan,
    count,
    () => {
      drawRows(random, plan.months, MEAN_BLOCK_MONTHS, drawn)
      return drawn
    },
    () => {
      const later = (outlook.mean - outlook.ownMean + outlook.meanError * normal()) / 12
      return { later, first: later + (outlook.startError * normal()) / 12 }
    },
  )
}

const NO_DRIFT: Drift = { first: 0, later: 0 }

/** Follows paths whose months are given. */
export function followPaths(
  plan: PathPlan,
  count: number,
  monthsOf: (path: number) => Int32Array,
  driftOf: (path: number) => Drift = () => NO_DRIFT,
): PathResults {
  const results: PathResults = {
    count,
    values: new Float64Array(POINTS * count),
    netFlows: new Float64Array(2 * count),
    ruinMonths: new Int32Array(count),
    withdrawals: new Float64Array(count),
    drawdowns: new Float64Array(count),
  }
  const held = new Float64Array(plan.assets)
  for (let path = 0; path < count; path++) followPath(plan, monthsOf(path), driftOf(path), path, held, results)
  return results
}

/**
 * One path. A flow is spread by current weights, so the growth of one dollar does not depend on flows, and the largest
 * withdrawal that lasts is 1 / sum of 1 / real growth at each month's end: no search is needed.
 */
function followPath(
  plan: PathPlan,
  drawn: Int32Array,
  drift: Drift,
  path: number,
  held: Float64Array,
  results: PathResults,
): void {
  const { assets, gross, weights, isTraded, rebalanceMonths, costRate, flow, flowMonths, flowKind, startValue } = plan
  const { count, values } = results
  held.set(weights)
  let [growth, high, deepest] = [1, 1, 0]
  let [value, level, inverses, net] = [startValue, 1, 0, 0]
  const ruin = RUIN_SHARE * startValue
  let ruinMonth = 0
  values[path] = startValue
  const [first, later] = [Math.exp(drift.first), Math.exp(drift.later)]
  for (let month = 1; month <= MONTHS; month++) {
    const row = drawn[month - 1]!
    const moved = month <= TEN_YEARS ? first : later
    const before = growth
    growth = 0
    for (let i = 0; i < assets; i++) {
      held[i]! *= moved * gross[row * assets + i]!
      growth += held[i]!
    }
    if (growth > 0 && rebalanceMonths > 0 && month % rebalanceMonths === 0) {
      let traded = 0
      for (let i = 0; i < assets; i++) if (isTraded[i]) traded += Math.abs(held[i]! - growth * weights[i]!)
      growth -= costRate * traded
      for (let i = 0; i < assets; i++) held[i] = growth * weights[i]!
    }
    if (!(growth > 0)) {
      growth = 0
      held.fill(0)
    }
    level *= plan.prices[row]!
    inverses += growth > 0 ? level / growth : Number.POSITIVE_INFINITY
    if (month <= TEN_YEARS) {
      if (growth > high) high = growth
      else if (growth / high - 1 < deepest) deepest = growth / high - 1
    }
    value = before > 0 ? (value * growth) / before : 0
    if (flow !== 0 && month % flowMonths === 0) {
      const wanted = flowKind === 'percent' ? (flow / 100) * value : flowKind === 'inflation' ? flow * level : flow
      const paid = Math.max(wanted, -value)
      value += paid
      net += paid
    }
    if (value <= ruin && ruinMonth === 0) ruinMonth = month
    if (month % POINT_MONTHS === 0) values[(month / POINT_MONTHS) * count + path] = value
    if (month === TEN_YEARS) results.netFlows[path] = net
  }
  results.netFlows[count + path] = net
  results.ruinMonths[path] = ruinMonth
  results.withdrawals[path] = 1 / inverses
  results.drawdowns[path] = deepest
}

/**
 * Stationary block bootstrap (Politis and Romano, "The stationary bootstrap", 1994): blocks of geometric length, on a
 * circle, so that every row is drawn as often as any other and neighbours mostly stay neighbours.
 */
export function drawRows(random: Random, rows: number, meanBlock: number, into: Int32Array): void {
  // The chance to leave a block, out of 2^32 as a whole number: no draw depends on the rounding of a processor.
  const leaves = Math.floor(0x100000000 / meanBlock)
  let row = 0
  for (let i = 0; i < into.length; i++) {
    if (i === 0 || random.uint32() < leaves) row = random.below(rows)
    else row = row + 1 === rows ? 0 : row + 1
    into[i] = row
  }
}

interface Resampled {
  /** Per period. */
  readonly sharpe: number
  /** Mean of the logarithms of the growth, per period. */
  readonly logGrowth: number
}

/** Figures of the rows that were drawn. `excess` is over the risk-free return, `logs` of one plus the whole return. */
export function resampledFigures(drawn: Int32Array, excess: Float64Array, logs: Float64Array): Resampled {
  let [sum, squares, growth] = [0, 0, 0]
  for (let i = 0; i < drawn.length; i++) {
    const value = excess[drawn[i]!]!
    sum += value
    squares += value * value
    growth += logs[drawn[i]!]!
  }
  const n = drawn.length
  const mean = sum / n
  const deviation = Math.sqrt((squares - n * mean * mean) / (n - 1))
  return { sharpe: deviation > 0 ? mean / deviation : 0, logGrowth: growth / n }
}
