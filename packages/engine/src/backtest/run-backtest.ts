import { hasBlocks, learns, receivesSignals } from '@tradewright/core/strategy-kinds'
import { parseTicker } from '@tradewright/core/ticker'
import type { Figure } from '../performance/figure.ts'
import { type CashFlow, moneyWeightedReturn } from '../performance/returns.ts'
import { investedPct, targetWeights } from '../trading/allocation.ts'
import { type AccountRun, runConditions, type RunConditions, runAccount, unmeasurableFlow } from './account-run.ts'
import { analyse } from './analysis.ts'
import { runRules } from './rules-backtest.ts'
import { externalNotes, runExternal } from './external-backtest.ts'
import { dataNotes } from './data-notes.ts'
import { dataSourcesOf } from './data-sources.ts'
import { continuationNote } from './ended-tickers.ts'
import { fingerprintOf } from './fingerprint.ts'
import { priceLevelDays } from './inflation.ts'
import type { Learner } from './learner.ts'
import type { MarketData } from './market-data.ts'
import { backtestMetrics } from './metrics.ts'
import { type MlRun, runMl } from './ml-backtest.ts'
import { accountNotes, notesOf } from './notes.ts'
import { type BacktestPlan, decidesBy, maxInvestedPct, type AllocationPlan, shortTickers } from './plan.ts'
import { endOf, SeriesSet } from './priced-series.ts'
import { helperNotes, provenanceOf, refuseMixedPrices, tradesSynthetic, usesOf } from './provenance.ts'
import { type RunControl, uncontrolled } from './progress.ts'
import { referencePrices, runReference } from './reference.ts'
import type { AccountCurve, BacktestResult, DatedTrade } from './result.ts'
import { needsPriceIndex } from './request.ts'
import { revisedValues, tablesOf } from './revised-values.ts'
import { realReturns, riskFreeReturns } from './risk-free.ts'
import type { RulesResult } from './rules-result.ts'
import { endedOf, periodNotes, runPeriod } from './run-period.ts'
import { simulationTable } from './simulation-table.ts'
import { splicedNotes, splicedTickers } from './stand-ins.ts'

/**
 * Runs a planned backtest on data that was fetched for it. Pure: the same plan, data and learner give the same result to
 * the last digit. `learn` is needed by ML strategies only.
 */
export async function runBacktest(
  plan: BacktestPlan,
  data: MarketData,
  learn: Learner = noLearner,
  control: RunControl = uncontrolled,
): Promise<BacktestResult> {
  const { settings, strategy } = plan
  const seriesSet = new SeriesSet(data, settings)
  const table = simulationTable(seriesSet, plan.tradedTickers, settings)
  refuseMixedPrices(provenanceOf(seriesSet.used.values(), usesOf(plan)), settings.allowMixedPrices)
  const invested = maxInvestedPct(plan)
  const shorts = shortTickers(strategy)
  const conditions = runConditions(seriesSet.lookUp, table, settings, invested > 100 || shorts.length > 0)
  const riskFree = riskFreeReturns(seriesSet, plan.riskFreeTicker, table)
  const yardsticks = { barsPerYear: table.barsPerYear, riskFree: realReturns(riskFree.returns, conditions.deflator) }
  const reference =
    plan.referenceTicker === undefined ? undefined : referencePrices(seriesSet, plan.referenceTicker, conditions)

  const simulatedTables = [...seriesSet.used.values()]

  const run = async (): Promise<StrategyRun> => {
    if (learns(strategy)) return runMl({ plan: strategy, conditions, seriesSet, learn, control, yardsticks, reference })
    const bars = { from: 0, to: table.decisionAt.length }
    if (hasBlocks(strategy)) return { ...runRules(strategy, conditions, seriesSet, control), bars }
    if (receivesSignals(strategy)) return { account: runExternal(strategy, conditions), bars }
    return { account: runAllocation(conditions, strategy), bars }
  }
  const { account, bars, ml, rules } = await run()
  const { days } = account.prices
  const unmeasurable = unmeasurableFlow(account)
  if (unmeasurable) throw unmeasurable
  const { wipedOutAt, wipedOutBy } = account.result
  // Bars after the last dollar was withdrawn are no performance.
  const lived = wipedOutBy === 'withdrawal' ? wipedOutAt! + 1 : days.length
  const ownYardsticks = { ...yardsticks, riskFree: yardsticks.riskFree?.subarray(bars.from, bars.from + lived - 1) }
  const featureTables = tablesOf(decidesBy(strategy), data)
  const series = provenanceOf(seriesSet.used.values(), usesOf(plan))
  const held = reference && runReference(conditions, reference, bars, yardsticks, lived)
  const partial = {
    settings,
    curve: curveOf(account, yardsticks.riskFree?.subarray(bars.from, bars.to - 1)),
    metrics: backtestMetrics(
      days.subarray(0, lived),
      account.growth.subarray(0, lived),
      account.result,
      ownYardsticks,
      held?.growth.subarray(0, lived),
    ),
    analysis: analyse({
      account,
      startValue: settings.startValue,
      lived,
      barsPerYear: table.barsPerYear,
      isReal: conditions.deflator !== undefined,
    }),
    moneyWeightedReturn: moneyWeighted(account, settings.startValue),
    trades: datedTrades(account),
    reference: held,
    ml,
    ...(rules && { rules }),
    actualStart: table.prices.days[0]!,
    limitingTicker: table.limitingTicker,
    riskFree: riskFree.name,
    wipedOut: wipedOutAt === undefined ? undefined : { day: days[wipedOutAt]!, by: wipedOutBy! },
    sources: { features: dataSourcesOf(featureTables, settings), simulation: dataSourcesOf(simulatedTables, settings) },
    revisedValues: revisedValues(featureTables, endOf(settings)),
    series,
    synthetic: tradesSynthetic(series),
    ended: endedOf(seriesSet, plan.tradedTickers, settings),
    // Left out where there is none: an empty list would change the digest of the result.
    ...(seriesSet.standIns.size > 0 && { spliced: splicedTickers(seriesSet.standIns) }),
    fingerprint: fingerprintOf(seriesSet.used.values()),
  }
  return {
    ...partial,
    notes: notesOf(partial, {
      borrowingRate: conditions.borrowingRate,
      investedPct: invested,
      period: periodNotes(runPeriod(seriesSet, plan.tradedTickers, table, settings), settings),
      withoutRate: seriesSet.withoutRate,
      pricesKnown: needsPriceIndex(settings) ? priceLevelDays(seriesSet.lookUp) : undefined,
      idlesInCash: learns(strategy) && investedPct(strategy.sell) < 50,
      helpers: helperNotes(series),
      data: [
        ...splicedNotes(splicedTickers(seriesSet.standIns), days[0]!),
        ...seriesSet.withoutFallback.map(noFallbackNote),
        ...(receivesSignals(strategy) ? externalNotes(strategy, table.decisionAt) : []),
        ...shortNotes(shorts, settings),
        ...accountNotes({ account, settings, riskFree: ownYardsticks.riskFree, reference: held, lived }),
        ...table.continuations.map(continuationNote),
        ...table.notes,
        ...dataNotes(seriesSet.used.values(), settings.from, settings.to),
      ],
    }),
  }
}

