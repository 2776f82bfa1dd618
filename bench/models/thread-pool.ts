import { Worker } from 'node:worker_threads'
import { type CancelFlag, newCancelFlag } from '@tradewright/engine/models/cancellation'
import type { ModelTask, ModelTaskResult } from '@tradewright/engine/models/tasks'

type Answer = { result: ModelTaskResult } | { error: string }

/** A few threads for measuring and for proving that their number does not show in a result. */
export class ThreadPool {
  readonly #workers: Worker[]

  constructor(threads: number) {
    this.#workers = Array.from({ length: threads }, () => new Worker(new URL('./worker.ts', import.meta.url)))
  }

  get threads(): number {
    return this.#workers.length
  }

  /** Results in the order of the tasks. When one fails, no more are begun, and those under way come to their end. */
  async run(tasks: readonly ModelTask[], flag: CancelFlag = newCancelFlag()): Promise<ModelTaskResult[]> {
    const results: ModelTaskResult[] = []
    let next = 0
    const ends = await Promise.allSettled(
      this.#workers.map(async (worker) => {
        try {
          while (next < tasks.length) {
            const index = next++
            results[index] = await runOn(worker, tasks[index]!, flag)
          }
        } finally {
          next = tasks.length
        }
      }),
    )
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return results
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }
}

function runOn(worker: Worker, task: ModelTask, flag: CancelFlag): Promise<ModelTaskResult> {
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: Answer) => {
      if ('result' in answer) resolve(answer.result)
      else reject(new Error(answer.error))
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ task, flag })
  })
}
