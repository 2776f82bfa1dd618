import { DAY } from '@tradewright/core/time'
import type { Layer, SeriesTable } from '../series.ts'
import type { SeriesStore, SeriesSummary } from '../series-store.ts'
import type { SeriesQuality } from './series-quality.ts'

/** The report of a whole store, series by series as they are read, so that a large one can show its progress. */
export async function* inspectStore(
  store: SeriesStore,
  layer: Layer,
  inspect: (table: SeriesTable) => Promise<SeriesQuality>,
): AsyncGenerator<SeriesQuality> {
  for (const { ticker, granularity, provider, first, last } of distinctSeries(
    await store.summaries({ layer }),
    layer,
  )) {
    const tables = await store.read({
      layer,
      tickers: [ticker],
      granularity,
      range: { from: first, to: last + DAY },
      categories: [],
      providers: layer === 'gold' ? [] : [provider],
    })
    for (const table of tables) yield await inspect(table)
  }
}

/** In gold a series is one, however many providers it came from. */
function distinctSeries(summaries: readonly SeriesSummary[], layer: Layer): SeriesSummary[] {
  const groups = Map.groupBy(summaries, ({ ticker, granularity, provider }) =>
    JSON.stringify([ticker, granularity, layer === 'gold' ? '' : provider]),
  )
  return [...groups.values()].map(span)
}

const span = (group: readonly SeriesSummary[]): SeriesSummary => ({
  ...group[0]!,
  first: Math.min(...group.map(({ first }) => first)),
  last: Math.max(...group.map(({ last }) => last)),
})
