import { parentPort } from 'node:worker_threads'
import { runModelTask } from '@tradewright/engine/models/tasks'
import type { Answer, Order } from './thread-pool.ts'

function answer({ task, flag }: Order): Answer {
  try {
    return { result: runModelTask(task, flag) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** A thread of `ThreadPool`: runs one task after the other. */
parentPort?.on('message', (orders: Order[]) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(orders.map(answer))
})
