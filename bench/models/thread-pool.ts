import { Worker } from 'node:worker_threads'
import { type CancelFlag, newCancelFlag } from '@tradewright/engine/models/cancellation'
import type { ModelTask, ModelTaskResult } from '@tradewright/engine/models/tasks'

type Answer = { result: ModelTaskResult } | { error: string }

/** A few threads for measuring and for proving that their number does not show in a result. */
export class ThreadPool {
  readonly #threads: Thread[]

  constructor(threads: number) {
    this.#threads = Array.from({ length: threads }, () => new Thread())
  }

  get threads(): number {
    return this.#threads.length
  }

  /**
   * Results in the order of the tasks. As long as there are many, a thread has its next task before it ends one, so
   * that it never waits for a message; the last ones go to whoever is free first. When one fails, no more are begun,
   * and those under way come to their end.
   */
  async run(tasks: readonly ModelTask[], flag: CancelFlag = newCancelFlag()): Promise<ModelTaskResult[]> {
    const results: ModelTaskResult[] = []
    let next = 0
    const work = async (thread: Thread, tasksLeft: number) => {
      try {
        while (tasks.length - next > tasksLeft) {
          const index = next++
          results[index] = await thread.run(tasks[index]!, flag)
        }
      } catch (error) {
        next = tasks.length
        throw error
      }
    }
    const many = 2 * this.#threads.length
    const ends = await Promise.allSettled(this.#threads.flatMap((thread) => [work(thread, 0), work(thread, many)]))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return results
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}

/** Answers its tasks in their order. */
class Thread {
  readonly #worker = new Worker(new URL('./worker.ts', import.meta.url))
  readonly #waiting: ((answer: Answer) => void)[] = []

  constructor() {
    this.#worker.on('message', (answer: Answer) => this.#waiting.shift()?.(answer))
  }

  run(task: ModelTask, flag: CancelFlag): Promise<ModelTaskResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push((answer) => {
        if ('result' in answer) resolve(answer.result)
        else reject(new Error(answer.error))
      })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#worker.postMessage({ task, flag })
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
