import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import {
  type OptimizationRunStore,
  type RunStores,
  type RunTransaction,
  isInProgress,
  type OptimizationRun,
  type RunItem,
} from './run.ts'
import { queueRun, missingRun } from './start-run.ts'

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
