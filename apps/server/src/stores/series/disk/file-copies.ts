import { MINUTE } from '@tradewright/core/time'
import { limitConcurrency } from '../../../turn-queue.ts'
import type { ContainedFolder } from '../contained-folder.ts'
import type { ExpectedFile, Scratch } from '../parquet/lake-folder.ts'
import { VerifiedFiles } from '../parquet/verified-files.ts'
import type { DiskAllowance } from './disk-allowance.ts'

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
