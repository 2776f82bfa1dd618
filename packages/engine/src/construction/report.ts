import type { Column } from '@tradewright/core/column'
import { type ConstructionMethodId, constructionMethodOf } from '@tradewright/core/construction-catalogue'
import { downsampledPositions } from '@tradewright/core/downsample'
import { deriveSeed, Random } from '@tradewright/core/random'
import type { EpochDay } from '@tradewright/core/time'
import { runAccount } from '../backtest/account-run.ts'
import { type CurveMetrics, curveMetrics } from '../backtest/metrics.ts'
import type { SplicedTicker } from '../backtest/stand-ins.ts'
import { adjustPValues } from '../performance/statistics.ts'
import { type Figure, isAvailable } from '../performance/figure.ts'
import { excessReturns, simpleReturns } from '../performance/returns.ts'
import { turnover } from '../performance/trading-activity.ts'
import { drawRows } from '../robustness/paths.ts'
import { totalsOf } from '../trading/trade-log.ts'
import {
  type FrontierPoint,
  pointOf,
  type ConstructionMaterial,
  estimatesAt,
  type Frontier,
  type Walk,
} from './walk-forward.ts'

/** How a portfolio did on bars that its weights did not know. */
interface ConstructedPortfolio {
  /** A method, or the user's own weights. */
  readonly id: ConstructionMethodId | 'own'
  readonly label: string
  readonly metrics: CurveMetrics
  readonly turnover: Figure
  /** Dollars of the starting value. */
  readonly fees: number
  /** What one dollar became, on the days of the report. */
  readonly growth: readonly number[]
  /** By rebalance, by ticker, as fractions. */
  readonly weights: readonly (readonly number[])[]
  readonly current: readonly number[]
  /** Figures of the current weights by today's estimates: in sample. */
  readonly expected: Omit<FrontierPoint, 'weights'>
  readonly overTurnover: number
  /**
   * The chance to be better than equal weights; null for these themselves, and where one of both has no Sharpe ratio.
   */
  readonly chance: Chance | null
}

interface Chance {
  /** Sharpe ratio less that of equal weights, a year. */
  readonly difference: number
  /** Adjusted for the number of portfolios that were compared. */
  readonly pValue: number
  readonly isMoreThanChance: boolean
  readonly sentence: string
}

export interface ConstructionReport {
  readonly tickers: readonly string[]
  readonly startValue: number
  /** First and last day of the test; estimates use the days before. */
  readonly firstPrice: EpochDay
  readonly from: EpochDay
  readonly to: EpochDay
  readonly window: number
  readonly bars: number
  /** The days of the curves. */
  readonly days: readonly EpochDay[]
  readonly rebalanceDays: readonly EpochDay[]
  readonly portfolios: readonly ConstructedPortfolio[]
  readonly frontier: Frontier
  readonly riskFree: string
  readonly isSynthetic: boolean
  readonly spliced: readonly SplicedTicker[]
  readonly fingerprint: string
  readonly seed: number
}

const CHART_POINTS = 400

interface Curve {
  readonly returns: Column
  readonly portfolio: Omit<ConstructedPortfolio, 'chance'>
}

/** Trades the weights of every walk by the simulation of backtests, and measures them side by side. */
export function reportConstruction(
  material: ConstructionMaterial,
  walks: readonly { readonly id: ConstructionMethodId; readonly walk: Walk }[],
  frontier: Frontier,
): ConstructionReport {
  const { conditions, rebalances, tickers, ownWeights } = material
  const { days } = conditions.table.prices
  const first = rebalances[0]!
  const positions = downsampledPositions(days.length - first, CHART_POINTS)
  const curves = walks.map(({ id, walk }) => curveOf(material, id, constructionMethodOf(id).label, walk, positions))
  if (ownWeights.some((weight) => weight !== 0)) {
    const weights = Array.from(rebalances, () => ownWeights)
    curves.push(curveOf(material, 'own', 'Your weights', { weights, current: ownWeights, overTurnover: 0 }, positions))
  }
  const chances = chancesOf(material, curves)
  return {
    tickers,
    startValue: conditions.settings.startValue,
    firstPrice: days[0]!,
    from: days[first]!,
    to: days.at(-1)!,
    window: material.window,
    bars: days.length - first,
    days: positions.map((at) => days[first + at]!),
    rebalanceDays: Array.from(rebalances, (bar) => days[bar]!),
    portfolios: curves.map(({ portfolio }, i) => Object.assign(portfolio, { chance: chances[i]! })),
    frontier,
    riskFree: material.riskFreeName,
    isSynthetic: material.isSynthetic,
    spliced: material.spliced,
    fingerprint: material.fingerprint,
    seed: material.seed,
  }
}

