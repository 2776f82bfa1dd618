/** One writer of a store at a time, over all processes that can reach it. Readers never wait. */
export interface WriterLock {
  /** Runs `work` under a lock of this name. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** A lock within this process only. */
export function processLock(): WriterLock {
  const tails = new Map<string, Promise<unknown>>()
  return {
    async exclusive(name, work) {
      const before = tails.get(name) ?? Promise.resolve()
      const mine = before.then(work, work)
      const tail = mine.catch(() => {})
      tails.set(name, tail)
      try {
        return await mine
      } finally {
        if (tails.get(name) === tail) tails.delete(name)
      }
    },
  }
}
