import { Problem } from '@tradewright/core/problem'
import { setTimeout as pause } from 'node:timers/promises'
import type { JobWatch } from '../jobs/job-watch.ts'
import type { OptimizationRunStore } from './ports.ts'
import { errorOf, isInProgress, type OptimizationRun, statusOf } from './run.ts'
import { missingRun } from './start-run.ts'

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
