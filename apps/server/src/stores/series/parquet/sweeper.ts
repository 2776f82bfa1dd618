import type { Snapshot } from '../catalogue/snapshot.ts'
import type { StoreCatalogue } from '../catalogue/store-catalogue.ts'
import type { LakeFolder } from './lake-file.ts'

/** How long a replaced file stays: readers that began before may still be using it. */
export const GRACE_MS = 15 * 60_000

/** Removes files that no reader needs: replaced ones after a while, and those of writers that died. */
export class Sweeper {
  readonly #folder: LakeFolder
  readonly #catalogue: StoreCatalogue
  readonly #graceMs: number
  readonly #users = new Map<string, number>()
  #hasSweptAbandoned = false

  constructor(folder: LakeFolder, catalogue: StoreCatalogue, graceMs: number) {
    this.#folder = folder
    this.#catalogue = catalogue
    this.#graceMs = graceMs
  }

  /** These files stay while `work` runs. */
  async using<T>({ files }: { readonly files: ReadonlyMap<string, unknown> }, work: () => Promise<T>): Promise<T> {
    const paths = [...files.keys()]
    for (const path of paths) this.#users.set(path, (this.#users.get(path) ?? 0) + 1)
    try {
      return await work()
    } finally {
      for (const path of paths) {
        const left = this.#users.get(path)! - 1
        if (left === 0) this.#users.delete(path)
        else this.#users.set(path, left)
      }
    }
  }

  /**
   * Called by the writer that holds the lock, before it writes. Only files that the catalogue names are removed. A
   * failure is left for the next writer: the write that it came with is not to fail for it.
   */
  async sweep(snapshot: Snapshot, now: number): Promise<void> {
    try {
      await this.#sweepRetired(snapshot, now - this.#graceMs)
      if (this.#hasSweptAbandoned) return
      await this.#sweepAbandoned()
      this.#hasSweptAbandoned = true
    } catch {
      return
    }
  }

  /**
   * Removes history up to a change. A process that ends half-way leaves files that the catalogue still names: the next
   * one removes them. Files that make up the store are never among them.
   */
  async purgeHistory(version: number): Promise<void> {
    await this.#catalogue.endHistoryBefore(version)
    const paths = (await this.#catalogue.expiredFiles()).filter((path) => !this.#users.has(path))
    await this.#folder.remove(paths)
    await this.#catalogue.forget(paths)
    await this.#catalogue.forgetExpired()
  }

  /** Replaced files that this process does not read. A reader in another process starts anew. */
  async sweepAtOnce(snapshot: Snapshot): Promise<void> {
    await this.#sweepRetired(snapshot, Number.POSITIVE_INFINITY).catch(() => {})
  }

  async #sweepRetired({ retired }: Snapshot, until: number): Promise<void> {
    const paths = [...retired].filter(([path, since]) => since <= until && !this.#users.has(path)).map(([path]) => path)
    await this.#folder.remove(paths)
    await this.#catalogue.forget(paths)
  }

  /** A young one may belong to a writer of another process that lost the lock and is about to add it. */
  async #sweepAbandoned(): Promise<void> {
    await this.#folder.sweepScratch(Date.now() - this.#graceMs)
    const paths = await this.#catalogue.abandoned(this.#graceMs)
    await this.#folder.remove(paths)
    await this.#catalogue.withdraw(paths)
  }
}
