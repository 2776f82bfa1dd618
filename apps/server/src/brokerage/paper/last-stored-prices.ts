import { Decimal } from '@tradewright/core/decimal'
import { DAY } from '@tradewright/core/time'
import { isSynthetic } from '@tradewright/engine/backtest/provenance'
import { mapBounded } from '../../in-turns.ts'
import type { OpenStores } from '../../market-data/stores/data-store.ts'
import type { KnownPrice, LastStoredPrices } from './ports.ts'

/** Some last rows may lack a close. */
const DAYS_READ = 10
const READ_AT_ONCE = 4

/** The last daily close that the user's default store has of each ticker, however old. */
export const lastStoredPrices =
  (stores: Pick<OpenStores, 'defaultOf'>): LastStoredPrices =>
  async (userId, tickers) => {
    const { series } = await stores.defaultOf(userId)
    const summaries = await series.summaries({ layer: 'gold', tickers, granularities: ['1d'] })
    const last = new Map<string, number>()
    for (const { ticker, last: stamp } of summaries) last.set(ticker, Math.max(stamp, last.get(ticker) ?? stamp))
    const found = await mapBounded([...last], READ_AT_ONCE, async ([ticker, stamp]) => {
      const range = { from: stamp - DAYS_READ * DAY, to: stamp + 1 }
      const [table] = await series.read({
        layer: 'gold',
        tickers: [ticker],
        granularity: '1d',
        range,
        categories: ['close'],
      })
      const close = table?.columns['close']
      const row = close?.findLastIndex((value) => value > 0) ?? -1
      if (!table || !close || row < 0) return []
      const known: KnownPrice = {
        price: Decimal.fromNumber(close[row]!),
        isSynthetic: isSynthetic(table),
        at: table.timestamps[row]!,
      }
      return [[ticker, known] as const]
    })
    return new Map(found.flat())
  }
