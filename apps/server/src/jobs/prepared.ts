/** A few at once: what a run is prepared to may be a hundred megabytes. */
const MAX_PREPARED = 3

/** What this process has read or computed for all pieces of a run, once. */
export class Prepared<Key, Value> {
  readonly #prepare: (key: Key, userId: number) => Promise<Value>
  /** The one used last comes last. */
  readonly #values = new Map<Key, Promise<Value>>()

  constructor(prepare: (key: Key, userId: number) => Promise<Value>) {
    this.#prepare = prepare
  }

  get(key: Key, userId: number): Promise<Value> {
    const preparing = this.#values.get(key) ?? this.#prepare(key, userId)
    this.#values.delete(key)
    this.#values.set(key, preparing)
    preparing.catch(() => {
      if (this.#values.get(key) === preparing) this.#values.delete(key)
    })
    for (const oldest of [...this.#values.keys()].slice(0, -MAX_PREPARED)) this.#values.delete(oldest)
    return preparing
  }

  forget(key: Key): void {
    this.#values.delete(key)
  }
}
