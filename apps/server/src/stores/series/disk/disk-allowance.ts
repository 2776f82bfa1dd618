import { byteSize } from '@tradewright/core/byte-size'
import { Problem } from '@tradewright/core/problem'
import { MINUTE } from '@tradewright/core/time'
import type { ContainedFolder } from '../contained-folder.ts'
import { isScratch, VerifiedFiles, type ExpectedFile, type Scratch } from '../parquet/lake-file.ts'
import { processLock } from '../writer-lock.ts'
import { limitConcurrency } from '../../../turn-queue.ts'

/** Bytes of a user's local stores. */
export interface LocalBytes {
  readonly live: number
  /** Replaced files, which go after a while. */
  readonly retired: number
}

interface DiskAllowanceParts {
  readonly limitBytes: number
  readonly disk?: { assertRoomFor(bytes: number): Promise<void> }
  readonly localBytes: () => Promise<LocalBytes>
  /** What the history of the user's stores takes, and may take at most: beside the limit of what they hold now. */
  readonly history: { readonly limitBytes: number; readonly bytes: () => Promise<number> }
  /** Copies of files in the user's buckets, of all their stores. */
  readonly copies: ContainedFolder
}

interface Copy {
  readonly bytes: number
  usedAt: number
}

/** Delay until writes of other processes are seen. */
const RECOUNT_MS = 5_000
/** Replaced files may take as much again. */
const CROWDED_FACTOR = 2

/**
 * One user's limit on this server's disk: the files of local stores and the copies of bucket files. Copies give way,
 * the least recently used first; files of local stores are refused.
 */
export class DiskAllowance {
  readonly #parts: DiskAllowanceParts
  readonly #lock = processLock()
  /** By path within the folder of copies. What other processes do there is seen when it is listed again. */
  #copies: Map<string, Copy> | undefined
  readonly #kept = new Map<string, number>()
  /** Bytes of local stores as they were counted, and what was let through since. */
  #known: { readonly live: number; readonly at: number } | undefined

  constructor(parts: DiskAllowanceParts) {
    this.#parts = parts
  }

