import { parentPort, workerData } from 'node:worker_threads'
import type { TaskContext, TaskRegistry } from './task.ts'
import { toFailure, type TaskMessage, type ThreadMessage } from './thread-messages.ts'

// The program of a compute thread: takes a task, runs it, answers. The pool never sends a second one meanwhile.
const PROGRESS_EVERY_MS = 50

const port = parentPort!
const { tasks } = (await import((workerData as { registry: string }).registry)) as { tasks: TaskRegistry }

port.on('message', (message: TaskMessage) => void answer(message))

async function answer({ task, payload, cancelFlag }: TaskMessage): Promise<void> {
  const transfers: ArrayBuffer[] = []
  try {
    const load = tasks[task]
    if (!load) throw new Error(`there is no compute task "${task}"`)
    const { run } = await load()
    const result = await run(payload as never, contextOf(cancelFlag, transfers))
    send({ is: 'done', result }, transfers)
  } catch (error) {
    send({ is: 'failed', failure: toFailure(error) })
  }
}

function contextOf(cancelFlag: Int32Array, transfers: ArrayBuffer[]): TaskContext {
  let reportedAt = 0
  return {
    cancelFlag,
    isCancelled: () => Atomics.load(cancelFlag, 0) === 1,
    report(fraction, note) {
      const now = performance.now()
      if (now - reportedAt < PROGRESS_EVERY_MS) return
      reportedAt = now
      send({ is: 'progress', fraction, note })
    },
    transfer: (buffer) => void transfers.push(buffer),
  }
}

function send(message: ThreadMessage, transfers: ArrayBuffer[] = []): void {
  port.postMessage(message, transfers)
}