function curveOf(
  material: ConstructionMaterial,
  id: ConstructedPortfolio['id'],
  label: string,
  walk: Walk,
  positions: readonly number[],
): Curve {
  const { conditions, rebalances, riskFree } = material
  const { prices, barsPerYear } = conditions.table
  const [from, to] = [rebalances[0]!, prices.days.length]
  const placeOf = new Map(Array.from(rebalances, (bar, i) => [bar - from, i]))
  const account = runAccount(
    conditions,
    prices,
    { from, to },
    {
      decide: (bar) => walk.weights[placeOf.get(bar) ?? -1],
      fillTiming: conditions.settings.fillTiming,
      rebalance: false,
    },
  )
  const { days } = account.prices
  const { trades, values } = account.result
  // The first purchase is filled a bar after the first decision where orders wait for the next open or close.
  const exchanges = trades.filter(({ bar }) => bar > trades[0]!.bar)
  const free = riskFree?.subarray(from, to - 1)
  const { mean, volatility } = pointOf(Float64Array.from(walk.current), estimatesAt(material, to - 1))
  return {
    returns: excessReturns(simpleReturns(account.growth), free ?? 0),
    portfolio: {
      id,
      label,
      metrics: curveMetrics(days, account.growth, { barsPerYear, riskFree: free }),
      turnover: turnover(exchanges, values, days.at(-1)! - days[0]!),
      fees: totalsOf(trades).fees,
      growth: positions.map((at) => account.growth[at]!),
      weights: walk.weights.map((weights) => [...weights]),
      current: [...walk.current],
      expected: { mean, volatility },
      overTurnover: walk.overTurnover,
    },
  }
}

const RESAMPLES = 1000
/** Bars: about a month, so that neighbours that move alike stay together. */
const MEAN_BLOCK = 21
const SIGNIFICANT = 0.05

/**
 * Whether the Sharpe ratio differs from that of equal weights by more than chance brings about: both are drawn again together by
 * the stationary bootstrap, and the share of drawn differences that lie at least as far from the found one as this lies from 0
 * is the p-value (Ledoit and Wolf, "Robust performance hypothesis testing with the Sharpe ratio", 2008, without studentizing).
 */
function chancesOf(material: ConstructionMaterial, curves: readonly Curve[]): (Chance | null)[] {
  const base = curves.findIndex(({ portfolio }) => portfolio.id === 'equal')
  const bars = curves[base]!.returns.length
  const found = curves.map(({ returns }) => ratioOf(returns))
  const beyond = new Float64Array(curves.length)
  const random = new Random(deriveSeed(material.seed, 0x6d6978))
  const drawn = new Int32Array(bars)
  for (let i = 0; i < RESAMPLES; i++) {
    drawRows(random, bars, MEAN_BLOCK, drawn)
    const ratios = curves.map(({ returns }) => ratioOf(returns, drawn))
    ratios.forEach((ratio, k) => {
      const [difference, moved] = [found[k]! - found[base]!, ratio - ratios[base]!]
      if (Math.abs(moved - difference) >= Math.abs(difference)) beyond[k]!++
    })
  }
  const hasRatio = ({ portfolio }: Curve) => isAvailable(portfolio.metrics.sharpe)
  const compared = curves.flatMap((curve, k) => (k !== base && hasRatio(curve) && hasRatio(curves[base]!) ? [k] : []))
  const adjusted = adjustPValues(compared.map((k) => (beyond[k]! + 1) / (RESAMPLES + 1)))
  const perYear = Math.sqrt(material.conditions.table.barsPerYear)
  return curves.map((_, k) => {
    const at = compared.indexOf(k)
    if (at < 0) return null
    return chanceOf((found[k]! - found[base]!) * perYear, adjusted[at]!)
  })
}

/** A year. A smaller difference of Sharpe ratios is written as none, whatever its p-value. */
const WORTH_TELLING = 0.005

function chanceOf(difference: number, pValue: number): Chance {
  if (Math.abs(difference) < WORTH_TELLING) {
    return { difference, pValue, isMoreThanChance: false, sentence: 'The same Sharpe ratio as equal weights.' }
  }
  const isMoreThanChance = pValue < SIGNIFICANT
  const size = Math.abs(difference).toFixed(2)
  const side = difference < 0 ? 'below' : 'above'
  const verdict = isMoreThanChance ? 'more than chance alone brings about' : 'no more than chance alone brings about'
  return {
    difference,
    pValue,
    isMoreThanChance,
    sentence: `Sharpe ratio ${size} ${side} equal weights: ${verdict} (p ${pValue < 0.01 ? '< 0.01' : `= ${pValue.toFixed(2)}`}).`,
  }
}

/** Mean over deviation, per bar; 0 where nothing varies. */
function ratioOf(returns: Column, rows?: Int32Array): number {
  const count = returns.length
  let [sum, squares] = [0, 0]
  for (let i = 0; i < count; i++) {
    const value = returns[rows ? rows[i]! : i]!
    sum += value
    squares += value * value
  }
  const mean = sum / count
  const variance = (squares - count * mean * mean) / (count - 1)
  return variance > 0 ? mean / Math.sqrt(variance) : 0
}
