import { type BoostPayload, run as boost } from '../../src/backtests/boost-task.ts'
import type { TaskContext } from '../../src/workers/task.ts'

const ROUNDS = 4

/** As `backtests/boost`, but a helper is called back in the fourth round. */
export function run(task: BoostPayload, context: TaskContext) {
  return boost(task, { ...context, isCalledBack: () => Atomics.load(task.group!.cells, ROUNDS) > 3 })
}
