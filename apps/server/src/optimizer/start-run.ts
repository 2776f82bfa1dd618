import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { PlannedFeature } from '@tradewright/engine/features/catalogue'
import { planSearch, type SearchPlan } from '@tradewright/engine/optimizer/plan'
import { checkDates } from '../backtests/validate-run.ts'
import type { OptimizationSettings } from './settings.ts'
import type { OptimizationRunStore, RunStores, RunTransaction } from './ports.ts'
import { queueRun } from './queue-run.ts'
import { type Candidate, isInProgress } from './run.ts'
import { settle } from './settle-runs.ts'

export interface StartDeps {
  readonly runs: OptimizationRunStore
  readonly transaction: RunTransaction
  readonly clock: Clock
}

/** Refuses what cannot work before anything is queued or fetched. */
export function validateRun({ request }: OptimizationSettings, clock: Clock): SearchPlan {
  checkDates(request, clock)
  return planSearch(request)
}

/** The run's row and its job begin together. A run of the same name that is in progress is that run. */
export async function startRun(deps: StartDeps, userId: number, settings: OptimizationSettings): Promise<number> {
  const plan = validateRun(settings, deps.clock)
  const run = { settings, candidates: plan.candidates.map(candidateOf), createdAt: deps.clock.now() }
  return deps.transaction(async (stores) => {
    const { clientRunId } = settings
    const known = clientRunId === null ? undefined : await stores.runs.findByClientId(userId, clientRunId)
    if (known && isInProgress(known)) return known.id
    if (known) await settle(stores, known, deps.clock)
    const id = await stores.runs.add(userId, run)
    if (id === undefined) return startedMeanwhile(stores, userId, clientRunId!)
    await queueRun(stores, { userId, id, isLimited: true })
    return id
  })
}

/** Another call was quicker by a moment: two calls with one name start one run. */
async function startedMeanwhile({ runs }: RunStores, userId: number, clientRunId: string): Promise<number> {
  const run = await runs.findByClientId(userId, clientRunId)
  if (!run) throw new Problem('conflict', 'optimizer.name', 'A run of this name has just ended. Start it again.')
  return run.id
}

/**
 * The same again; where it was named, without the name, which is the first one's. Data providers that have just failed
 * are asked again.
 */
export async function rerun(deps: StartDeps, userId: number, id: number): Promise<number> {
  const run = await deps.runs.find(userId, id)
  if (!run) throw missingRun()
  return startRun(deps, userId, { ...run.settings, clientRunId: null, retriesData: true })
}

const candidateOf = ({ definition, label, values }: PlannedFeature): Candidate => ({
  id: definition.id,
  key: definition.key,
  name: definition.name,
  label,
  params: values.toRecord(),
})

export const missingRun = () => new Problem('missing', 'optimizer.missing', 'There is no such optimization run.')
