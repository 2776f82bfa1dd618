import type { Logger } from '../../log.ts'

/** While the database is away; the oldest go first. */
const MAX_WAITING = 1_000

/**
 * SQLSTATE of data and of references that are refused, and of limits of the database: the same would be refused for ever,
 * such as a message of a user who was deleted.
 */
const isRefusedForGood = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(22|23|54)...$/.test(String(error.code))

/** Keeps what could not be stored, in order, and stores it with what comes next. Never fails. */
export class KeptUntilStored<Item> {
  readonly #store: (item: Item) => Promise<void>
  readonly #log: Logger
  readonly #what: string
  #waiting: Item[] = []

  constructor(what: string, store: (item: Item) => Promise<void>, log: Logger) {
    this.#what = what
    this.#store = store
    this.#log = log
  }

  async add(item: Item): Promise<void> {
    this.#waiting.push(item)
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()
    await this.save()
  }

  async save(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    for (const [i, item] of batch.entries()) {
      try {
        await this.#storeOrDrop(item)
      } catch (error) {
        this.#waiting = [...batch.slice(i), ...this.#waiting].slice(-MAX_WAITING)
        this.#log.warn({ err: error }, `${this.#what} could not be stored yet`)
        return
      }
    }
  }
  async #storeOrDrop(item: Item): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#store(item)
      } catch (error) {
        if (!isRefusedForGood(error)) throw error
        // What it was made for may be gone by now: made once more, it is for what is left.
        if (attempt === 1) continue
        this.#log.error({ err: error }, `${this.#what}: one is refused by the database and left out`)
        return
      }
    }
  }
}
