import { createHash } from 'node:crypto'
import type { Layer } from '@tradewright/engine/market/series'
import type { ExpectedFile } from './lake-folder.ts'
import type { Run } from '../runs/run.ts'
import type { SeriesKey } from '../runs/series-key.ts'

/** A run as it lies in a file: its words, its place and its bounds. The catalogue of a store is made of these. */
export interface Segment {
  readonly words: SeriesKey
  /** Where it starts in its file. */
  readonly offset: number
  readonly rows: number
  readonly first: number
  readonly last: number
  readonly collectedFirst: number
  readonly collectedLast: number
  readonly hasKnownAt: boolean
  readonly least: number
  readonly greatest: number
  /** A digest of its stamps: most series of a market have the same ones. Zero where none was made. */
  readonly stamps: number
  /** The first and the last change that stored a record of it. Zero where the file does not tell. */
  readonly storedFirst: number
  readonly storedLast: number
  /** Whether its file has these as steps from row to row, and not as they are. */
  readonly hasSteps: boolean
}

/** One Parquet file of a store: the segments of one layer, one behind the other. It never changes once it is there. */
export interface LakeFile extends ExpectedFile {
  readonly layer: Layer
  readonly partition: string
  readonly rows: number
  readonly segments: readonly Segment[]
}

export function segmentsOf(runs: readonly Run[]): Segment[] {
  let offset = 0
  const hasSteps = runs.every(({ column }) => column.storedVersions)
  return runs.map(({ words, column }) => {
    const { timestamps, values, collectedAt, knownAt, storedVersions } = column
    const [collectedFirst, collectedLast] = bounds(collectedAt)
    const [least, greatest] = bounds(values)
    const [storedFirst, storedLast] = storedVersions ? bounds(storedVersions) : [0, 0]
    const segment: Segment = {
      words,
      offset,
      rows: timestamps.length,
      first: timestamps[0]!,
      last: timestamps.at(-1)!,
      collectedFirst,
      collectedLast,
      hasKnownAt: knownAt.some((instant) => !Number.isNaN(instant)),
      least,
      greatest,
      stamps: digestOf(timestamps),
      storedFirst,
      storedLast,
      hasSteps,
    }
    offset += segment.rows
    return segment
  })
}

/** The first 48 bits of a checksum, which a number holds exactly. */
function digestOf({ buffer, byteOffset, byteLength }: Float64Array): number {
  const digest = createHash('sha1')
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest()
  return digest.readUIntBE(0, 6)
}

function bounds(values: Float64Array): [number, number] {
  let [least, greatest] = [values[0]!, values[0]!]
  for (let i = 1; i < values.length; i++) {
    if (values[i]! < least) least = values[i]!
    if (values[i]! > greatest) greatest = values[i]!
  }
  return [least, greatest]
}

/** The written form is rows of values, since a store of thousands of series repeats the names thousands of times. */
type SegmentRow = readonly (string | number)[]

export const writeSegments = (segments: readonly Segment[]): string =>
  JSON.stringify(
    segments.map((segment): SegmentRow => {
      const { ticker, granularity, category, provider, type, currency } = segment.words
      const { rows, first, last, collectedFirst, collectedLast, hasKnownAt, least, greatest, stamps } = segment
      const words = [ticker, granularity, category, provider, type, currency]
      const known = hasKnownAt ? 1 : 0
      const numbers = [rows, first, last, collectedFirst, collectedLast, known, least, greatest, stamps]
      return [...words, ...numbers, segment.storedFirst, segment.storedLast, segment.hasSteps ? 1 : 0]
    }),
  )

export const readSegments = (text: string): Segment[] => segmentsIn(JSON.parse(text) as SegmentRow[])

function segmentsIn(segmentRows: readonly SegmentRow[]): Segment[] {
  let offset = 0
  return segmentRows.map((row) => {
    const [ticker, granularity, category, provider, type, currency] = row as string[]
    const numbers = row.slice(6) as number[]
    const [rows, first, last, collectedFirst, collectedLast, known, least, greatest] = numbers
    const [stamps = 0, storedFirst = 0, storedLast = 0, steps = 0] = numbers.slice(8)
    const segment = {
      words: { ticker, granularity, category, provider, type, currency } as SeriesKey,
      offset,
      rows: rows!,
      first: first!,
      last: last!,
      collectedFirst: collectedFirst!,
      collectedLast: collectedLast!,
      hasKnownAt: known === 1,
      least: least!,
      greatest: greatest!,
      stamps,
      storedFirst,
      storedLast,
      hasSteps: steps === 1,
    }
    offset += segment.rows
    return segment
  })
}
