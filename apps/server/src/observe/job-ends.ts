interface JobEnd {
  readonly kind: string
  readonly state: 'completed' | 'failed' | 'cancelled'
  readonly seconds: number
}

/** Jobs that this process has run to an end. */
class JobEnds {
  readonly #listeners = new Set<(end: JobEnd) => void>()

  record(end: JobEnd): void {
    for (const listener of this.#listeners) listener(end)
  }

  onEnd(listener: (end: JobEnd) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

export const jobEnds = new JobEnds()