const noFallbackNote = (ticker: string): string =>
  `There are no prices for the fallback of ${ticker}: its history is that of ${parseTicker(ticker).symbol} alone.`

const shortNotes = (shorts: readonly string[], { shortBorrowPct }: BacktestPlan['settings']): string[] =>
  shorts.length === 0 || shortBorrowPct === undefined
    ? []
    : [
        `${shorts.join(', ')} may be sold short: borrowed shares cost ${shortBorrowPct} % a year plus their dividends, and ` +
          'the sale proceeds earn nothing.',
      ]

interface StrategyRun extends Pick<MlRun, 'account' | 'bars'> {
  readonly ml?: MlRun['ml']
  readonly rules?: RulesResult
}

const noLearner: Learner = () => Promise.reject(new Error('an ML strategy needs a learner'))

function curveOf({ prices, result, values }: AccountRun, riskFree: Float64Array | undefined): AccountCurve {
  return {
    timestamps: prices.timestamps,
    days: prices.days,
    values,
    nominalValues: result.values,
    cash: result.cash,
    exposure: result.exposure,
    flows: result.flows,
    ...(riskFree && { riskFree }),
  }
}

const datedTrades = ({ prices, result }: AccountRun): DatedTrade[] =>
  result.trades.map(({ bar, ticker, quantity, price, fee }) => ({
    timestamp: prices.timestamps[bar]!,
    ticker,
    quantity,
    price,
    fee,
  }))

function moneyWeighted({ prices, result }: AccountRun, startValue: number): Figure {
  const { days } = prices
  const last = days.length - 1
  const flows: CashFlow[] = []
  result.flows.forEach((flow, bar) => {
    if (flow !== 0) flows.push({ day: days[bar]!, amount: -flow })
  })
  return moneyWeightedReturn([
    { day: days[0]!, amount: -startValue },
    ...flows,
    { day: days[last]!, amount: result.values[last]! },
  ])
}

/** Invested at the close of the first session; flows and rebalances at closes. */
function runAllocation(conditions: RunConditions, { allocation }: AllocationPlan): AccountRun {
  const { prices } = conditions.table
  const weights = targetWeights(allocation, prices.tickers)
  return runAccount(
    conditions,
    prices,
    { from: 0, to: prices.timestamps.length },
    {
      decide: (bar) => (bar === 0 ? weights : undefined),
      fillTiming: 'same_close',
      rebalance: true,
    },
  )
}
