import { threadId } from 'node:worker_threads'
import type { TaskContext } from '../../src/workers/task.ts'
import type { Gate, run as passGate } from './gate.ts'

/** Passes gates on all threads. With `helpersDie`, a thread that helps ends in the middle of its gate. */
export function run({ gates, helpersDie }: { gates: Gate[]; helpersDie: boolean }, context: TaskContext) {
  const own = helpersDie ? gates.map((gate) => ({ ...gate, onlyOn: threadId })) : gates
  return context.mapOnThreads('gate', own) as Promise<ReturnType<typeof passGate>[]>
}
