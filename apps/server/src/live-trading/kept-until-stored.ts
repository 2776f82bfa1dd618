import type { Logger } from '../log.ts'

/** While the database is away; the oldest go first. */
const MAX_WAITING = 1_000

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
        await this.#store(item)
      } catch (error) {
        this.#waiting = [...batch.slice(i), ...this.#waiting].slice(-MAX_WAITING)
        this.#log.warn({ err: error }, `${this.#what} could not be stored yet`)
        return
      }
    }
  }
}
