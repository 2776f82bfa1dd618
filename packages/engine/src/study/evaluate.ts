import { hasBlocks } from '@tradewright/core/strategy-kinds'
import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import type { StudyMeasure } from '@tradewright/core/rules/study'
import type { RulesTree } from '@tradewright/core/rules/tree'
import {
  type AccountRun,
  unmeasurableFlow,
  runAccount,
  runConditions,
  type RunConditions,
} from '../backtest/account-run.ts'
import { withStart } from '../backtest/metrics.ts'
import { cagr, simpleReturns, excessReturns } from '../performance/returns.ts'
import {
  calmar,
  sharpe,
  sharpePerPeriodOf,
  type TrackRecord,
  trackRecordOf,
} from '../performance/risk-adjusted-return.ts'
import { maxDrawdown } from '../performance/drawdown.ts'
import { type Figure, isAvailable } from '../performance/figure.ts'
import { plannedVariant, type StudyRequest } from './plan.ts'
import type { MarketData } from '../backtest/market-data.ts'
import { planBacktest, shortTickers } from '../backtest/plan.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { provenanceOf, refuseMixedPrices, tradesSynthetic, usesOf } from '../backtest/provenance.ts'
import { RulesAccounts } from '../backtest/rules-accounts.ts'
import { realReturns, riskFreeReturns } from '../backtest/risk-free.ts'
import { simulationTable } from '../backtest/simulation-table.ts'
import { isConstant, sampleDeviation } from '../performance/statistics.ts'

/** Null where a figure has no value. */
export type StudyFigures = Readonly<Record<StudyMeasure, number | null>>

export interface VariantFigures {
  readonly inSample: StudyFigures
  /** Null where nothing is held back. */
  readonly holdOut: StudyFigures | null
  /** Per bar of the in-sample part: of the returns over those of holding, both at a volatility of one. */
  readonly activeSharpe: number | null
}

/** Figures, or the sentence that says why there are none. */
export type VariantResult = VariantFigures | { readonly problem: string }

/** Runs one variant by the functions of a rule backtest. Pure: the same on every thread. */
export function evaluateVariant(market: StudyMarket, tree: RulesTree): VariantResult {
  const account = variantAccount(market, tree)
  if (account instanceof Problem) return { problem: account.message }
  const active = activeReturns(market, account)
  return { ...figuresOf(market, account), activeSharpe: (active && sharpePerPeriodOf(active)) ?? null }
}

/** Valid until the next variant is run. */
export function variantAccount(market: StudyMarket, tree: RulesTree): AccountRun | Problem {
  const planned = plannedVariant(market, tree)
  if (planned instanceof Problem) return planned
  const { strategy } = planned
  if (!hasBlocks(strategy)) throw new Error('a variant of rules is rules')
  const account = market.accounts.run(strategy.program)
  const unmeasurable = unmeasurableFlow(account)
  if (unmeasurable) return unmeasurable
  if (account.result.wipedOutBy !== 'withdrawal') return account
  return new Problem('invalid', 'study.withdrawn', 'The withdrawals used up the account.')
}

/** In-sample and hold-out of one run: decisions never look ahead, so the first part is the same without the second. */
export function figuresOf(market: StudyMarket, account: AccountRun): Omit<VariantFigures, 'activeSharpe'> {
  const { holdOutBar } = market
  const bars = account.growth.length
  return {
    inSample: figuresOver(market, account, { from: 0, to: holdOutBar }),
    // From the last close before it, so that its first return counts.
    holdOut: holdOutBar < bars ? figuresOver(market, account, { from: holdOutBar - 1, to: bars }) : null,
  }
}

function figuresOver(
  { barsPerYear, riskFree }: StudyMarket,
  { growth, prices }: AccountRun,
  { from, to }: { from: number; to: number },
): StudyFigures {
  const start = from === 0 ? 1 : growth[from]!
  // Nothing was left to earn with.
  if (!(start > 0)) return { sharpe: null, cagr: null, calmar: null, maxDrawdown: null }
  const part = new Float64Array(to - from)
  for (let i = 0; i < part.length; i++) part[i] = growth[from + i]! / start
  const days = prices.days[to - 1]! - prices.days[from]!
  const yearly = cagr(part.at(-1) ?? 1, days)
  const deepest = maxDrawdown(withStart(part)).depth
  const free = riskFree?.subarray(from, to - 1)
  return {
    sharpe: valueOrNull(sharpe(simpleReturns(part), { periodsPerYear: barsPerYear, ...(free && { riskFree: free }) })),
    cagr: valueOrNull(yearly),
    calmar: valueOrNull(calmar(yearly, deepest)),
    maxDrawdown: deepest,
  }
}

