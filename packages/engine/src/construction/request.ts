import { isFixed } from '@tradewright/core/strategy-kinds'
import {
  CONSTRUCTION_LIMITS,
  type ConstructionMethodId,
  constructionMethodOf,
  type ConstructionRebalance,
  type CovarianceEstimator,
} from '@tradewright/core/construction-catalogue'
import { Problem } from '@tradewright/core/problem'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { CASHX } from '@tradewright/core/ticker-kind'
import type { EpochDay } from '@tradewright/core/time'
import { type BacktestPlan, planBacktest } from '../backtest/plan.ts'
import type { BacktestRequest } from '../backtest/request.ts'
import type { View } from './methods.ts'
import { noLimits, type Limits } from './limits.ts'

export interface ChosenMethod {
  readonly id: ConstructionMethodId
  /** By the keys of the catalogue; what is left out has its default. */
  readonly parameters: Readonly<Record<string, number>>
}

/** The weight that one ticker may have, in percent of the account. */
interface TickerBound {
  readonly ticker: string
  readonly minPct: number
  readonly maxPct: number
}

interface GroupRequest {
  readonly name: string
  readonly tickers: readonly string[]
  readonly minPct: number
  readonly maxPct: number
}

interface ViewRequest {
  readonly ticker: string
  /** Left out: an absolute view. */
  readonly against?: string | undefined
  /** A year; for a view against another ticker, by how much it earns more. */
  readonly expectedPct: number
  readonly confidencePct: number
  /** The first day on which it was held. Left out: it counts today and not in the past. */
  readonly since?: EpochDay | undefined
}

/** Which mix would have been better, found again at each rebalance from what was known then. */
export interface ConstructionRequest {
  /** Fixed percentages of the tickers: the user's own weights, costs and period. */
  readonly backtest: BacktestRequest
  readonly methods: readonly ChosenMethod[]
  readonly covariance: CovarianceEstimator
  readonly windowMonths: number
  readonly rebalance: ConstructionRebalance
  /** The bounds of every ticker that has none of its own. */
  readonly minPct: number
  readonly maxPct: number
  readonly bounds: readonly TickerBound[]
  readonly groups: readonly GroupRequest[]
  /** What one rebalance may exchange, in percent of the account; undefined: no limit. */
  readonly turnoverPct: number | undefined
  readonly views: readonly ViewRequest[]
}

export interface DatedView extends View {
  /** Undefined: it counts for today's weights alone. */
  readonly since: EpochDay | undefined
}

/** A request that makes sense. */
interface ConstructionPlan {
  readonly backtest: BacktestPlan
  /** In alphabetical order, so that no method depends on the order of the form. */
  readonly tickers: readonly string[]
  /** The user's, as fractions; they need not add up to 1. */
  readonly ownWeights: Float64Array
  /** Baseline first, then those that were chosen. */
  readonly methods: readonly ChosenMethod[]
  readonly limits: Limits
  readonly maxTurnover: number | undefined
  readonly views: readonly DatedView[]
}

/** Reads a request; a Problem says in a sentence what is wrong with it. Whether limits can be met is checked by the solver. */
export function planConstruction(request: ConstructionRequest): ConstructionPlan {
  const backtest = planBacktest(request.backtest)
  if (!isFixed(backtest.strategy)) {
    throw invalid('Portfolio construction needs a strategy of type Asset Allocation.')
  }
  if (backtest.settings.granularity !== '1d') throw invalid('Portfolio construction works on daily prices alone.')
  const { allocation } = backtest.strategy
  const tickers = [...backtest.tradedTickers].sort()
  const { min, max } = CONSTRUCTION_LIMITS.tickers
  if (tickers.length < min)
    throw invalid(`Name at least two tickers besides ${CASHX}: with one there is nothing to weigh.`)
  if (tickers.length > max) throw invalid(`${tickers.length} tickers are too many: at most ${max} are allowed.`)
  const { windowMonths, turnoverPct } = request
  const months = CONSTRUCTION_LIMITS.windowMonths
  if (!(windowMonths >= months.min && windowMonths <= months.max)) {
    throw invalid(`The window must have from ${months.min} to ${months.max} months, was ${windowMonths}.`)
  }
  if (turnoverPct !== undefined && !(turnoverPct >= 0 && turnoverPct <= 100)) {
    throw invalid(`The turnover limit must be from 0 to 100%, was ${turnoverPct}%.`)
  }
  const placeOf = (ticker: string, where: string): number => {
    const written = formatTicker(parseTicker(ticker))
    const place = tickers.indexOf(written)
    if (place < 0) throw invalid(`${where} names ${written}, which is not among the tickers.`)
    return place
  }
  return {
    backtest,
    tickers,
    ownWeights: Float64Array.from(tickers, (ticker) => (allocation.get(ticker) ?? 0) / 100),
    methods: methodsOf(request.methods),
    limits: limitsOf(request, tickers.length, placeOf),
    maxTurnover: turnoverPct === undefined ? undefined : turnoverPct / 100,
    views: viewsOf(request.views, tickers.length, placeOf),
  }
}

