import type { AvailableData, SeriesSummary } from '@tradewright/engine/market/series-store'
import type { LakeFile, Segment } from './lake-file.ts'
import { type LakeReader, readRuns } from './read-runs.ts'
import { segmentsOf } from './lake-file.ts'
import { isInside, type Selection, wantedSegments } from './selection.ts'
import type { SeriesKey } from '../runs/series-key.ts'

/** From the segments alone: no data file is opened. */
export function availableIn(files: readonly LakeFile[]): AvailableData {
  const segments = files.flatMap((file) => file.segments)
  const distinct = <K extends keyof SeriesKey>(name: K): SeriesKey[K][] =>
    [...new Set(segments.map(({ words }) => words[name]))].sort()
  return {
    tickers: distinct('ticker'),
    categories: distinct('category'),
    providers: distinct('provider'),
    granularities: distinct('granularity'),
    stamps: segments.length === 0 ? undefined : { min: least(segments, 'first'), max: greatest(segments, 'last') },
  }
}

/** Segments cut to the selection's range; only those that lie across its border are read from their files. */
export async function selectSegments(reader: LakeReader, selection: Selection): Promise<Segment[]> {
  const { range, isWanted } = selection
  const whole = wantedSegments(selection)
  if (!range || whole.every((segment) => isInside(segment, range))) return whole
  const crossing = selection.files.filter(({ segments }) =>
    segments.some((segment) => isWanted(segment.words) && !isInside(segment, range)),
  )
  const uncut = selection.files.filter((file) => !crossing.includes(file))
  const runs = await readRuns(reader, { ...selection, files: crossing })
  return [...wantedSegments({ ...selection, files: uncut }), ...segmentsOf(runs)]
}

export function summarise(segments: readonly Segment[]): SeriesSummary[] {
  const groups = Map.groupBy(segments, ({ words: { ticker, granularity, provider } }) =>
    JSON.stringify([ticker, granularity, provider]),
  )
  return [...groups.values()].map((group) => {
    const { ticker, type, granularity, provider } = group[0]!.words
    return {
      ticker,
      type,
      granularity,
      provider,
      categories: [...new Set(group.map(({ words }) => words.category))].sort(),
      records: recordsIn(group),
      first: least(group, 'first'),
      last: greatest(group, 'last'),
      collectedAt: greatest(group, 'collectedLast'),
    }
  })
}

export const recordsIn = (counted: readonly { readonly rows: number }[]): number =>
  counted.reduce((sum, { rows }) => sum + rows, 0)

const least = (segments: readonly Segment[], name: 'first' | 'least' | 'collectedFirst'): number =>
  segments.reduce((found, segment) => Math.min(found, segment[name]), Number.POSITIVE_INFINITY)

const greatest = (segments: readonly Segment[], name: 'last' | 'greatest' | 'collectedLast'): number =>
  segments.reduce((found, segment) => Math.max(found, segment[name]), Number.NEGATIVE_INFINITY)
