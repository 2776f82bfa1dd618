import type { TaskContext } from '../../src/workers/task.ts'

/** Adds `by` to every value in place and hands the same buffer back. */
export function run({ column, by }: { column: Float64Array<ArrayBuffer>; by: number }, context: TaskContext) {
  for (let i = 0; i < column.length; i++) column[i]! += by
  context.transfer(column.buffer)
  return column
}
