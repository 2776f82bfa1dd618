import { dateOf, DAY, dayStamp } from '@tradewright/core/time'
import { noActions } from '@tradewright/engine/market/corporate-actions'
import { memorySeriesStore } from '@tradewright/engine/market/memory-store/memory-series-store'
import type { MarketDataProvider, TickerResult } from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { expect, it } from 'vitest'
import { collect, type Covered } from './collect.ts'

const first = dayStamp(dateOf('2026-03-02'))
const range = { from: first, to: first + 5 * DAY }

const blockOf = (from: number, rows: number): SeriesBlock => ({
  ticker: 'AAPL',
  granularity: '1d',
  provider: 'paged',
  type: 'security',
  currency: 'USD',
  collectedAt: first,
  timestamps: Float64Array.from({ length: rows }, (_, row) => first + (from + row) * DAY),
  columns: { close: new Float64Array(rows).fill(10) },
})

function delivered(from: number, rows: number, isPart: boolean): TickerResult {
  const block = blockOf(from, rows)
  const result = { outcome: 'delivered', ticker: 'AAPL', bronze: block, silver: block, actions: noActions } as const
  return { ...result, refused: [], ...(isPart ? { isPart: true } : {}) }
}

function providerOf(results: readonly TickerResult[]): MarketDataProvider {
  return {
    id: 'paged',
    displayName: 'Paged',
    providerType: 'custom',
    isCustom: true,
    requiresAuth: false,
    synthetic: false,
    limits: { maxTickerBatch: 1, history: { '1d': {} }, supportedCategories: ['close'], bulkMode: false },
    serves: () => true,
    async *fetch() {
      yield* results
    },
  }
}

it('stores the parts of a ticker as one: all rows, one outcome, covered up to the newest row', async () => {
  const series = memorySeriesStore()
  const covered: Covered[] = []
  const outcomes: string[] = []
  const fetched: [number, boolean][] = []
  const coverage = {
    find: async () => [],
    add: async (_store: number, _provider: string, _granularity: string, more: readonly Covered[]) =>
      void covered.push(...more),
    forget: async () => {},
  }
  await collect(
    { coverage, now: () => range.to },
    { id: 1, name: 'System Storage', series },
    // The newest rows come first, so the last part is not the one that reaches furthest.
    providerOf([delivered(2, 2, true), delivered(0, 2, false)]),
    { tickers: ['AAPL'], granularity: '1d', range, categories: ['close'] },
    new AbortController().signal,
    {
      onFetched: (_ticker, records, isPart) => fetched.push([records, isPart]),
      onOutcome: ({ ticker }) => outcomes.push(ticker),
    },
  )
  expect(await series.counts()).toEqual({ bronze: 4, silver: 4, gold: 4 })
  expect(outcomes).toEqual(['AAPL'])
  expect(fetched).toEqual([
    [2, true],
    [2, false],
  ])
  expect(covered).toEqual([{ ticker: 'AAPL', range: { from: range.from, to: first + 3 * DAY + 1 } }])
})
