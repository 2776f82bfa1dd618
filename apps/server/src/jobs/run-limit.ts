import { Problem } from '@tradewright/core/problem'

/** Unfinished work of one user. */
export interface RunCount {
  readonly queued: number
  readonly running: number
}

/** Does a user's work within its call, counted; a `Problem` where they have as much queued and running as one may. */
export type CountedWork = <Result>(userId: number, work: () => Promise<Result>) => Promise<Result>

/** How much one user may have queued and running, over all kinds of work. */
export class RunLimit {
  readonly #max: number
  /** Kinds that are pieces of another job, and count with it. */
  readonly pieceKinds: readonly string[]
  /** By user: work of this process that is done within its call and has no job. */
  readonly #calls = new Map<number, number>()

  /** Throws where no work may begin at present, for any caller. */
  readonly #assertRoom: () => void

  constructor(max: number, pieceKinds: readonly string[] = [], assertRoom: () => void = () => {}) {
    this.#max = max
    this.#assertRoom = assertRoom
    this.pieceKinds = pieceKinds
  }

  /** Refuses one more. @param jobs what the user has in the queue, in all processes */
  check(userId: number, jobs: RunCount): void {
    this.#assertRoom()
    const running = jobs.running + (this.#calls.get(userId) ?? 0)
    if (jobs.queued + running >= this.#max) throw tooMany({ queued: jobs.queued, running }, this.#max)
  }

  /** Counts work that is done within its call. */
  async during<Result>(
    userId: number,
    jobs: { countUnfinished(userId: number): Promise<RunCount> },
    work: () => Promise<Result>,
  ): Promise<Result> {
    this.check(userId, await jobs.countUnfinished(userId))
    this.#count(userId, 1)
    try {
      return await work()
    } finally {
      this.#count(userId, -1)
    }
  }

  #count(userId: number, change: 1 | -1): void {
    const count = (this.#calls.get(userId) ?? 0) + change
    if (count === 0) this.#calls.delete(userId)
    else this.#calls.set(userId, count)
  }
}

function tooMany({ queued, running }: RunCount, max: number): Problem {
  const sentence = `You have ${queued} queued and ${running} running, and the limit is ${max} at a time. Wait until one has ended, or cancel one, and try again.`
  const facts = { queued, running, limit: max }
  return new Problem('limited', 'runs.limit', sentence, { retryAfterSeconds: 30, facts })
}
