import { maxEvaluations } from '@tradewright/engine/optimizer/request'
import { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import type { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import * as contract from '@tradewright/contract/optimizer'
import {
  awaitRun,
  type AwaitDeps,
  validateRun,
  missingRun,
  rerun,
  startRun,
  cancelRun,
  findRun,
  type OwnRunsDeps,
  pauseRun,
  removeAllRuns,
  removeRun,
  resumeRun,
} from '../../optimizer/own-runs.ts'
import type { OptimizationRun } from '../../optimizer/run.ts'
import { type ListReader, tickersOfLists } from '../../ticker-lists/own-lists.ts'
import type { Handle } from '../server/handle.ts'
import { readableRows } from '../answer/readable-rows.ts'
import { historyToWire } from './history-wire.ts'
import { resultsToWire } from './results-wire.ts'
import { listIds, toDomain } from './form.ts'
import { itemToWire } from './wire.ts'
import { problemsOfForm } from '../input/problems-of-form.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'

type OptimizerDeps = OwnRunsDeps & AwaitDeps & ListReader

export function serveOptimizer(handle: Handle, deps: OptimizerDeps): void {
  handle(contract.runOptimization, async ({ user, body, reply }) => {
    const left = disconnectSignal(reply)
    const id = await startRun(deps, user.id, await settingsOf(deps, user.id, body))
    const results = body.wait === false ? null : resultsToWire(await awaitRun(deps, user.id, id, left))
    return { success: true as const, run_id: id, results }
  })
  handle(contract.checkOptimization, async ({ user, body }) => {
    try {
      const { candidates, request } = validateRun(await settingsOf(deps, user.id, body), deps.clock)
      return { candidate_features: candidates.length, most_evaluations: maxEvaluations(request), problems: [] }
    } catch (error) {
      return { candidate_features: null, most_evaluations: null, problems: problemsOfForm(error) }
    }
  })
  handle(contract.rerunOptimization, async ({ user, params }) => {
    const id = await rerun(deps, user.id, params.id)
    return { success: true as const, run: itemToWire(await findRun(deps, user.id, id)) }
  })
  serveReading(handle, deps)
  serveChanges(handle, deps)
}

function serveReading(handle: Handle, deps: OptimizerDeps): void {
  const whole = async (run: OptimizationRun, after: number, isExport = false) => ({
    ...itemToWire(run),
    generation_history: historyToWire(run, await deps.runs.generations(run.userId, run.id, after), { whole: isExport }),
    results: resultsToWire(run),
  })
  handle(contract.listOptimizationRuns, async ({ user, request: { log } }) => {
    const rows = await deps.runs.list(user.id)
    const told = { list: 'optimization_runs', schema: OptimizationRunItem, toWire: itemToWire, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { optimization_runs: entries, ...leftOut }
  })
  handle(contract.getOptimizationRun, async ({ user, params, query }) =>
    whole(await findRun(deps, user.id, params.id), query.after_generation ?? 0),
  )
  handle(contract.getGeneration, async ({ user, params }) => {
    const run = await findRun(deps, user.id, params.id)
    const generation = await deps.runs.generation(user.id, params.id, params.generation)
    if (!generation) throw missingRun()
    return historyToWire(run, [generation], { whole: true })[0]!
  })
  handle(contract.exportOptimizationRun, async ({ user, params, reply }) => {
    const run = await findRun(deps, user.id, params.id)
    void reply.header('content-disposition', `attachment; filename="optimization-run-${run.id}.json"`)
    return { format: 'tradewright.optimization-run' as const, version: 1 as const, ...(await whole(run, 0, true)) }
  })
}

function serveChanges(handle: Handle, deps: OptimizerDeps): void {
  const changes = [
    [contract.pauseOptimizationRun, pauseRun],
    [contract.resumeOptimizationRun, resumeRun],
    [contract.cancelOptimizationRun, cancelRun],
  ] as const
  for (const [route, change] of changes) {
    handle(route, async ({ user, params }) => ({
      success: true as const,
      run: itemToWire(await change(deps, user.id, params.id)),
    }))
  }
  handle(contract.deleteOptimizationRun, async ({ user, params }) => {
    await removeRun(deps, user.id, params.id)
    return { success: true as const }
  })
  handle(contract.deleteOptimizationRuns, async ({ user }) => {
    await removeAllRuns(deps, user.id)
    return { success: true as const }
  })
}

/** Lists that are named must be the user's own; another's is missing. */
async function settingsOf(deps: ListReader, userId: number, body: OptimizationRequest) {
  const [targets, related] = await Promise.all([
    tickersOfLists(deps, userId, listIds('target_list_ids', body.target_list_ids), 'target'),
    tickersOfLists(deps, userId, listIds('feature_list_ids', body.feature_list_ids), 'feature'),
  ])
  return toDomain(body, { targets, related })
}
