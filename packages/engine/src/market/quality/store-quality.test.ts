import { DAY } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { rowsInRange } from '../layers/rows.ts'
import { memorySeriesStore } from '../memory-store/memory-series-store.ts'
import { dailyBlock } from '../test-support/series-store-suite.ts'
import { inspectSeries, inspectStore } from './series-quality.ts'

it('reports each series once, a gold one of two providers as a whole', async () => {
  const store = memorySeriesStore()
  const coin = dailyBlock('BTC-USD', [1, 1, 1, 1, 1, 1], { type: 'crypto' })
  const [first, last] = [coin.timestamps[0]!, coin.timestamps.at(-1)!]
  await store.write('gold', [
    rowsInRange(coin, { from: first, to: first + 2 * DAY }),
    { ...rowsInRange(coin, { from: first + 3 * DAY, to: last + DAY }), provider: 'coinbase' },
    dailyBlock('KO', [50, 51]),
  ])
  const report = await Array.fromAsync(inspectStore(store, 'gold', async (table) => inspectSeries(table, last + DAY)))
  expect(report.map(({ ticker, rows, missingRows }) => [ticker, rows, missingRows])).toEqual([
    ['BTC-USD', 5, 1],
    ['KO', 2, 0],
  ])
  expect(report[0]?.providers.toSorted()).toEqual(['coinbase', 'yahoo'])
})
