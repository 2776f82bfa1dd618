import type { Column } from '@tradewright/core/column'
import { CONSTRUCTION_LIMITS, type CovarianceEstimator } from '@tradewright/core/construction-catalogue'
import { Problem } from '@tradewright/core/problem'
import { shared, sharedRows } from '@tradewright/core/shared-columns'
import { type EpochDay, formatDate } from '@tradewright/core/time'
import { type AccountConditions, runConditions } from '../backtest/account-run.ts'
import { type PriceTable, withColumns } from '../trading/price-table.ts'
import { fingerprintOf } from '../backtest/fingerprint.ts'
import type { MarketData } from '../backtest/market-data.ts'
import { maxInvestedPct, shortTickers } from '../backtest/plan.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { provenanceOf, tradesSynthetic, usesOf } from '../backtest/provenance.ts'
import { realReturns, riskFreeReturns } from '../backtest/risk-free.ts'
import { simulationTable } from '../backtest/simulation-table.ts'
import { type SplicedTicker, splicedTickers } from '../backtest/stand-ins.ts'
import { isConstant } from '../performance/statistics.ts'
import { periodEnds } from '../trading/rebalance-calendar.ts'
import { type Estimates, estimate, SOLVE, leastVariance } from './methods.ts'
import { checkLimits, exchanged, leastTurnover, type Limits, solveWithin, type ConvexSolver } from './limits.ts'
import { type ChosenMethod, type ConstructionRequest, type DatedView, planConstruction } from './request.ts'
import { varianceOf } from '../rules/risk-weights.ts'

/** All that a walk reads: plain data with its columns on shared memory, so that any thread can walk any method. */
export interface ConstructionMaterial {
  readonly tickers: readonly string[]
  readonly conditions: AccountConditions
  /** Return of each bar, dividends included, by ticker; NaN at the first. */
  readonly returns: readonly Column[]
  readonly riskFree: Column | undefined
  readonly riskFreeName: string
  readonly window: number
  readonly covariance: CovarianceEstimator
  /** Bars at whose close weights are found: the first has a whole window before it. */
  readonly rebalances: Int32Array
  readonly limits: Limits
  readonly maxTurnover: number | undefined
  /** The weights of the user's own portfolio, as fractions. */
  readonly ownWeights: Float64Array
  readonly views: readonly DatedView[]
  readonly isSynthetic: boolean
  readonly spliced: readonly SplicedTicker[]
  readonly fingerprint: string
  readonly seed: number
}

/** Rebalances that a walk needs: with fewer it would measure nothing. */
const MIN_REBALANCES = 2

/** Prices, returns and the bars of the rebalances. Limits that cannot be met are refused here. */
export function prepareConstruction(
  request: ConstructionRequest,
  data: MarketData,
  solver: ConvexSolver,
): ConstructionMaterial {
  const plan = planConstruction(request)
  checkLimits(plan.limits, solver)
  const settings = { ...plan.backtest.settings, cashflow: 0, includeFirstReturn: false }
  const seriesSet = new SeriesSet(data, settings)
  const table = simulationTable(seriesSet, plan.tickers, settings)
  const borrows = maxInvestedPct(plan.backtest) > 100 || shortTickers(plan.backtest.strategy).length > 0
  const conditions = runConditions(seriesSet.lookUp, table, settings, borrows)
  const riskFree = riskFreeReturns(seriesSet, plan.backtest.riskFreeTicker, table)
  const { prices } = table
  refuseWithoutReturns(prices)
  const window = Math.round((table.barsPerYear * request.windowMonths) / 12)
  const ends = periodEnds(prices.days, request.rebalance, table.sessionAfter)
  const rebalances = [...ends.keys()].filter((bar) => bar === window || (bar > window && ends[bar] === 1))
  if (rebalances.length < MIN_REBALANCES) {
    throw tooShort(request, prices.days, table.limitingTicker)
  }
  const own = (column: Column | undefined) => column && shared(column)
  return {
    tickers: plan.tickers,
    conditions: {
      settings,
      table: {
        prices: { ...withColumns(prices, shared), days: sharedRows([...prices.days]) },
        barsPerYear: table.barsPerYear,
        sessionAfter: table.sessionAfter,
      },
      deflator: own(conditions.deflator),
      flowDeflator: undefined,
      borrowingCosts: own(conditions.borrowingCosts),
    },
    returns: prices.close.map((close, i) => shared(totalReturns(close, prices.dividends[i]))),
    riskFree: own(realReturns(riskFree.returns, conditions.deflator)),
    riskFreeName: riskFree.name,
    window,
    covariance: request.covariance,
    rebalances: sharedRows(rebalances),
    limits: plan.limits,
    maxTurnover: plan.maxTurnover,
    ownWeights: plan.ownWeights,
    views: plan.views,
    isSynthetic: tradesSynthetic(provenanceOf(seriesSet.used.values(), usesOf(plan.backtest))),
    spliced: splicedTickers(seriesSet.standIns),
    fingerprint: fingerprintOf(seriesSet.used.values()),
    seed: settings.seed,
  }
}

