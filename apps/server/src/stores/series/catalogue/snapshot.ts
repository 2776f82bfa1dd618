import type { LakeFile } from '../parquet/lake-file.ts'

/** The files that make up a store at one moment. */
export interface Snapshot {
  readonly version: number
  readonly files: ReadonlyMap<string, LakeFile>
  /** Files that no new reader asks for, and since when. */
  readonly retired: ReadonlyMap<string, number>
}

export interface Change {
  readonly add: readonly LakeFile[]
  readonly remove: readonly string[]
  readonly at: number
}

export const EMPTY: Snapshot = { version: 0, files: new Map(), retired: new Map() }
