import type { Layer } from '@tradewright/engine/market/series'
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
