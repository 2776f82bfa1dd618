import { Problem } from '@tradewright/core/problem'
import { type BoardPart, runBoardPart } from '@tradewright/engine/robustness/board'
import type { BoardMaterial } from '@tradewright/engine/robustness/material'
import type { TaskContext } from '../../workers/task.ts'

interface PartsPayload {
  /** On shared memory. */
  readonly material: BoardMaterial
  readonly parts: readonly BoardPart[]
}

interface Evaluated {
  readonly results: unknown[]
  /** Processor time of the thread: time in which it stood still costs nothing. */
  readonly cpuMs: number
}

/** A compute task: some parts of checks, each a fraction of a second. */
export function run({ material, parts }: PartsPayload, context: TaskContext): Evaluated {
  const before = process.threadCpuUsage()
  const results = parts.map((part) => {
    stopIfCancelled(context)
    return runBoardPart(material, part)
  })
  const { user, system } = process.threadCpuUsage(before)
  return { results, cpuMs: (user + system) / 1000 }
}

export function stopIfCancelled(context: Pick<TaskContext, 'isCancelled'>): void {
  if (context.isCancelled()) throw new Problem('conflict', 'robustness.cancelled', 'The checks were cancelled.')
}
