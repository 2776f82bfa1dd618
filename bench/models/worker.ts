import { parentPort } from 'node:worker_threads'
import type { CancelFlag } from '@tradewright/engine/models/cancellation'
import { type ModelTask, runModelTask } from '@tradewright/engine/models/tasks'

/** A thread of `ThreadPool`: runs one task after the other. */
parentPort?.on('message', ({ task, flag }: { task: ModelTask; flag: CancelFlag }) => {
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage({ result: runModelTask(task, flag) })
  } catch (error) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
})
