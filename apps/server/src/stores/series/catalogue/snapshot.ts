import type { Layer } from '@tradewright/engine/market/series'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { LakeFile } from '../parquet/lake-file.ts'

/** The files that make up a store at one moment. */
export interface Snapshot {
  readonly version: number
  readonly files: ReadonlyMap<string, LakeFile>
  /** Files that no new reader asks for, and since when. Those that are kept as history are not among them. */
  readonly retired: ReadonlyMap<string, number>
}

export interface Change {
  readonly add: readonly LakeFile[]
  readonly remove: readonly string[]
  readonly at: number
  /** What is kept of removed records; undefined: what the store held before this change is no longer known. */
  readonly history?:
    | {
        /** Those of the files in `remove` whose records no other file holds. */
        readonly wholeFiles: readonly string[]
        readonly files: readonly LakeFile[]
        readonly rows?: RemovedRows
      }
    | undefined
}

/** A few records that a change removed, packed. */
export interface RemovedRows {
  readonly layer: Layer
  readonly records: number
  readonly data: Buffer
}

/** Removed records of some changes, as one row of the catalogue. */
export interface PackedRow {
  readonly version: number
  readonly firstVersion: number
  readonly records: number
  readonly data: Buffer
}

export const EMPTY: Snapshot = { version: 0, files: new Map(), retired: new Map() }

/** A change of a store and its instant, in milliseconds. */
interface ChangeAt {
  readonly version: number
  readonly at: number
}

/** So many changes are packed into one row at most. */
export const MAX_PACKED_CHANGES = 1_024

/** Differences of versions and instants as JSON, deflated: a daily change takes a byte or two. */
export const packChanges = (changes: readonly ChangeAt[]): Buffer =>
  deflateRawSync(
    JSON.stringify([differences(changes.map(({ version }) => version)), differences(changes.map(({ at }) => at))]),
  )

export function unpackChanges(deflated: Buffer): ChangeAt[] {
  const [versions, instants] = JSON.parse(inflateRawSync(deflated).toString()) as [number[], number[]]
  const at = sums(instants)
  return sums(versions).map((version, i) => ({ version, at: at[i]! }))
}

const differences = (numbers: readonly number[]): number[] => numbers.map((number, i) => number - (numbers[i - 1] ?? 0))

function sums(steps: readonly number[]): number[] {
  let sum = 0
  return steps.map((step) => (sum += step))
}
