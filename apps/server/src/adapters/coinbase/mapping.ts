import type { Granularity } from '@tradewright/core/granularity'
import { SECOND, type UtcMillis } from '@tradewright/core/time'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { pluck } from '../market-data/columns.ts'
import type { CoinbaseCandle } from './schema.ts'

export const toBronze = (
  ticker: string,
  granularity: Granularity,
  candles: readonly CoinbaseCandle[],
  collectedAt: UtcMillis,
): SeriesBlock => ({
  ticker,
  granularity,
  provider: 'coinbase',
  type: 'crypto',
  currency: 'USD',
  collectedAt,
  timestamps: Float64Array.from(candles, ([second]) => second * SECOND),
  columns: {
    low: pluck(candles, (candle) => candle[1]),
    high: pluck(candles, (candle) => candle[2]),
    open: pluck(candles, (candle) => candle[3]),
    close: pluck(candles, (candle) => candle[4]),
    volume: pluck(candles, (candle) => candle[5]),
  },
})
