import { createHash, randomUUID } from 'node:crypto'
import type { Layer } from '@tradewright/engine/market/series'
import { Problem } from '@tradewright/core/problem'
import type { Run, SeriesKey } from '../runs.ts'
import type { ChecksumName, ContainedFolder } from '../contained-folder.ts'

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

/** The catalogue's marks of a file, so that a damaged or foreign one is noticed before DuckDB reads it. */
interface FileMarks {
  readonly bytes: number
  /** `crc32:` or `sha256:` and its digits. */
  readonly checksum: string
}

export interface ExpectedFile extends FileMarks {
  readonly path: string
}

/** A new file that only its writer knows. */
export interface Scratch {
  readonly path: string
  /** Its absolute name, for DuckDB. */
  readonly localName: string
}

/**
 * Where a store's files lie: a folder of this machine, or a bucket somewhere. Paths are relative, with `/`.
 * DuckDB reads and writes local files only, so a bucket keeps copies; files never change, so a copy never ages.
 */
export interface LakeFolder {
  /**
   * Runs `work` with the local names of the files, in the same order; they stay while it runs. Throws `MissingFile` or
   * a Problem that names a damaged one.
   */
  reading<T>(files: readonly ExpectedFile[], work: (localNames: string[]) => Promise<T>): Promise<T>
  /** Compares the files with their marks again when they are next read. */
  distrust(files: readonly ExpectedFile[]): void
  scratch(): Promise<Scratch>
  /** Makes a written file durable under its path. */
  publish(scratch: Scratch, path: string): Promise<FileMarks>
  /** Gives up a file that was not published. */
  discard(scratch: Scratch): Promise<void>
  /** Files that are not there are not missed. */
  remove(paths: readonly string[]): Promise<void>
  /** Removes local leftovers of writers that died. */
  sweepScratch(olderThan: number): Promise<void>
}

/** A file that a newer version of the store has replaced and removed: reading again, with that version, will do. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile'
  readonly path: string

  constructor(path: string) {
    super(`the file ${path} is missing`)
    this.path = path
  }
}

/** Part of the store's own folder, so that renaming never crosses a file system. */
const SCRATCH = '.scratch'

interface VerifiedFile {
  readonly identity: string
  /** Its absolute name, for DuckDB. */
  readonly localName: string
}

/**
 * Files of a folder that are compared with what the catalogue says of them: each once in a process, and again only if
 * it was touched since.
 */
export class VerifiedFiles {
  readonly folder: ContainedFolder
  readonly #algorithm: ChecksumName
  readonly #seen = new Map<string, VerifiedFile>()

  constructor(folder: ContainedFolder, algorithm: ChecksumName) {
    this.folder = folder
    this.#algorithm = algorithm
  }

  async find({ path, bytes, checksum }: ExpectedFile): Promise<VerifiedFile | 'missing' | 'damaged'> {
    const state = await this.folder.state(path)
    if (!state) return 'missing'
    const seen = this.#seen.get(path)
    if (seen?.identity === state.identity) return seen
    const localName = await this.folder.at(path)
    // A mark of another kind is weaker than what this folder asks for.
    if (state.bytes !== bytes || (await this.#checksumOf(path)) !== checksum) return 'damaged'
    const verified = { identity: state.identity, localName }
    this.#seen.set(path, verified)
    return verified
  }

  async marksOf(path: string): Promise<FileMarks> {
    const checksum = await this.#checksumOf(path)
    return { bytes: (await this.folder.state(path))!.bytes, checksum }
  }

  /** Gives a scratch file its name. Its marks were just taken, so it need not be read again for them. */
  async place(scratch: Scratch, path: string): Promise<void> {
    await this.folder.rename(scratch.path, path)
    await this.trust(path)
  }

  async trust(path: string): Promise<void> {
    const [state, localName] = [await this.folder.state(path), await this.folder.at(path)]
    if (state) this.#seen.set(path, { identity: state.identity, localName })
  }

  forget(path: string): void {
    this.#seen.delete(path)
  }

  async remove(path: string): Promise<void> {
    this.forget(path)
    await this.folder.remove(path)
  }

  async scratch(): Promise<Scratch> {
    const path = `${SCRATCH}/${randomUUID()}.tmp`
    return { path, localName: await this.folder.atNew(path) }
  }

  async sweepScratch(olderThan: number): Promise<void> {
    for (const { path, modifiedAt } of await this.folder.list(SCRATCH)) {
      if (modifiedAt < olderThan) await this.folder.remove(path)
    }
  }

  async #checksumOf(path: string): Promise<string> {
    return `${this.#algorithm}:${await this.folder.checksum(path, this.#algorithm)}`
  }
}

export const isScratch = (path: string): boolean => path.split('/').includes(SCRATCH)

/** Names the file by its path within the store: users must not learn where the store lies on this server. */
export const damagedFile = (path: string, cause?: unknown): Problem =>
  new Problem('unavailable', 'store.damaged', `The data store has a damaged file: ${path}.`, { cause })

const DISK_FULL = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|file size limit|EFBIG|File too large/i

export const isDiskFull = (error: unknown): boolean => error instanceof Error && DISK_FULL.test(error.message)

/** `from`: since when it is known what the store held. */
export function unknownMoment(store: string, at: number, from: Date | undefined): Problem {
  const since = from ? `keeps its history since ${instantText(from)}` : 'keeps no history'
  const sentence = `The data store "${store}" ${since}: what it held on ${instantText(new Date(at))} is not known.`
  return new Problem('invalid', 'store.history', sentence)
}

const instantText = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const tooManyPastRecords = (records: number, most: number): Problem =>
  new Problem(
    'too-large',
    'store.history-size',
    `As of an earlier moment, up to ${most.toLocaleString('en')} records can be listed at once, and this asks for up to ${records.toLocaleString('en')}. Choose tickers, categories or dates.`,
  )

/** The sentence for a failed write of the operating system or of DuckDB. */
export function writeFailure(error: unknown, store: string): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  if (isDiskFull(error)) {
    const sentence = `There is no room left for the data store "${store}". Nothing of this write was stored; what was there before is unharmed.`
    return new Problem('unavailable', 'store.disk-full', sentence, { cause: error })
  }
  if (/EACCES|EROFS|EPERM|Permission denied|Read-only file system/i.test(error.message)) {
    const sentence = `The data store "${store}" cannot be written to.`
    return new Problem('unavailable', 'store.not-writable', sentence, { cause: error })
  }
  return error
}
