import type { TaskContext } from '../../src/workers/task.ts'

/** Adds up part of a shared column, in order. */
export function run({ column, from, to }: { column: Float64Array; from: number; to: number }, context: TaskContext) {
  let sum = 0
  for (let i = from; i < to; i++) sum += column[i]!
  context.reportProgress(1)
  return { sum, isShared: column.buffer instanceof SharedArrayBuffer }
}
