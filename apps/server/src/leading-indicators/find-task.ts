import { Problem } from '@tradewright/core/problem'
import type { TimeRange, UtcMillis } from '@tradewright/core/time'
import type { SeriesTable, SeriesBlock } from '@tradewright/engine/market/series'
import {
  findLeadingIndicators,
  type IndicatorRequest,
  type LeadingIndicators,
} from '@tradewright/engine/optimizer/leading-indicators'
import { actionCategories, barCategories, observationCategory } from '@tradewright/core/category'
import { parseTicker } from '@tradewright/core/ticker'
import { sampleMarket } from '@tradewright/engine/market/sample/sample-market'
import { sampleProvider } from '@tradewright/engine/market/sample/sample-provider'

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

/** Made up once per thread. */
const market = sampleMarket()

const CATEGORIES = [...barCategories, ...actionCategories, observationCategory]

/** Daily series of the sample market as they are known at an instant. Nothing is stored: it is the same whenever asked. */
async function sampleSeries(tickers: readonly string[], range: TimeRange, now: UtcMillis): Promise<SeriesTable[]> {
  const provider = sampleProvider({ now: () => new Date(now) }, market)
  const served = tickers.filter((ticker) => provider.serves(parseTicker(ticker)))
  const request = { tickers: served, granularity: '1d', range, categories: CATEGORIES } as const
  const tables: SeriesTable[] = []
  for await (const result of provider.fetch(request, new AbortController().signal)) {
    if (result.outcome === 'delivered') tables.push(tableOf(result.silver))
  }
  return tables
}

function tableOf({ provider, collectedAt, ...block }: SeriesBlock): SeriesTable {
  const { timestamps } = block
  const source = { provider, rows: timestamps.length, from: timestamps[0]!, last: timestamps.at(-1)!, collectedAt }
  return { ...block, sources: [source] }
}
