import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { PlannedFeature } from '@tradewright/engine/features/planned-feature'
import { planSearch, type SearchPlan } from '@tradewright/engine/optimizer/plan'
import { checkDates } from '../backtests/check-order.ts'
import { enqueueJob } from '../jobs/enqueue-job.ts'
import { optimizerJob } from './optimizer-job.ts'
import type { OptimizationOrder } from './order.ts'
import type { OptimizationRunStore, RunStores, RunTransaction } from './ports.ts'
import type { Candidate } from './run.ts'

export interface StartDeps {
  readonly runs: OptimizationRunStore
  readonly transaction: RunTransaction
  readonly clock: Clock
}

/** Refuses what cannot work before anything is queued or fetched. */
export function checkOrder({ request }: OptimizationOrder, clock: Clock): SearchPlan {
  checkDates(request, clock)
  return planSearch(request)
}

/** The run's row and its job begin together. A run of the same name that is in progress is that run. */
export async function startRun(deps: StartDeps, userId: number, order: OptimizationOrder): Promise<number> {
  const plan = checkOrder(order, deps.clock)
  const known = order.clientRunId === null ? undefined : await deps.runs.findByClientId(userId, order.clientRunId)
  if (known) return known.id
  return deps.transaction(async (stores) => {
    const id = await stores.runs.add(userId, {
      order,
      candidates: plan.candidates.map(candidateOf),
      createdAt: deps.clock.now(),
    })
    await queueRun(stores, userId, id)
    return id
  })
}

export async function queueRun({ runs, jobs }: RunStores, userId: number, id: number): Promise<void> {
  const { job } = await enqueueJob({ jobs }, optimizerJob, { userId, subject: String(id), input: { runId: id } })
  await runs.setJob(id, job.id)
}

/** The same again; where it was named, without the name, which is the first one's. */
export async function rerun(deps: StartDeps, userId: number, id: number): Promise<number> {
  const run = await deps.runs.find(userId, id)
  if (!run) throw missingRun()
  return startRun(deps, userId, { ...run.order, clientRunId: null })
}

const candidateOf = ({ definition, label, values }: PlannedFeature): Candidate => ({
  id: definition.id,
  key: definition.key,
  name: definition.name,
  label,
  params: values.toRecord(),
})

export const missingRun = () => new Problem('missing', 'optimizer.missing', 'There is no such optimization run.')
