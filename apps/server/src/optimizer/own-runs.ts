import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { PlannedFeature } from '@tradewright/engine/features/catalogue'
import { planSearch, type SearchPlan } from '@tradewright/engine/optimizer/plan'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type OptimizationRunStore,
  type RunStores,
  type RunTransaction,
  isInProgress,
  type OptimizationRun,
  type RunItem,
  type OptimizationSettings,
  type Candidate,
  errorCodeOf,
  errorOf,
  statusOf,
  type RunWorkStore,
} from './run.ts'
import { checkDates } from '../backtests/validate-run.ts'
import { enqueueJob, type JobWatch } from '../jobs/job-watch.ts'
import { optimizerJob } from './optimizer-job.ts'
import { cancelPieces } from './evaluators.ts'

export interface OwnRunsDeps {
  readonly runs: OptimizationRunStore
  readonly transaction: RunTransaction
  readonly clock: Clock
}

export async function findRun(
  { runs }: Pick<OwnRunsDeps, 'runs'>,
  userId: number,
  id: number,
): Promise<OptimizationRun> {
  const run = await runs.find(userId, id)
  if (!run) throw missingRun()
  return run
}

/** Changes a run in progress; one that has ended cannot be changed. Answers how it stands then. */
async function change(
  { transaction }: OwnRunsDeps,
  userId: number,
  id: number,
  work: (stores: RunStores, run: OptimizationRun) => Promise<void>,
): Promise<RunItem> {
  return transaction(async (stores) => {
    const run = await stores.runs.lock(userId, id)
    if (!run) throw missingRun()
    if (!isInProgress(run)) throw new Problem('conflict', 'optimizer.ended', 'The run has already ended.')
    await work(stores, run)
    return (await stores.runs.find(userId, id))!
  })
}

/** The job stops within seconds; what was stored last is where the run goes on. */
export const pauseRun = (deps: OwnRunsDeps, userId: number, id: number): Promise<RunItem> =>
  change(deps, userId, id, async ({ runs, jobs }, run) => {
    if (run.cancelRequested) throw new Problem('conflict', 'optimizer.cancelling', 'The run is being cancelled.')
    if (run.isPaused) return
    await runs.setPaused(id, true)
    if (run.jobId) await jobs.requestCancel(userId, run.jobId)
  })

export const resumeRun = (deps: OwnRunsDeps, userId: number, id: number): Promise<RunItem> =>
  change(deps, userId, id, async (stores, run) => {
    if (!run.isPaused) return
    await stores.runs.setPaused(id, false)
    await queueRun(stores, { userId, id, isLimited: true })
  })

/**
 * The process that works on the run stops, and a job of its own ends it with what it found. That one begins in the same
 * transaction and is not cancelled itself, so the outcome survives whatever dies in between.
 */
export const cancelRun = (deps: OwnRunsDeps, userId: number, id: number): Promise<RunItem> =>
  change(deps, userId, id, async (stores, run) => {
    if (run.cancelRequested) return
    await stores.runs.requestCancel(id)
    const job = run.jobId && !run.isPaused ? await stores.jobs.requestCancel(userId, run.jobId) : undefined
    if (run.tally === null && job?.state !== 'running') {
      // Nothing was found, and no process is about to find something.
      await stores.runs.end(id, { as: 'abandoned', error: null, errorCode: null, at: deps.clock.now() })
      return
    }
    if (run.isPaused) await stores.runs.setPaused(id, false)
    await queueRun(stores, { userId, id, isLimited: false })
  })

export async function removeRun({ transaction }: OwnRunsDeps, userId: number, id: number): Promise<void> {
  await transaction(async (stores) => {
    const run = await stores.runs.lock(userId, id)
    if (!run) throw missingRun()
    await stopAndRemove(stores, run)
  })
}

