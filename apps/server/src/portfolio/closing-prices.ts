import { lastAtOrBefore } from '@tradewright/core/column'
import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { dayStamp, type EpochDay, SECOND } from '@tradewright/core/time'
import type { SeriesFor } from '../market-data/series-for.ts'

/** Raw closes of a day, of the session before where it has none; tickers without one are absent. */
export type ClosingPrices = (request: {
  readonly userId: number
  readonly tickers: readonly string[]
  readonly day: EpochDay
  readonly maySynthetic: boolean
}) => Promise<ReadonlyMap<string, ClosingPrice>>

interface ClosingPrice {
  readonly price: Usd
  /** The price comes from the synthetic sample market. */
  readonly isSynthetic: boolean
}

const CLOSING_DAYS_BEFORE = 10
const MAX_FETCH = 30 * SECOND

export const createClosingPrices =
  (seriesFor: SeriesFor, onFailure: (error: unknown, message: string) => void): ClosingPrices =>
  async ({ userId, tickers, day, maySynthetic }) => {
    if (tickers.length === 0) return new Map()
    const range = { from: dayStamp(day - CLOSING_DAYS_BEFORE), to: dayStamp(day + 1) }
    const request = { userId, tickers, range, granularity: '1d', provider: 'auto', isRealOnly: !maySynthetic } as const
    try {
      const { series, provenance } = await seriesFor(request, AbortSignal.timeout(MAX_FETCH))
      const madeUp = new Set(provenance.filter(({ synthetic }) => synthetic).map(({ ticker }) => ticker))
      return new Map(
        tickers.flatMap((ticker) => {
          const table = series.get(ticker)
          const close = table?.columns['close']?.[lastAtOrBefore(table.timestamps, dayStamp(day))]
          if (close === undefined || !Number.isFinite(close)) return []
          return [[ticker, { price: Decimal.fromNumber(close), isSynthetic: madeUp.has(ticker) }] as const]
        }),
      )
    } catch (error) {
      onFailure(error, 'the closing prices of a statement could not be fetched')
      return new Map()
    }
  }