  /** Throws a Problem unless so many more bytes of a local store fit. */
  assertRoomFor(bytes: number): Promise<void> {
    return this.#lock.exclusive('', async () => {
      const { limitBytes, disk } = this.#parts
      await disk?.assertRoomFor(bytes)
      const live = await this.#liveBytes((known) => known + bytes <= limitBytes)
      if (bytes >= 0 && live + bytes > limitBytes) throw this.#full(live, bytes)
      await this.#evictTo(limitBytes - live - bytes)
      this.#known = { ...this.#known!, live: live + bytes }
    })
  }

  /** Whether replaced files have to go at once: writing and clearing in turn would fill the disk with them. */
  async isCrowded(): Promise<boolean> {
    const { live, retired } = await this.#parts.localBytes()
    return live + retired > CROWDED_FACTOR * this.#parts.limitBytes
  }

  /** Bytes of history that have to go. */
  async historyExcess(): Promise<number> {
    const { limitBytes, bytes } = this.#parts.history
    return Math.max(0, (await bytes()) - limitBytes)
  }

  /** Makes room for a copy and counts it. Throws a Problem where there is none even without the other copies. */
  reserve(path: string, bytes: number, now: number): Promise<void> {
    return this.#lock.exclusive('', async () => {
      const { limitBytes } = this.#parts
      const live = await this.#liveBytes((known) => known + bytes <= limitBytes)
      this.#copies ??= await this.#listed()
      this.#copies.delete(path)
      const left = await this.#evictTo(limitBytes - live - bytes)
      if (left < 0) throw this.#full(live, bytes)
      this.#copies.set(path, { bytes, usedAt: now })
    })
  }

  /** Notes that a copy was used. False when it was not counted yet. */
  used(path: string, now: number): boolean {
    const copy = this.#copies?.get(path)
    if (copy) copy.usedAt = now
    return copy !== undefined
  }

  release(path: string): void {
    this.#copies?.delete(path)
  }

  /** Copies that are not to be removed while `work` runs. */
  async keeping<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const path of paths) this.#kept.set(path, (this.#kept.get(path) ?? 0) + 1)
    try {
      return await work()
    } finally {
      for (const path of paths) {
        const left = this.#kept.get(path)! - 1
        if (left === 0) this.#kept.delete(path)
        else this.#kept.set(path, left)
      }
    }
  }

  /** Asked of the database now and then, and before anything is refused. */
  async #liveBytes(isFine: (known: number) => boolean): Promise<number> {
    const now = performance.now()
    if (this.#known && now - this.#known.at < RECOUNT_MS && isFine(this.#known.live)) return this.#known.live
    const { live } = await this.#parts.localBytes()
    this.#known = { live, at: now }
    return live
  }

  /** Removes copies until they take no more than the budget. Gives what is left of it, negative where it is exceeded. */
  async #evictTo(budget: number): Promise<number> {
    this.#copies ??= await this.#listed()
    if (budget >= bytesIn(this.#copies)) return budget - bytesIn(this.#copies)
    // Another process may have removed or added some.
    this.#copies = await this.#listed()
    let left = budget - bytesIn(this.#copies)
    const oldestFirst = [...this.#copies].sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [path, { bytes }] of oldestFirst) {
      if (left >= 0) break
      if (this.#kept.has(path)) continue
      await this.#parts.copies.remove(path)
      this.#copies.delete(path)
      left += bytes
    }
    return left
  }

  async #listed(): Promise<Map<string, Copy>> {
    const known = this.#copies
    const files = (await this.#parts.copies.list()).filter(({ path }) => !isScratch(path))
    const listed = files.map(({ path, bytes, modifiedAt }): [string, Copy] => [
      path,
      { bytes, usedAt: Math.max(modifiedAt, known?.get(path)?.usedAt ?? 0) },
    ])
    // Copies that are being fetched are counted, though they are not there yet.
    const reserved = [...(known ?? [])].filter(([path]) => this.#kept.has(path))
    return new Map([...reserved, ...listed])
  }

  #full(used: number, bytes: number): Problem {
    const { limitBytes } = this.#parts
    const sentence =
      `Your data stores use ${byteSize(used)} of this server's disk, and your limit is ${byteSize(limitBytes)}` +
      `${bytes > 0 ? `; this needs ${byteSize(bytes)} more` : ''}. ` +
      'Clear or delete data that you no longer need, or ask the operator of this server for a higher limit.'
    return new Problem('too-large', 'store.limit', sentence)
  }
}

const bytesIn = (copies: ReadonlyMap<string, Copy>): number =>
  copies.values().reduce((sum, { bytes }) => sum + bytes, 0)

/** Downloads of one store at once. */
const DOWNLOADS = 8
/** A copy's time of use is written down so often: other processes go by it. */
const TOUCH_INTERVAL_MS = 10 * MINUTE

interface FileCopiesParts {
  readonly folder: ContainedFolder
  readonly allowance: DiskAllowance
  /** The store's folder within the folder of the user's copies. */
  readonly name: string
}

/** Copies of a bucket's files on this machine, within what its owner may keep there. */
export class FileCopies {
  readonly files: VerifiedFiles
  readonly #allowance: DiskAllowance
  readonly #name: string
  readonly #downloads = new Map<string, Promise<string>>()
  readonly #touched = new Map<string, number>()
  readonly #limit = limitConcurrency(DOWNLOADS, Number.POSITIVE_INFINITY)

  constructor({ folder, allowance, name }: FileCopiesParts) {
    this.files = new VerifiedFiles(folder, 'sha256')
    this.#allowance = allowance
    this.#name = name
  }

  /** Runs `work` with copies of the files, which stay while it runs. A damaged or missing copy is fetched again. */
  keeping<T>(
    files: readonly ExpectedFile[],
    fetchCopy: (file: ExpectedFile) => Promise<string>,
    work: (localNames: string[]) => Promise<T>,
  ): Promise<T> {
    return this.#allowance.keeping(
      files.map(({ path }) => this.#counted(path)),
      async () => work(await Promise.all(files.map((file) => this.#copyOf(file, fetchCopy)))),
    )
  }

  /** Keeps a file that was just uploaded, where there is room for it. */
  async add(file: ExpectedFile, scratch: Scratch): Promise<void> {
    const counted = this.#counted(file.path)
    await this.#allowance.keeping([counted], async () => {
      try {
        await this.#allowance.reserve(counted, file.bytes, Date.now())
        await this.files.place(scratch, file.path)
      } catch {
        // It is in the bucket, and is fetched when it is read.
        this.#allowance.release(counted)
        await this.files.folder.remove(scratch.path)
      }
    })
  }

  async remove(path: string): Promise<void> {
    this.#downloads.delete(path)
    this.#touched.delete(path)
    await this.files.remove(path)
    this.#allowance.release(this.#counted(path))
  }

  async #copyOf(file: ExpectedFile, fetchCopy: (file: ExpectedFile) => Promise<string>): Promise<string> {
    // One download for many who ask.
    const pending = this.#downloads.get(file.path)
    if (pending) return pending
    const found = await this.files.find(file)
    if (found !== 'missing' && found !== 'damaged') {
      await this.#noteUse(file.path)
      return found.localName
    }
    const started = this.#downloads.get(file.path) ?? this.#limit.run(() => this.#fetch(file, fetchCopy))
    this.#downloads.set(file.path, started)
    try {
      return await started
    } finally {
      this.#downloads.delete(file.path)
    }
  }

  async #fetch(file: ExpectedFile, fetchCopy: (file: ExpectedFile) => Promise<string>): Promise<string> {
    const counted = this.#counted(file.path)
    await this.files.remove(file.path)
    await this.#allowance.reserve(counted, file.bytes, Date.now())
    try {
      return await fetchCopy(file)
    } catch (error) {
      this.#allowance.release(counted)
      throw error
    }
  }

  async #noteUse(path: string): Promise<void> {
    const now = Date.now()
    this.#allowance.used(this.#counted(path), now)
    if (now - (this.#touched.get(path) ?? 0) < TOUCH_INTERVAL_MS) return
    this.#touched.set(path, now)
    try {
      await this.files.folder.touch(path, new Date(now))
      await this.files.trust(path)
    } catch {
      // Evicted by another process in this moment: the query finds out and fetches it again.
      return
    }
  }

  readonly #counted = (path: string): string => `${this.#name}/${path}`
}
