import type { Clock } from '@tradewright/core/clock'
import { cancelPieces } from './evaluators.ts'
import type { RunStores, RunTransaction, RunWorkStore } from './ports.ts'
import { queueRun } from './queue-run.ts'
import { errorCodeOf, errorOf, isInProgress, type RunItem, statusOf } from './run.ts'

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

export async function settle(stores: RunStores, run: RunItem, clock: Clock): Promise<void> {
  const hasFound = run.tally !== null && run.cancelRequested && run.job?.state === 'cancelled'
  if (hasFound) return queueRun(stores, { ...run, isLimited: false })
  await cancelPieces(stores, run.id, run.userId)
  const as = statusOf(run) === 'failed' ? 'failed' : 'abandoned'
  await stores.runs.end(run.id, { as, error: errorOf(run), errorCode: errorCodeOf(run), at: clock.now() })
}
