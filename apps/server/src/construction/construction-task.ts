import { constructionMethodOf } from '@tradewright/core/construction-catalogue'
import { Problem } from '@tradewright/core/problem'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { type ConstructionReport, reportConstruction } from '@tradewright/engine/construction/report'
import { type ConstructionRequest, planConstruction } from '@tradewright/engine/construction/request'
import { frontierOf, prepareConstruction, type Walk } from '@tradewright/engine/construction/walk-forward'
import type { TaskContext } from '../workers/task.ts'
import { convexSolver } from './convex-solver.ts'
import type { WalkPayload } from './walk-task.ts'

interface ConstructionPayload {
  readonly request: ConstructionRequest
  readonly data: MarketData
}

/** A compute task: the methods are shared with threads that have nothing else to do. */
export async function run({ request, data }: ConstructionPayload, context: TaskContext): Promise<ConstructionReport> {
  const solver = await convexSolver()
  context.reportProgress(0, 'Aligning prices')
  const material = prepareConstruction(request, data, solver)
  const { methods } = planConstruction(request)
  const payloads: WalkPayload[] = methods.map((method) => ({ material, method }))
  const walks = await context.mapOnThreads('construction/walk', payloads, (begun) => {
    stopIfCancelled(context)
    const { label } = constructionMethodOf(methods[Math.min(begun, methods.length) - 1]!.id)
    context.reportProgress((begun - 1) / (methods.length + 1), `${label}: method ${begun} of ${methods.length}`)
  })
  stopIfCancelled(context)
  context.reportProgress(methods.length / (methods.length + 1), 'Comparing with equal weights')
  const found = methods.map(({ id }, i) => ({ id, walk: walks[i] as Walk }))
  return reportConstruction(material, found, frontierOf(material, solver))
}

function stopIfCancelled(context: TaskContext): void {
  if (context.isCancelled()) throw new Problem('conflict', 'construction.cancelled', 'The construction was cancelled.')
}
