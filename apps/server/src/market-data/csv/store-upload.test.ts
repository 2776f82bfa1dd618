import { dateOf } from '@tradewright/core/time'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { expect, it } from 'vitest'
import { slicesOf } from './store-upload.ts'

it('stores a long file in parts that together are the file, its corporate actions once', () => {
  const rows = [0, 1, 2, 3, 4]
  const bronze: SeriesBlock = {
    ticker: 'SPY',
    granularity: '1d',
    provider: 'csv',
    type: 'security',
    currency: 'USD',
    collectedAt: 0,
    timestamps: Float64Array.from(rows, (row) => row * 86_400_000),
    columns: { close: Float64Array.from(rows, (row) => row + 1), split: new Float64Array(5) },
  }
  const silver = { ...bronze, columns: { close: bronze.columns['close']! } }
  const actions = { splits: [{ exDay: dateOf('1970-01-03'), ratio: 2 }], dividends: [] }
  const slices = [...slicesOf({ bronze, silver, actions, notes: [] }, 4)]
  expect(slices.map((slice) => [...slice.silver.columns['close']!])).toEqual([[1, 2], [3, 4], [5]])
  expect(slices.flatMap((slice) => [...slice.bronze.timestamps])).toEqual([...bronze.timestamps])
  expect(slices.map((slice) => slice.actions.splits.length)).toEqual([0, 0, 1])
})
