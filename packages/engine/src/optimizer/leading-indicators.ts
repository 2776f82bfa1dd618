import { Problem } from '@tradewright/core/problem'
import { isObservation } from '@tradewright/core/ticker-kind'
import { type EpochDay, epochDayOf, formatDate } from '@tradewright/core/time'
import type { MarketData } from '../backtest/market-data.ts'
import { isSynthetic } from '../backtest/provenance.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { defaultSettings } from '../backtest/request.ts'
import { simulationTable } from '../backtest/simulation-table.ts'
import { DecisionRows, featureColumn } from '../features/feature-matrix.ts'
import { planFeature, type PlannedFeature } from '../features/catalogue.ts'
import type { SeriesTable } from '../market/series.ts'
import { adjustPValues } from '../performance/statistics.ts'
import { laggedCorrelation, type LaggedCorrelation } from '../performance/regression.ts'

const crossMetrics = ['pct_change', 'rsi_14', 'sma_5', 'sma_10', 'sma_20', 'volume_ratio', 'volatility_20d'] as const
type CrossMetric = (typeof crossMetrics)[number]

/** Each metric is a feature, so that what is found here can be used there. An average counts as the price over it. */
const FEATURES: Readonly<Record<CrossMetric, { readonly key: string; readonly window: number }>> = {
  pct_change: { key: 'percent_change', window: 1 },
  rsi_14: { key: 'rsi', window: 14 },
  sma_5: { key: 'price_sma_ratio', window: 5 },
  sma_10: { key: 'price_sma_ratio', window: 10 },
  sma_20: { key: 'price_sma_ratio', window: 20 },
  volume_ratio: { key: 'volume_ratio', window: 20 },
  volatility_20d: { key: 'volatility', window: 20 },
}

/** Bars before the period that the slowest metric and the longest lag need, with room for holidays. */
export const warmUpDays = (longestLag: number): number => 45 + Math.ceil(1.6 * longestLag)

export interface IndicatorRequest {
  readonly ticker: string
  readonly others: readonly string[]
  readonly from: EpochDay
  readonly to: EpochDay
  /** In bars of the ticker: 1 is the very next return. */
  readonly lags: readonly number[]
}

export interface LeadingIndicator extends LaggedCorrelation {
  readonly ticker: string
  readonly metric: CrossMetric
  readonly lag: number
  readonly adjustedPValue: number
  readonly synthetic: boolean
  /** As a feature that a model for the next bar could use. */
  readonly feature: {
    readonly id: number
    readonly name: string
    readonly params: Readonly<Record<string, number | string>>
  }
}

export interface LeadingIndicators {
  /** Everything that was tested, strongest first. */
  readonly indicators: readonly LeadingIndicator[]
  readonly period: { readonly from: EpochDay; readonly to: EpochDay }
}

/** Correlates the ticker's returns with what was known of the others so many bars before. */
export function findLeadingIndicators(request: IndicatorRequest, data: MarketData): LeadingIndicators {
  const { ticker, others, from, to, lags } = request
  const settings = { ...defaultSettings, from: from - warmUpDays(Math.max(...lags)), to }
  const seriesSet = new SeriesSet(data, settings)
  const { prices, decisionAt, barsPerYear } = simulationTable(seriesSet, [ticker], settings)
  const first = prices.days.findIndex((day) => day >= from)
  const rows = { from: first, to: prices.days.length }
  if (first < 0 || rows.to - rows.from < 2) throw tooShort(ticker, from, to)
  const [close] = prices.close
  // The return of row t is the one that arrives at its close: known one bar after a decision at t - 1.
  const returns = close!.map((price, row) => (row === 0 ? Number.NaN : price / close![row - 1]! - 1))
  const decisions = new DecisionRows(decisionAt)
  const found = others.flatMap((other) => {
    const table = data.series.get(other)
    if (!table || other === ticker) return []
    return metricsOf(table).flatMap((metric) => {
      const column = metricColumn(planned(metric, other, 0), seriesSet, decisions)
      if (!column) return []
      return lags.flatMap((lag) => {
        const correlation = laggedCorrelation(column, returns, lag, rows, barsPerYear)
        return correlation ? [{ ...correlation, ticker: other, metric, lag, synthetic: isSynthetic(table) }] : []
      })
    })
  })
  const adjusted = adjustPValues(found.map(({ pValue }) => pValue))
  const indicators = found.map((one, i) =>
    Object.assign(one, { adjustedPValue: adjusted[i]!, feature: featureOf(one.metric, one.ticker, one.lag) }),
  )
  indicators.sort((a, b) => Math.abs(b.correlation) - Math.abs(a.correlation))
  return { indicators, period: { from: prices.days[first]!, to: epochDayOf(prices.timestamps.at(-1)!) } }
}

/** One value a day has no volume. */
const metricsOf = ({ type, columns }: SeriesTable): CrossMetric[] =>
  crossMetrics.filter(
    (metric) => metric !== 'volume_ratio' || (!isObservation(type) && columns['volume'] !== undefined),
  )

function planned(metric: CrossMetric, ticker: string, lag: number): PlannedFeature {
  const { key, window } = FEATURES[metric]
  return planFeature({ id: key, params: { ticker, window, lag } })
}

/** A decision at a bar foretells the next one: one bar ahead needs no lag. */
function featureOf(metric: CrossMetric, ticker: string, lag: number): LeadingIndicator['feature'] {
  const { definition, values } = planned(metric, ticker, lag - 1)
  return { id: definition.id, name: definition.name, params: values.toRecord() }
}

function metricColumn(
  feature: PlannedFeature,
  seriesSet: SeriesSet,
  decisions: DecisionRows,
): Float64Array | undefined {
  try {
    return featureColumn(feature, (ticker) => seriesSet.anchored(ticker), decisions)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

const tooShort = (ticker: string, from: EpochDay, to: EpochDay) =>
  new Problem(
    'missing',
    'leading-indicators.no-data',
    `There is no daily data for ${ticker} between ${formatDate(from)} and ${formatDate(to)}.`,
  )
