import type { LakeFolder } from './lake-folder.ts'
import type { Snapshot } from './lake-log.ts'

/** Removes files that nobody needs any more: replaced ones after a while, and those of writers that died. */
export class Sweeper {
  readonly #folder: LakeFolder
  readonly #graceMs: number
  readonly #users = new Map<string, number>()
  #hasSweptRubbish = false

  constructor(folder: LakeFolder, graceMs: number) {
    this.#folder = folder
    this.#graceMs = graceMs
  }

  /** Files of the snapshot stay while `work` runs. */
  async using<T>(snapshot: Snapshot, work: () => Promise<T>): Promise<T> {
    for (const path of snapshot.files.keys()) this.#users.set(path, (this.#users.get(path) ?? 0) + 1)
    try {
      return await work()
    } finally {
      for (const path of snapshot.files.keys()) {
        const left = this.#users.get(path)! - 1
        if (left === 0) this.#users.delete(path)
        else this.#users.set(path, left)
      }
    }
  }

  /** For the writer that holds the lock. Gives the retired files that are gone now. */
  async sweepRetired(snapshot: Snapshot, now: number): Promise<string[]> {
    try {
      const old = [...snapshot.retired].filter(
        ([path, since]) => now - since >= this.#graceMs && !this.#users.has(path),
      )
      const paths = old.map(([path]) => path)
      await this.#folder.remove(paths)
      return paths
    } catch {
      // Cleaning is for another day; the write that it came with is not to fail for it.
      return []
    }
  }

  /** For the writer that holds the lock, before it writes: once after opening is enough. */
  async sweepRubbish({ files, retired }: Snapshot): Promise<void> {
    if (this.#hasSweptRubbish) return
    this.#hasSweptRubbish = true
    // A young file may belong to a writer on another machine that is about to name it in the log.
    const olderThan = Date.now() - this.#graceMs
    try {
      await this.#folder.sweepScratch(olderThan)
      const listed = await this.#folder.list('')
      const rubbish = listed.filter(
        ({ path, modifiedAt }) =>
          path.endsWith('.parquet') && !files.has(path) && !retired.has(path) && modifiedAt < olderThan,
      )
      await this.#folder.remove(rubbish.map(({ path }) => path))
    } catch {
      return
    }
  }
}
