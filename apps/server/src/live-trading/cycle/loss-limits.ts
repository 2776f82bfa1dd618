import { epochDayOf } from '@tradewright/core/time'
import { type BrokenLimit, brokenLimit } from '@tradewright/engine/live/loss-limits'
import type { Deployment } from '../deployment.ts'
import type { CycleDeps, DeploymentDeps, Reconciliation } from './types.ts'
import { PAID_IN, valuate } from './valuation.ts'

/** Pauses a deployment that broke a loss limit of its user. */
export async function pausedByLosses(
  deps: DeploymentDeps,
  deployment: Deployment,
  reconciliation: Reconciliation,
): Promise<boolean> {
  const broken = await checkLosses(deps, deployment, reconciliation)
  if (broken) {
    const statusAt = deps.clock.now()
    await deps.database.deployments.change(deployment.id, { status: 'paused', statusAt, healthProblem: broken })
    await deps.note({ ...broken, sentence: `Paused by its loss limit. ${broken.sentence}` })
  }
  return broken !== undefined
}

/** The loss limit that is broken. */
async function checkLosses(
  { database, clock }: Pick<CycleDeps, 'database' | 'clock'>,
  deployment: Deployment,
  reconciliation: Pick<Reconciliation, 'books' | 'prices'>,
): Promise<BrokenLimit | undefined> {
  const { maxDailyLossPct, maxDrawdownPct } = deployment.settings
  const hasLimit = maxDailyLossPct !== null || maxDrawdownPct !== null
  const valuation = hasLimit ? await valuate(database, deployment, reconciliation) : undefined
  // A value that lacks a price would look like a loss.
  if (!valuation || valuation.unpriced.length > 0) return undefined
  const today = new Date(epochDayOf(clock.now().getTime()) * 86_400_000)
  const before = await database.journal.lastSnapshot(deployment.id, today)
  const highest = Math.max(PAID_IN, await database.journal.highestGrowth(deployment.id), valuation.growth)
  const broken = brokenLimit(
    { now: valuation.growth, sessionStart: before?.growth ?? PAID_IN, highest },
    { maxDailyLossPct: maxDailyLossPct ?? undefined, maxDrawdownPct: maxDrawdownPct ?? undefined },
  )
  // Money that moved since the deployment was read is in the books, but not in its sums: the next poll knows both.
  const current = broken && (await database.deployments.byId(deployment.id))
  return current?.totals.net.equals(deployment.totals.net) ? broken : undefined
}
