import { Problem } from '@tradewright/core/problem'
import { MINUTE } from '@tradewright/core/time'
import { isPartial } from '@tradewright/engine/live/order-plan'
import type { Broker } from '@tradewright/engine/trading/broker'
import { sliceOfDeployment } from '@tradewright/engine/trading/ledger/books'
import { findDeployment } from '../control.ts'
import { propose } from '../cycle/propose/propose.ts'
import { prepareModel } from '../cycle/propose/model.ts'
import { MarketTimes } from '../cycle/market-time.ts'
import { reconcile } from '../cycle/reconcile/reconcile.ts'
import { limitOrders } from '../cycle/commit/limit-orders.ts'
import { plannedOf, planOf, sentAs, sentencesOf } from '../cycle/commit/plan-orders.ts'
import type { Reconciliation } from '../cycle/types.ts'
import type { Decision, PlannedOrder } from '../decision.ts'
import { type DeployForm, draftDeployment } from './deploy.ts'
import type { Deployment } from '../deployment.ts'
import type { LiveDeps } from '../deps.ts'
import { nextRunOf } from '../schedule.ts'
import { undecided } from '../ticker-changes/hold.ts'
import { tradesCoinsOnly } from '../traded-tickers.ts'
import { type VolumeShare, valuesOf, volumeShares } from './volume-shares.ts'

interface Preview {
  readonly decision: Omit<Decision, 'id' | 'deploymentId' | 'expiresAt'>
  readonly orders: readonly PlannedOrder[]
  readonly volumes: readonly VolumeShare[]
  /** What it trades can be traded now. */
  readonly isMarketOpen: boolean
  /** When a running deployment with its schedule would send them. */
  readonly nextCheckAt: Date | null
}

/** The next decision if it were made now. The model is trained if there is none; nothing is traded. */
export async function previewDecision(live: LiveDeps, userId: number, id: number): Promise<Preview> {
  // The user asks, and may have just mended what failed.
  const deps = { ...live, signalService: live.signalService.retrying() }
  const deployment = await findDeployment(deps, userId, id)
  const broker = await deps.brokerFor(userId, deployment.accountId)
  await prepareModel(deps, deployment)
  const reconciliation = await reconcile(deps, broker, { accountId: deployment.accountId, userId })
  const changes = await deps.database.tickerChanges.of([id])
  if (changes.length > 0) throw undecided(changes)
  return previewOf(deps, deployment, broker, reconciliation)
}

/** The same for the deployment that a form would create. Nothing is written, so a model is not trained for it. */
export async function previewNewDeployment(live: LiveDeps, userId: number, form: DeployForm): Promise<Preview> {
  // A log is of a deployment, and there is none yet.
  const deps = { ...live, deploymentLog: { write: () => {}, flush: async () => {} } }
  const { deployment, broker, reconciliation } = await draftDeployment(deps, userId, form)
  if (deployment.strategy.model) {
    const sentence =
      'Its model is trained when it is deployed: the page of the deployment then shows the orders that it would send.'
    throw new Problem('conflict', 'deployment.no-model', sentence)
  }
  return previewOf(deps, deployment, broker, reconciliation)
}

async function previewOf(
  deps: LiveDeps,
  deployment: Deployment,
  broker: Broker,
  reconciliation: Reconciliation,
): Promise<Preview> {
  const time = await new MarketTimes(deps.clock, deps.log).ask(broker, deployment.accountId)
  const { now, calendar } = time
  const proposal = await propose(deps, broker, deployment, reconciliation, now, calendar)
  const slice = sliceOfDeployment(reconciliation.books, deployment.id)
  // As a dry run, sales and purchases are planned together.
  const dry = { ...deployment, settings: { ...deployment.settings, dryRun: true } }
  const plan = planOf(dry, proposal, slice, reconciliation)
  const span = { from: now.getTime(), until: now.getTime() + 15 * MINUTE }
  const parts = sentAs(deployment, proposal, slice, plan.orders, span)
  const { database, limits } = deps
  const { orders, notes: left } = await limitOrders(database, deployment, reconciliation, parts.orders, limits, now)
  const planned = plannedOf(orders)
  const notes = [...plan.notes, ...parts.notes, ...left]
  return {
    decision: {
      decidedFor: deployment.nextRunAt ?? now,
      decidedAt: now,
      outcome: plan.outcome,
      reason: [proposal.answer.reason, ...sentencesOf(notes)].join(' '),
      isPartial: isPartial(notes),
      signal: proposal.signal,
    },
    orders: planned,
    volumes: await volumeShares(deps, deployment.userId, valuesOf(planned)),
    isMarketOpen: time.isOpen || tradesCoinsOnly(deployment),
    nextCheckAt: nextRunOf(deployment, time),
  }
}
