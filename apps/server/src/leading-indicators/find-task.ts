import { Problem } from '@tradewright/core/problem'
import type { TimeRange, UtcMillis } from '@tradewright/core/time'
import type { SeriesTable } from '@tradewright/engine/market/series'
import {
  findLeadingIndicators,
  type IndicatorRequest,
  type LeadingIndicators,
} from '@tradewright/engine/optimizer/leading-indicators'
import { sampleSeries } from './sample-series.ts'

/** Stored rows, or a request for made-up ones, which take seconds to make and are made here. */
export type SeriesChoice =
  | { readonly from: 'store'; readonly tables: readonly SeriesTable[] }
  | { readonly from: 'sample'; readonly tickers: readonly string[]; readonly range: TimeRange; readonly now: UtcMillis }

/** A compute task: all correlations of one ticker. */
interface FindPayload {
  readonly request: Omit<IndicatorRequest, 'others'>
  readonly series: SeriesChoice
}

export async function run({ request, series }: FindPayload): Promise<LeadingIndicators> {
  const tables = series.from === 'store' ? series.tables : await sampleSeries(series.tickers, series.range, series.now)
  const byTicker = new Map(tables.map((table) => [table.ticker, table]))
  if (!byTicker.has(request.ticker)) {
    const sentence = `No daily data for ${request.ticker} is stored.`
    throw new Problem('missing', 'leading-indicators.no-data', sentence)
  }
  return findLeadingIndicators({ ...request, others: [...byTicker.keys()] }, { series: byTicker })
}
