import { Problem } from '@tradewright/core/problem'
import type { ChosenMethod } from '@tradewright/engine/construction/request'
import { type ConstructionMaterial, type Walk, walkMethod } from '@tradewright/engine/construction/walk-forward'
import type { TaskContext } from '../workers/task.ts'
import { convexSolver } from './convex-solver.ts'

export interface WalkPayload {
  /** On shared memory. */
  readonly material: ConstructionMaterial
  readonly method: ChosenMethod
}

/** A compute task: one method at every rebalance, seconds for the slowest. */
export async function run({ material, method }: WalkPayload, context: TaskContext): Promise<Walk> {
  return walkMethod(material, method, await convexSolver(), () => {
    if (context.isCancelled())
      throw new Problem('conflict', 'construction.cancelled', 'The construction was cancelled.')
  })
}
