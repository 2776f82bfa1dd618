import { epochDayOf, SECOND, type UtcMillis } from '@tradewright/core/time'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import { Problem } from '@tradewright/core/problem'
import type { OpenStores } from '../market-data/stores/ports.ts'
import type { StoredSeries, StoredSeriesOf } from './ports.ts'

/** Every key that is typed asks for the list. */
const CACHE_MS = 10 * SECOND
const MAX_USERS = 200

/** A store that cannot be reached has nothing to suggest, which is not worth an error while typing. */
export function storedSeriesOf(stores: OpenStores, now: () => UtcMillis): StoredSeriesOf {
  const cached = new Map<number, { series: Promise<readonly StoredSeries[]>; until: UtcMillis }>()
  const read = async (userId: number): Promise<readonly StoredSeries[]> => {
    try {
      const { series } = await stores.defaultOf(userId)
      const summaries = await series.summaries({ layer: 'gold', granularities: ['1d'] })
      return mergedByTicker(
        summaries
          .filter(({ provider }) => provider !== SAMPLE_PROVIDER_ID)
          .map(({ ticker, provider, first, last }) => ({
            ticker,
            provider,
            first: epochDayOf(first),
            last: epochDayOf(last),
          })),
      )
    } catch (error) {
      if (error instanceof Problem) return []
      throw error
    }
  }
  return (userId) => {
    const known = cached.get(userId)
    if (known && known.until > now()) return known.series
    if (cached.size >= MAX_USERS) cached.clear()
    const series = read(userId)
    cached.set(userId, { series, until: now() + CACHE_MS })
    series.catch(() => cached.delete(userId))
    return series
  }
}

/** A series whose rows came from several providers counts as that of the longest part. */
function mergedByTicker(parts: readonly StoredSeries[]): StoredSeries[] {
  const groups = Map.groupBy(parts, ({ ticker }) => ticker)
  return Array.from(groups.values(), (group) => {
    const main = group.reduce((a, b) => (b.last - b.first > a.last - a.first ? b : a))
    const first = Math.min(...group.map((part) => part.first))
    return { ...main, first, last: Math.max(...group.map((part) => part.last)) }
  })
}
