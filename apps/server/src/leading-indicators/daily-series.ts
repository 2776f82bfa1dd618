import { actionCategories, barCategories, observationCategory, releaseCategories } from '@tradewright/core/category'
import type { TimeRange } from '@tradewright/core/time'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import { sampleTickers } from '@tradewright/engine/market/sample/sample-market'
import type { SeriesTable } from '@tradewright/engine/market/series'
import type { ProvidersOf } from '../market-data/providers.ts'
import type { OpenStores } from '../market-data/stores/ports.ts'

export interface DailySeriesDeps {
  readonly stores: OpenStores
  readonly providersOf: ProvidersOf
}

const CATEGORIES = [...barCategories, ...actionCategories, observationCategory, ...releaseCategories]

/** Daily series that a user's default store has, real ones only: made-up rows are made up anew where they are wanted. */
export async function storedTickers({ stores }: DailySeriesDeps, userId: number): Promise<Map<string, number>> {
  const { series } = await stores.defaultOf(userId)
  const summaries = await series.summaries({ layer: 'gold', granularities: ['1d'] })
  const newest = new Map<string, number>()
  for (const { ticker, provider, last } of summaries) {
    if (provider !== SAMPLE_PROVIDER_ID) newest.set(ticker, Math.max(last, newest.get(ticker) ?? last))
  }
  return newest
}

export async function readStored(
  { stores }: DailySeriesDeps,
  userId: number,
  tickers: readonly string[],
  range: TimeRange,
): Promise<SeriesTable[]> {
  const { series } = await stores.defaultOf(userId)
  const tables = await series.read({ layer: 'gold', tickers, granularity: '1d', range, categories: CATEGORIES })
  return tables.filter(({ sources }) => sources.every(({ provider }) => provider !== SAMPLE_PROVIDER_ID))
}

/** Tickers of the sample market, where it is on. */
export async function syntheticTickers({ providersOf }: DailySeriesDeps, userId: number): Promise<readonly string[]> {
  return (await providersOf(userId)).some(({ synthetic }) => synthetic) ? sampleTickers : []
}
