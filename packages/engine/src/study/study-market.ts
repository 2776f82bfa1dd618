import type { Column } from '@tradewright/core/column'
import { type AccountRun, runAccount, runConditions, type RunConditions } from '../backtest/account-run.ts'
import type { MarketData } from '../backtest/market-data.ts'
import { planBacktest, shortTickers } from '../backtest/plan.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { provenanceOf, refuseMixedPrices, tradesSynthetic, usesOf } from '../backtest/provenance.ts'
import { RulesAccounts } from '../backtest/rules-accounts.ts'
import { realReturns, riskFreeReturns } from '../backtest/risk-free.ts'
import { simulationTable } from '../backtest/simulation-table.ts'
import { isConstant, sampleDeviation } from '../performance/moments.ts'
import { excessReturns, simpleReturns } from '../performance/returns.ts'
import type { StudyRequest } from './request.ts'

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
export function scaledExcess(
  { growth }: AccountRun,
  riskFree: Column | undefined,
  holdOutBar: number,
): Column | undefined {
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
