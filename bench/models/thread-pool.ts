import { Worker } from 'node:worker_threads'
import { type CancelFlag, newCancelFlag } from '@tradewright/engine/models/cancellation'
import type { ModelTask, ModelTaskResult } from '@tradewright/engine/models/tasks'

/** What goes to a thread, and how it answers. */
export interface Order {
  readonly task: ModelTask
  readonly flag: CancelFlag
}
export type Answer = { result: ModelTaskResult } | { error: string }

interface Waiting {
  readonly run: object
  readonly order: Order
  readonly hear: (answer: Answer) => void
  readonly drop: (error: Error) => void
}

const MAX_AT_ONCE = 16

const isShare = ({ order: { task } }: Waiting) => task.kind === 'forest' && task.job.taken !== undefined

/** A few threads for measuring and for proving that their number does not show in a result. */
export class ThreadPool {
  readonly #threads: Thread[]
  readonly #waiting: Waiting[] = []

  constructor(threads: number) {
    this.#threads = Array.from({ length: threads }, () => new Thread())
  }

  get threads(): number {
    return this.#threads.length
  }

  /**
   * Results in the order of the tasks. When one fails, no more of this run are given out, and those that are come to their
   * end.
   */
  async run(tasks: readonly ModelTask[], flag: CancelFlag = newCancelFlag()): Promise<ModelTaskResult[]> {
    const run = {}
    const results = tasks.map((task) => {
      const { promise, resolve, reject } = Promise.withResolvers<ModelTaskResult>()
      const hear = (answer: Answer) => {
        if ('result' in answer) resolve(answer.result)
        else reject(new Error(answer.error))
      }
      this.#waiting.push({ run, order: { task, flag }, hear, drop: reject })
      return promise.catch((error: Error) => {
        this.#dropWaiting(run, error)
        throw error
      })
    })
    this.#handOut()
    const ends = await Promise.allSettled(results)
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason
      return end.value
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  /**
   * As long as there are many, a thread has its next tasks before it ends the ones it is at, so that it never waits for
   * a message; the last ones go to the first idle thread. A share in a forest may always wait for its thread: until
   * then others grow the trees.
   */
  #handOut(): void {
    const many = 2 * this.#threads.length
    for (const thread of this.#threads) if (thread.held === 0) this.#give(thread, this.#waiting)
    for (const thread of this.#threads) {
      if (thread.held === 1)
        this.#give(thread, this.#waiting.length > many ? this.#waiting : this.#waiting.filter(isShare))
    }
  }

  #give(thread: Thread, from: readonly Waiting[]): void {
    const next = this.#claimFor(thread, from)
    if (next.length === 0) return
    thread.give(
      next.map(({ order }) => order),
      (answers) => {
        answers.forEach((answer, at) => next[at]!.hear(answer))
        this.#handOut()
      },
    )
  }

  /**
   * A message costs a tenth of a millisecond, so the more tasks wait, the more go at once. Never two that work at the same
   * model: the second is meant for another thread.
   */
  #claimFor(thread: Thread, from: readonly Waiting[]): Waiting[] {
    const count = Math.min(MAX_AT_ONCE, Math.ceil(from.length / (4 * this.#threads.length)))
    const taken: Waiting[] = []
    const jobs = new Set(thread.jobs)
    for (const waiting of from) {
      if (taken.length === count) break
      const { job } = waiting.order.task
      if (!jobs.has(job)) taken.push(waiting)
      jobs.add(job)
    }
    for (const waiting of taken) this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    return taken
  }

  #dropWaiting(run: object, error: Error): void {
    const dropped = this.#waiting.filter((waiting) => waiting.run === run)
    for (const waiting of dropped) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      waiting.drop(error)
    }
  }
}

interface Given {
  readonly orders: readonly Order[]
  readonly hear: (answers: readonly Answer[]) => void
}

/** Answers what it was given in that order. */
class Thread {
  readonly #worker = new Worker(new URL('./worker.ts', import.meta.url))
  readonly #given: Given[] = []

  constructor() {
    this.#worker.on('message', (answers: Answer[]) => this.#given.shift()?.hear(answers))
  }

  /** How many messages it has still to answer. */
  get held(): number {
    return this.#given.length
  }

  get jobs(): ModelTask['job'][] {
    return this.#given.flatMap(({ orders }) => orders.map(({ task }) => task.job))
  }

  give(orders: readonly Order[], hear: Given['hear']): void {
    this.#given.push({ orders, hear })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(orders)
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
