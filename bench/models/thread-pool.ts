import { Worker } from 'node:worker_threads'
import { type CancelFlag, newCancelFlag } from '@tradewright/engine/models/cancellation'
import type { ModelTask, ModelTaskResult } from '@tradewright/engine/models/tasks'

type Answer = { result: ModelTaskResult } | { error: string }

interface Waiting {
  readonly run: object
  readonly task: ModelTask
  readonly flag: CancelFlag
  readonly resolve: (result: ModelTaskResult) => void
  readonly reject: (error: Error) => void
}

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
   * Results in the order of the tasks. When one fails, no more of this run are begun, and those under way come to their
   * end.
   */
  async run(tasks: readonly ModelTask[], flag: CancelFlag = newCancelFlag()): Promise<ModelTaskResult[]> {
    const run = {}
    const results = tasks.map((task) => {
      const { promise, resolve, reject } = Promise.withResolvers<ModelTaskResult>()
      this.#waiting.push({ run, task, flag, resolve, reject })
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
   * As long as there are many, a thread has its next task before it ends one, so that it never waits for a message; the
   * last ones go to whoever is free first. Never two that work at the same model: the second is meant for another thread.
   */
  #handOut(): void {
    const many = 2 * this.#threads.length
    for (const [held, most] of [
      [0, 0],
      [1, many],
    ] as const) {
      for (const thread of this.#threads) {
        if (thread.held !== held || this.#waiting.length <= most) continue
        const at = this.#waiting.findIndex(({ task }) => !thread.isAt(task.job))
        if (at >= 0) this.#give(thread, ...this.#waiting.splice(at, 1))
      }
    }
  }

  #give(thread: Thread, next?: Waiting): void {
    if (next === undefined) return
    thread
      .run(next.task, next.flag)
      .then(next.resolve, next.reject)
      .finally(() => this.#handOut())
  }

  #dropWaiting(run: object, error: Error): void {
    const dropped = this.#waiting.filter((waiting) => waiting.run === run)
    for (const waiting of dropped) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      waiting.reject(error)
    }
  }
}

/** Answers its tasks in their order. */
class Thread {
  readonly #worker = new Worker(new URL('./worker.ts', import.meta.url))
  readonly #asked: { readonly task: ModelTask; readonly hear: (answer: Answer) => void }[] = []

  constructor() {
    this.#worker.on('message', (answer: Answer) => this.#asked.shift()?.hear(answer))
  }

  /** How many tasks it has. */
  get held(): number {
    return this.#asked.length
  }

  isAt(job: ModelTask['job']): boolean {
    return this.#asked.some(({ task }) => task.job === job)
  }

  run(task: ModelTask, flag: CancelFlag): Promise<ModelTaskResult> {
    return new Promise((resolve, reject) => {
      const hear = (answer: Answer) => {
        if ('result' in answer) resolve(answer.result)
        else reject(new Error(answer.error))
      }
      this.#asked.push({ task, hear })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#worker.postMessage({ task, flag })
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
