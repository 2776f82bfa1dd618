import { wordAt } from '@tradewright/core/column'
import { expect, it } from 'vitest'
import { toRecordColumns } from './record-columns.ts'
import { dailyBlock } from './test-support/series-store-suite.ts'

it('makes one row per value, with every word stored once', () => {
  const columns = { close: Float64Array.of(1, 2), volume: Float64Array.of(Number.NaN, 20) }
  const knownAt = Float64Array.of(5, 6)
  const records = toRecordColumns([dailyBlock('AAPL', [1, 2], { columns }), dailyBlock('KO', [3], { knownAt })])
  const rows = Array.from({ length: records.rowCount }, (_, i) => [
    wordAt(records.ticker, i),
    wordAt(records.category, i),
    records.value[i],
    records.knownAt[i],
  ])
  expect(rows).toEqual([
    ['AAPL', 'close', 1, Number.NaN],
    ['AAPL', 'close', 2, Number.NaN],
    ['AAPL', 'volume', 20, Number.NaN],
    ['KO', 'close', 3, 5],
  ])
  expect(records.ticker.words).toEqual(['AAPL', 'KO'])
})
