import { Problem } from '@tradewright/core/problem'

/** Lets a few works run at once and a bounded number wait; callers after that are told to come back. */
interface ConcurrencyLimit {
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export function limitConcurrency(atOnce: number, waiting: number): ConcurrencyLimit {
  const queue: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running += 1
      return
    }
    if (queue.length >= waiting) {
      throw new Problem('unavailable', 'server.busy', 'The server is busy. Please try again in a moment.', {
        retryAfterSeconds: 5,
      })
    }
    // A finished work hands its place to the next in the queue, so the count stays as it is.
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  function leave(): void {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