export async function removeAllRuns({ runs, transaction }: OwnRunsDeps, userId: number): Promise<void> {
  for (const { id } of await runs.list(userId)) {
    await transaction(async (stores) => {
      const run = await stores.runs.lock(userId, id)
      if (run) await stopAndRemove(stores, run)
    })
  }
}

async function stopAndRemove({ runs, jobs }: RunStores, run: OptimizationRun): Promise<void> {
  if (run.jobId && isInProgress(run)) await jobs.requestCancel(run.userId, run.jobId)
  await runs.remove(run.userId, run.id)
}

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

interface QueuedRun {
  readonly userId: number
  readonly id: number
  /** Whether it is refused where its user has too much unfinished; to end a run is never too much. */
  readonly isLimited: boolean
}

/** From here on a new job works on the run: it goes on with the search, or ends it where that was asked for. */
async function queueRun({ runs, jobs }: RunStores, { userId, id, isLimited }: QueuedRun): Promise<void> {
  const request = { userId, subject: String(id), input: { runId: id }, isLimited }
  const { job } = await enqueueJob({ jobs }, optimizerJob, request)
  await runs.setJob(id, job.id)
}

interface SettleDeps {
  readonly work: Pick<RunWorkStore, 'unsettled' | 'forgetParts'>
  readonly transaction: RunTransaction
  readonly clock: Clock
}

/**
 * A job that was given up, or lost with the queue, leaves a run without an end. Its end is recorded here, so that the
 * run's prices go; a cancelled one gets a job that ends it with what it found. Any number of processes may do this.
 */
export async function settleRuns({ work, transaction, clock }: SettleDeps): Promise<void> {
  for (const { userId, id } of await work.unsettled()) {
    await transaction(async (stores) => {
      const run = await stores.runs.lock(userId, id)
      if (run && !run.endedAs && !isInProgress(run)) await settle(stores, run, clock)
    })
  }
  await work.forgetParts()
}

async function settle(stores: RunStores, run: RunItem, clock: Clock): Promise<void> {
  const hasFound = run.tally !== null && run.cancelRequested && run.job?.state === 'cancelled'
  if (hasFound) return queueRun(stores, { ...run, isLimited: false })
  await cancelPieces(stores, run.id, run.userId)
  const as = statusOf(run) === 'failed' ? 'failed' : 'abandoned'
  await stores.runs.end(run.id, { as, error: errorOf(run), errorCode: errorCodeOf(run), at: clock.now() })
}

export interface AwaitDeps {
  readonly runs: OptimizationRunStore
  readonly watch: Pick<JobWatch, 'result'>
}

/** While a run is paused there is no job to listen to. */
const POLL_INTERVAL_MS = 1000

/** Waits until the run has ended, through pauses and changes of the worker. Leaving ends the waiting, never the run. */
export async function awaitRun(
  deps: AwaitDeps,
  userId: number,
  id: number,
  left: AbortSignal,
): Promise<OptimizationRun> {
  for (;;) {
    left.throwIfAborted()
    const run = await deps.runs.find(userId, id)
    if (!run) throw missingRun()
    if (!isInProgress(run)) return completed(run)
    if (run.isPaused || run.jobId === null) await pause(POLL_INTERVAL_MS, undefined, { signal: left })
    else await jobEnded(deps, userId, run.jobId, left)
  }
}

/** How it ended is in the run's own row. */
async function jobEnded({ watch }: AwaitDeps, userId: number, jobId: string, left: AbortSignal): Promise<void> {
  try {
    await watch.result(userId, jobId, left)
  } catch {
    left.throwIfAborted()
  }
}

function completed(run: OptimizationRun): OptimizationRun {
  const status = statusOf(run)
  if (status === 'completed') return run
  if (run.cancelRequested) {
    throw new Problem('conflict', 'optimizer.cancelled', 'The run was cancelled. Its results so far are kept.')
  }
  throw new Problem('invalid', `optimizer.${status}`, errorOf(run) ?? 'Optimization failed')
}
