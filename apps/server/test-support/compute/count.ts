import type { TaskContext } from '../../src/workers/task.ts'

/** Counts, and asks at every number whether it is cancelled. */
export function run({ to }: { to: number }, context: TaskContext): number {
  let count = 0
  while (count < to && !context.isCancelled()) count++
  return count
}