type PlaceOf = (ticker: string, where: string) => number

function methodsOf(chosen: readonly ChosenMethod[]): ChosenMethod[] {
  const methods = chosen.filter(({ id }) => id !== 'equal')
  if (methods.length === 0) throw invalid('Choose at least one method.')
  const twice = methods.find(({ id }, i) => methods.findIndex((other) => other.id === id) !== i)
  if (twice) throw invalid(`${constructionMethodOf(twice.id).label} is chosen twice.`)
  return [{ id: 'equal', parameters: {} }, ...methods.map(withDefaults)]
}

function withDefaults({ id, parameters }: ChosenMethod): ChosenMethod {
  const { label, parameters: known } = constructionMethodOf(id)
  const stranger = Object.keys(parameters).find((key) => !known.some((one) => one.key === key))
  if (stranger !== undefined) throw invalid(`${label} has no parameter ${stranger}.`)
  const values = known.map((one): [string, number] => {
    const value = parameters[one.key] ?? one.default
    if (!(value >= one.min && value <= one.max)) {
      throw invalid(`${label}: ${one.label} must be from ${one.min} to ${one.max}, was ${value}.`)
    }
    return [one.key, value]
  })
  return { id, parameters: Object.fromEntries(values) }
}

function limitsOf({ minPct, maxPct, bounds, groups }: ConstructionRequest, size: number, placeOf: PlaceOf): Limits {
  const { lower, upper } = noLimits(size)
  checkRange('The weights', minPct, maxPct)
  lower.fill(minPct / 100)
  upper.fill(maxPct / 100)
  for (const { ticker, minPct: least, maxPct: most } of bounds) {
    checkRange(`The weight of ${ticker}`, least, most)
    const place = placeOf(ticker, 'A bound')
    lower[place] = least / 100
    upper[place] = most / 100
  }
  if (groups.length > CONSTRUCTION_LIMITS.groups)
    throw invalid(`At most ${CONSTRUCTION_LIMITS.groups} groups are allowed.`)
  return {
    lower,
    upper,
    groups: groups.map(({ name, tickers, minPct: least, maxPct: most }) => {
      checkRange(`The group ${name}`, least, most)
      const members = [...new Set(tickers.map((ticker) => placeOf(ticker, `The group ${name}`)))]
      if (members.length === 0) throw invalid(`The group ${name} has no tickers.`)
      return { name, members, min: least / 100, max: most / 100 }
    }),
  }
}

function checkRange(what: string, least: number, most: number): void {
  if (!(least >= 0 && most <= 100 && least <= most)) {
    throw invalid(`${what} must lie between a minimum and a maximum from 0 to 100%, not ${least} and ${most}.`)
  }
}

function viewsOf(views: readonly ViewRequest[], size: number, placeOf: PlaceOf): DatedView[] {
  if (views.length > CONSTRUCTION_LIMITS.views) throw invalid(`At most ${CONSTRUCTION_LIMITS.views} views are allowed.`)
  return views.map(({ ticker, against, expectedPct, confidencePct, since }) => {
    const weights = new Float64Array(size)
    weights[placeOf(ticker, 'A view')] = 1
    if (against !== undefined && against.trim() !== '') {
      const other = placeOf(against, 'A view')
      if (weights[other] === 1) throw invalid(`A view compares ${ticker} with itself.`)
      weights[other] = -1
    }
    if (!(Math.abs(expectedPct) <= 1000))
      throw invalid(`A view expects ${expectedPct}%: at most 1000% a year is allowed.`)
    if (!(confidencePct >= 1 && confidencePct <= 99)) {
      throw invalid(`The confidence of a view must be from 1 to 99%, was ${confidencePct}%.`)
    }
    return { weights, expected: expectedPct / 100, confidence: confidencePct / 100, since }
  })
}

const invalid = (sentence: string) => new Problem('invalid', 'construction.request', sentence)