function tooShort({ windowMonths }: ConstructionRequest, days: Int32Array, limiting: string | undefined): Problem {
  const from = formatDate(days[0]!)
  const to = formatDate(days.at(-1)!)
  const first = limiting === undefined ? '' : ` ${limiting} has the latest first price.`
  return new Problem(
    'invalid',
    'construction.too-short',
    `All tickers have prices from ${from} to ${to}, which is too short for estimates over ${windowMonths} months and a test after them.${first} Begin earlier, shorten the window, or leave a ticker out.`,
  )
}

function refuseWithoutReturns({ tickers, close, days }: PriceTable): void {
  for (const [i, column] of close.entries()) {
    const bar = column.findIndex((price) => price <= 0)
    if (bar < 0) continue
    throw new Problem(
      'invalid',
      'construction.no-returns',
      `${tickers[i]!} cost nothing or less on ${formatDate(days[bar]!)}, from where it has no return to estimate. End before that, or leave it out.`,
    )
  }
}

/** Dividends that are paid in cash count on the day they are paid. */
function totalReturns(close: Column, dividends: Column | undefined): Column {
  const returns = new Float64Array(close.length).fill(Number.NaN)
  for (let bar = 1; bar < close.length; bar++) {
    const paid = dividends?.[bar] ?? 0
    returns[bar] = (close[bar]! + (Number.isFinite(paid) ? paid : 0)) / close[bar - 1]! - 1
  }
  return returns
}

/** What is known at the close of a bar. */
export function estimatesAt(material: ConstructionMaterial, bar: number): Estimates {
  const { returns, window, covariance, conditions, tickers } = material
  const known = returns.map((column) => column.subarray(bar + 1 - window, bar + 1))
  // Shrunk covariances would give it the mean risk of the others.
  const still = known.findIndex((column) => isConstant(column))
  if (still >= 0) {
    const day = formatDate(conditions.table.prices.days[bar]!)
    throw new Problem(
      'invalid',
      'construction.still',
      `The price of ${tickers[still]} did not move in the window before ${day}: it has no risk to weigh. Leave it out.`,
    )
  }
  return estimate(known, covariance, conditions.table.barsPerYear)
}

/** Weights found at each rebalance. Plain data. */
export interface Walk {
  /** By rebalance, by ticker. */
  readonly weights: readonly Float64Array[]
  /** By the estimates of the last bar: what to hold now. */
  readonly current: Float64Array
  /** Rebalances at which the turnover limit left no way to meet the bounds, and the least exchange that meets them was made. */
  readonly overTurnover: number
}

/** Rounding of drifted weights and of the solvers: with a limit of exactly 0 they would find no weights. */
const EXCHANGE_ROUNDING = 1e-6

/** What was decided at a bar. */
interface Held {
  readonly bar: number
  readonly weights: Float64Array
}

/** Finds the weights of one method at each rebalance, from the window before it alone. `reached`: before each of them. */
export function walkMethod(
  material: ConstructionMaterial,
  { id, parameters }: ChosenMethod,
  solver: ConvexSolver,
  reached: (done: number) => void = () => undefined,
): Walk {
  const { rebalances, conditions, limits, maxTurnover, views } = material
  const { days } = conditions.table.prices
  const last = days.length - 1
  const prior = priorOf(material.ownWeights)
  const weights: Float64Array[] = []
  let overTurnover = 0
  const weigh = (bar: number, before: Held | undefined, isNow = false): Float64Array => {
    const estimates = estimatesAt(material, bar)
    const turnover =
      maxTurnover === undefined || id === 'equal' || !before
        ? undefined
        : { held: drifted(material, before, bar), max: maxTurnover }
    const known = views.filter(({ since }) => (since === undefined ? isNow : since <= days[bar]!))
    const found = SOLVE[id]({ estimates, limits, turnover, parameters, prior, views: known, solver })
    if (found) return found
    const nearest = leastTurnover(solver, limits, turnover!.held)
    if (exchanged(nearest, turnover!.held) > turnover!.max + EXCHANGE_ROUNDING) overTurnover++
    return nearest
  }
  rebalances.forEach((bar, i) => {
    reached(i)
    const before = i === 0 ? undefined : { bar: rebalances[i - 1]!, weights: weights[i - 1]! }
    weights.push(weigh(bar, before))
  })
  const end = rebalances.at(-1)!
  const isUpToDate = end === last && views.every(({ since }) => since !== undefined)
  return {
    weights,
    current: isUpToDate ? weights.at(-1)! : weigh(last, { bar: end, weights: weights.at(-1)! }, true),
    overTurnover,
  }
}

