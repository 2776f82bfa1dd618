import { priorCategory, revisionCategory, revisionsCategory, UNKNOWN_RELEASE } from '@tradewright/core/category'
import { HOUR, type UtcMillis } from '@tradewright/core/time'
import { type Frequency, publishedAt } from '@tradewright/engine/market/known-at'
import { takeRows } from '@tradewright/engine/market/layers/rows'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { stampOf, valueOf } from './mapping.ts'
import type { FredObservation } from './schema.ts'

/**
 * FRED gives the day of a release and no hour. Most come at 8:30 in New York and all before the exchange closes, which
 * is at 20:00 or 21:00 UTC: a coin's day, which ends at midnight UTC, must not see them before.
 */
const RELEASE_TIME = 20 * HOUR

interface Release {
  readonly day: UtcMillis
  readonly value: number
}

/** What an observation was published as, oldest first. */
type Releases = ReadonlyMap<UtcMillis, readonly Release[]>

function releasesOf(vintages: readonly FredObservation[]): Releases {
  const releases = new Map<UtcMillis, Release[]>()
  const published = vintages
    .map(({ date, realtime_start, value }) => ({
      stamp: stampOf(date),
      day: stampOf(realtime_start),
      value: valueOf(value),
    }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => a.day - b.day)
  for (const { stamp, day, value } of published) {
    const known = releases.get(stamp) ?? []
    if (known.at(-1)?.value !== value) releases.set(stamp, [...known, { day, value }])
  }
  return releases
}

export interface ReleasedSeries {
  /** First releases, from the day they were published on. */
  readonly silver: SeriesBlock
  readonly revisions: readonly SeriesBlock[]
}

/**
 * The series as it was first published. What was in the oldest vintage of the answer was published some time before FRED
 * began to keep vintages: when, and whether it had been revised by then, is not known, so the lag by frequency decides.
 */
export function asFirstReleased(
  latest: SeriesBlock,
  vintages: readonly FredObservation[],
  frequency: Frequency,
): ReleasedSeries {
  const releases = releasesOf(vintages)
  const archiveStart = Math.min(...[...releases.values()].map(([first]) => first!.day))
  const rows = Array.from(latest.timestamps, (stamp, row) => {
    const own = releases.get(stamp) ?? []
    const [first] = own
    const isRecorded = first !== undefined && first.day > archiveStart
    return {
      value: first?.value ?? latest.columns['value']![row]!,
      knownAt: isRecorded ? first.day + RELEASE_TIME : publishedAt(stamp, frequency),
      revisions: isRecorded ? own.length - 1 : UNKNOWN_RELEASE,
      prior: asOfDay(releases.get(latest.timestamps[row - 1] ?? Number.NaN), first?.day),
      later: own.slice(1),
    }
  })
  const columns = {
    value: Float64Array.from(rows, ({ value }) => value),
    [revisionsCategory]: Float64Array.from(rows, ({ revisions }) => revisions),
    [priorCategory]: Float64Array.from(rows, ({ prior }) => prior),
  }
  const silver = { ...latest, columns, knownAt: Float64Array.from(rows, ({ knownAt }) => knownAt) }
  return {
    silver,
    revisions: revisionBlocks(
      latest,
      rows.map(({ later }) => later),
    ),
  }
}

/** The value that was current on a day; NaN before there was one. */
function asOfDay(releases: readonly Release[] | undefined, day: UtcMillis | undefined): number {
  if (day === undefined) return Number.NaN
  return releases?.findLast((release) => release.day <= day)?.value ?? Number.NaN
}

/** One block per revision, of the observations that were revised so often. */
function revisionBlocks(latest: SeriesBlock, later: readonly (readonly Release[])[]): SeriesBlock[] {
  const most = Math.max(0, ...later.map(({ length }) => length))
  return Array.from({ length: most }, (_, revision) => {
    const rows = [...later.keys()].filter((row) => later[row]!.length > revision)
    const releases = rows.map((row) => later[row]![revision]!)
    return {
      ...takeRows(latest, rows),
      columns: { [revisionCategory(revision + 1)]: Float64Array.from(releases, ({ value }) => value) },
      knownAt: Float64Array.from(releases, ({ day }) => day + RELEASE_TIME),
    }
  })
}

/** The series as it was revised to by now: the download without a key knows nothing else. */
export function asRevised(latest: SeriesBlock, frequency: Frequency): SeriesBlock {
  const knownAt = latest.timestamps.map((stamp) => publishedAt(stamp, frequency))
  // Daily series are quotes and rates of a market: published once, and in more vintages than FRED gives out.
  if (frequency === 'daily') return { ...latest, knownAt }
  const revisions = new Float64Array(latest.timestamps.length).fill(UNKNOWN_RELEASE)
  return { ...latest, columns: { ...latest.columns, [revisionsCategory]: revisions }, knownAt }
}
