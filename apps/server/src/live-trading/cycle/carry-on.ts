import { type Decision, isSettled, type OrderIntent } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { isLiquidation } from '../liquidation/is-liquidation.ts'
import { liquidate } from '../liquidation/liquidate.ts'
import { recordStop } from '../stops/record-stops.ts'
import { commitEnd } from './commit/commit-end.ts'
import { commitPurchases } from './commit/commit-purchases.ts'
import { lossOfAccount } from './commit/limit-orders.ts'
import { isResting, watchHalts } from './halts.ts'
import { cancelOpen } from './send/cancel-orders.ts'
import { maySend, resendUnheard, sendOrders } from './send/send-orders.ts'
import { cancelTimedOut, journalRests } from './send/time-out.ts'
import type { AccountSnapshot, CommittedPurchases, DeploymentDeps, NextStep, RunDeps } from './types.ts'

/** What earlier polls left: orders whose answer was lost, orders of a stopped deployment, a decision half carried out. */
export async function carryOn(deps: RunDeps, deployment: Deployment, snapshot: AccountSnapshot): Promise<void> {
  const { broker, reconciliation } = snapshot
  const decision = snapshot.atWork.get(deployment.id)
  const unheard = reconciliation.unheard.filter(({ deploymentId }) => deploymentId === deployment.id)
  // Selling everything after a stop is not limited.
  const isAllowed =
    deployment.liquidatingSince !== null || lossOfAccount(deps.limits, deployment, reconciliation) === undefined
  const isUsable = reconciliation.verdict === 'agreed' && reconciliation.account.blockedBecause === undefined
  const mayTrade = isUsable && isAllowed && !isHeld(deployment, snapshot)
  await resendUnheard(deps, broker, deployment, decision, unheard, mayTrade)
  if (deployment.status === 'stopped') await cancelOpen(deps, broker, deployment)
  if (decision) await carryOnDecision(deps.asAsked, deployment, decision, snapshot)
  if (!deployment.liquidatingSince) return
  // A file on this machine holds all orders back: a sale is no exception.
  if (deps.gate.isClosed(deployment)) await recordStop(deps, deployment)
  else await liquidate(deps, deployment, deployment.liquidatingSince, snapshot)
}

/** Until the user has chosen about a ticker change; a sale of everything does not wait for that. */
const isHeld = ({ id, status }: Deployment, { tickerChanges }: AccountSnapshot): boolean =>
  status === 'running' && tickerChanges.has(id)

/** Purchases when the sales have ended, the end when everything has. */
async function carryOnDecision(
  deps: DeploymentDeps,
  deployment: Deployment,
  decision: Decision,
  snapshot: AccountSnapshot,
): Promise<void> {
  const { broker } = snapshot
  const intents = await ordersOf(deps, deployment, decision, snapshot)
  if (!isLiquidation(deployment, decision.decidedFor.getTime()))
    await watchHalts(deps, deployment, decision, intents, snapshot)
  const isSelling = decision.outcome === 'selling'
  // A sale of everything has no purchases.
  const hasPurchases = isSelling && !isLiquidation(deployment, decision.decidedFor.getTime())
  const isSendable = maySend(deps, deployment, decision) && !isHeld(deployment, snapshot)
  const step = nextStep(decision, hasPurchases, intents, snapshot, isSendable)
  if (isSelling && (step === 'buy' || step === 'end')) deps.onStep('sales-ended')
  const waiting = intents.filter(({ state }) => state === 'intended')
  const purchases = step === 'buy' ? await buy(deps, deployment, decision, snapshot) : undefined
  const next = step === 'send' ? { decision, intents: waiting } : purchases?.next
  if (next) await sendOrders(deps, broker, deployment, next.decision, next.intents)
  // One that ends while it sells lacks its purchases.
  const hasEnded = step === 'end' || purchases?.state === 'stopped'
  if (hasEnded) await commitEnd(deps, deployment, decision, snapshot, hasPurchases)
}

/**
 * The orders of a decision: those whose time is over are cancelled, with a market order for the rest where that is wished, and
 * those that wait are given up when the account has lost too much.
 */
async function ordersOf(
  deps: DeploymentDeps,
  deployment: Deployment,
  decision: Decision,
  { broker, reconciliation }: AccountSnapshot,
): Promise<readonly OrderIntent[]> {
  const read = () => deps.database.orders.ofDecision(decision.id)
  const intents = await read()
  await cancelTimedOut(deps, broker, deployment, intents)
  const isSale = isLiquidation(deployment, decision.decidedFor.getTime())
  const loss = isSale ? undefined : lossOfAccount(deps.limits, deployment, reconciliation)
  const waiting = loss === undefined ? [] : intents.filter(({ state }) => state === 'intended')
  for (const { clientOrderId, side, ticker } of waiting) {
    await deps.database.orders.end(clientOrderId, 'abandoned', loss!, deps.clock.now())
    const sentence = `Limit reached. The order to ${side} ${ticker} is not sent: ${loss!}`
    await deps.note({ code: 'order-limit', level: 'error', sentence })
  }
  const hasRests = loss === undefined && (await journalRests(deps, deployment, decision, intents))
  return hasRests || waiting.length > 0 ? read() : intents
}

function nextStep(
  { outcome }: Decision,
  hasPurchases: boolean,
  intents: readonly OrderIntent[],
  snapshot: AccountSnapshot,
  isSendable: boolean,
): NextStep {
  const { verdict } = snapshot.reconciliation
  const hasWaiting = intents.some(({ state }) => state === 'intended')
  const isSelling = outcome === 'selling'
  const hasAgreed = verdict === 'agreed'
  const isOver = intents.every(isSettled) && (hasAgreed || !isSelling)
  const whenOver = hasPurchases && isSendable ? 'buy' : 'end'
  // A sale that rests keeps its part of the deployment; what the others brought is spent.
  const mayBuy = intents.every((one) => isSettled(one) || isResting(one, snapshot)) && hasProceeds(intents)
  if (isSelling && !isOver && mayBuy && hasAgreed && whenOver === 'buy') return 'buy'
  return hasWaiting && isSendable && hasAgreed ? 'send' : isOver ? whenOver : 'wait'
}

const hasProceeds = (intents: readonly OrderIntent[]): boolean =>
  intents.some(({ side, filledQuantity }) => side === 'sell' && filledQuantity.isPositive)

interface Purchases {
  readonly state: CommittedPurchases['state']
  /** What is to be sent for them. */
  readonly next?: { readonly decision: Decision; readonly intents: readonly OrderIntent[] }
}

async function buy(
  deps: DeploymentDeps,
  deployment: Deployment,
  decision: Decision,
  snapshot: AccountSnapshot,
): Promise<Purchases> {
  const committed = await commitPurchases(deps, deployment, decision, snapshot)
  if (committed.state !== 'committed') return { state: committed.state }
  deps.onStep('purchases-committed')
  for (const note of committed.notes) await deps.note(note)
  return { state: 'committed', next: { decision: { ...decision, outcome: 'buying' }, intents: committed.intents } }
}
