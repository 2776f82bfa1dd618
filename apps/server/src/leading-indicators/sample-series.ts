import { actionCategories, barCategories, observationCategory } from '@tradewright/core/category'
import { parseTicker } from '@tradewright/core/ticker'
import type { TimeRange, UtcMillis } from '@tradewright/core/time'
import { sampleMarket } from '@tradewright/engine/market/sample/sample-market'
import { sampleProvider } from '@tradewright/engine/market/sample/sample-provider'
import type { SeriesBlock, SeriesTable } from '@tradewright/engine/market/series'

/** Made up once per thread. */
const market = sampleMarket()

const CATEGORIES = [...barCategories, ...actionCategories, observationCategory]

/** Daily series of the sample market as they are known at an instant. Nothing is stored: it is the same whenever asked. */
export async function sampleSeries(
  tickers: readonly string[],
  range: TimeRange,
  now: UtcMillis,
): Promise<SeriesTable[]> {
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