/** What the weights of a bar have become by another, trading left out. */
function drifted({ returns }: ConstructionMaterial, before: Held, bar: number): Float64Array {
  const grown = before.weights.map((weight, i) => {
    let value = weight
    for (let at = before.bar + 1; at <= bar; at++) value *= 1 + returns[i]![at]!
    return value
  })
  const sum = grown.reduce((total, value) => total + value, 0)
  return grown.map((value) => value / sum)
}

/** The user's weights where they are a whole portfolio without short positions, else equal ones. */
function priorOf(ownWeights: Float64Array): Float64Array {
  const sum = ownWeights.reduce((total, weight) => total + weight, 0)
  if (sum > 0 && ownWeights.every((weight) => weight >= 0)) return ownWeights.map((weight) => weight / sum)
  return ownWeights.map(() => 1 / ownWeights.length)
}

/** The frontier of the last bar's estimates, and where the tickers lie. In sample: it says nothing about what was earned. */
export interface Frontier {
  readonly day: EpochDay
  readonly points: readonly FrontierPoint[]
  readonly tickers: readonly Omit<FrontierPoint, 'weights'>[]
  readonly shrinkage: number
}

export function frontierOf(material: ConstructionMaterial, solver: ConvexSolver): Frontier {
  const { days } = material.conditions.table.prices
  const estimates = estimatesAt(material, days.length - 1)
  const alone = material.tickers.map((_, own) => Float64Array.from(material.tickers, (_2, i) => (i === own ? 1 : 0)))
  return {
    day: days.at(-1)!,
    points: efficientFrontier(solver, material.limits, estimates, CONSTRUCTION_LIMITS.frontierPoints),
    tickers: alone.map((weights) => {
      const { mean, volatility } = pointOf(weights, estimates)
      return { mean, volatility }
    }),
    shrinkage: estimates.shrinkage,
  }
}

/** Return and volatility a year, by the estimates that the weights were found with. */
export interface FrontierPoint {
  readonly mean: number
  readonly volatility: number
  readonly weights: readonly number[]
}

/**
 * The least volatility for each mean return, from that of the least variance to the largest possible. In sample: the means and
 * risks are those that the weights were chosen by.
 */
export function efficientFrontier(
  solver: ConvexSolver,
  limits: Limits,
  estimates: Estimates,
  points: number,
): FrontierPoint[] {
  const { mean, covariance } = estimates
  const safest = leastVariance(solver, limits, covariance)
  const boldest = solveWithin(solver, limits, { cost: mean.map((value) => -value) })
  if (!safest || !boldest) return []
  const [least, most] = [pointOf(safest, estimates), pointOf(boldest, estimates)]
  if (!(most.mean > least.mean + 1e-9)) return [least]
  const between = Array.from({ length: points - 2 }, (_, i) => {
    const wanted = least.mean + ((most.mean - least.mean) * (i + 1)) / (points - 1)
    const row = { indices: [...mean.keys()], values: mean, lower: wanted, upper: Infinity }
    const weights = leastVariance(solver, limits, covariance, undefined, [row])
    return weights ? [pointOf(weights, estimates)] : []
  })
  return [least, ...between.flat(), most]
}

export const pointOf = (
  weights: Float64Array,
  { mean, covariance }: Pick<Estimates, 'mean' | 'covariance'>,
): FrontierPoint => ({
  mean: weights.reduce((sum, weight, i) => sum + weight * mean[i]!, 0),
  volatility: Math.sqrt(varianceOf([...weights], covariance)),
  weights: [...weights],
})