const valueOrNull = (figure: Figure): number | null => (isAvailable(figure) ? figure : null)

/**
 * In-sample returns over those of holding, both brought to the same volatility, so that its Sharpe ratio asks whether the
 * variant has the better one: what the tickers earn by themselves is no merit of the rules, and less risk is one.
 */
function activeReturns({ holdingExcess, riskFree, holdOutBar }: StudyMarket, account: AccountRun): Column | undefined {
  if (!holdingExcess) return undefined
  const active = scaledExcess(account, riskFree, holdOutBar)
  if (active) for (let step = 0; step < active.length; step++) active[step]! -= holdingExcess[step]!
  return active
}

export function activeRecord(market: StudyMarket, account: AccountRun): TrackRecord | undefined {
  const active = activeReturns(market, account)
  return active && trackRecordOf(active)
}

/** What every variant of a study is run on: prices, bars, costs and the account that only holds. */
export interface StudyMarket {
  readonly request: StudyRequest
  readonly accounts: RulesAccounts
  readonly conditions: RunConditions
  readonly barsPerYear: number
  readonly riskFree: Column | undefined
  readonly riskFreeName: string
  readonly isSynthetic: boolean
  /** The first bar of the hold-out; the number of bars where nothing is held back. */
  readonly holdOutBar: number
  /** Equal parts of everything that the rules may hold, divided anew as the settings say; undefined for cash alone. */
  readonly holding: AccountRun | undefined
  /** The in-sample returns of holding over the risk-free rate, at a volatility of one; undefined where they do not vary. */
  readonly holdingExcess: Column | undefined
}

export function prepareStudy(request: StudyRequest, data: MarketData): StudyMarket {
  const plan = planBacktest(request.backtest)
  const { settings, strategy, tradedTickers } = plan
  const seriesSet = new SeriesSet(data, settings)
  const table = simulationTable(seriesSet, tradedTickers, settings)
  const series = provenanceOf(seriesSet.used.values(), usesOf(plan))
  refuseMixedPrices(series, settings.allowMixedPrices)
  const conditions = runConditions(seriesSet.lookUp, table, settings, shortTickers(strategy).length > 0)
  const { returns, name } = riskFreeReturns(seriesSet, plan.riskFreeTicker, table)
  const bars = table.prices.timestamps.length
  const riskFree = realReturns(returns, conditions.deflator)
  const holdOutBar = bars - Math.floor((bars * request.holdOutPct) / 100)
  const holding = tradedTickers.length === 0 ? undefined : holdingOf(conditions)
  return {
    request,
    accounts: new RulesAccounts(conditions, seriesSet),
    conditions,
    barsPerYear: table.barsPerYear,
    riskFree,
    riskFreeName: name,
    isSynthetic: tradesSynthetic(series),
    holdOutBar,
    holding,
    holdingExcess: holding && scaledExcess(holding, riskFree, holdOutBar),
  }
}

/** In-sample returns over the risk-free rate, brought to a deviation of one; undefined where they do not vary. */
function scaledExcess({ growth }: AccountRun, riskFree: Column | undefined, holdOutBar: number): Column | undefined {
  const returns = simpleReturns(growth.subarray(0, holdOutBar))
  const excess = excessReturns(returns, riskFree?.subarray(0, holdOutBar - 1) ?? 0)
  if (isConstant(excess)) return undefined
  const deviation = sampleDeviation(excess)
  for (let step = 0; step < excess.length; step++) excess[step]! /= deviation
  return excess
}

function holdingOf(conditions: RunConditions): AccountRun {
  const { prices } = conditions.table
  const weights = new Float64Array(prices.tickers.length).fill(1 / prices.tickers.length)
  return runAccount(
    conditions,
    prices,
    { from: 0, to: prices.timestamps.length },
    {
      decide: (bar) => (bar === 0 ? weights : undefined),
      fillTiming: 'same_close',
      rebalance: true,
      withoutStop: true,
    },
  )
}
