import type { Broker } from '@tradewright/engine/trading/broker'
import { SYSTEM } from '../actor.ts'
import { type Decision, isSettled, type OrderIntent } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { disagreement, healthProblemOf, isAboutAccount } from '../health.ts'
import { isLiquidation } from '../liquidation/is-liquidation.ts'
import { liquidate } from '../liquidation/liquidate.ts'
import { recordStop } from '../record-stops.ts'
import { TICKER_CHANGE, undecided } from '../ticker-changes/hold.ts'
import { commitEnd } from './commit/commit-end.ts'
import { commitPurchases } from './commit/commit-purchases.ts'
import { lossOfAccount } from './commit/limit-orders.ts'
import { asAsked, isDue, runDue } from './due-run.ts'
import { recordNote, setHealth } from './record-note.ts'
import { cancelOpen } from './send/cancel-orders.ts'
import { maySend, resendUnheard, sendOrders } from './send/send-orders.ts'
import { cancelTimedOut, journalRests } from './send/time-out.ts'
import type { AccountSnapshot, CycleDeps, NextStep, Reconciliation, RunDeps } from './types.ts'
import { checkLosses } from './valuation.ts'

/** Everything that one deployment needs at this moment, after its account was reconciled with the broker. */
export async function runDeployment(shared: RunDeps, deployment: Deployment, snapshot: AccountSnapshot): Promise<void> {
  // No schedule sells everything, but the one who asked for it.
  const deps = deployment.liquidatingSince ? { ...shared, actor: deployment.liquidatingBy ?? SYSTEM } : shared
  const isRunning = deployment.status === 'running'
  if (isRunning && deps.gate.isClosed(deployment)) return stopForGood(deps, snapshot.broker, deployment)
  await carryOn(deps, deployment, snapshot)
  const goesOn = isRunning && !(await pausedByLosses(deps, deployment, snapshot.reconciliation))
  if (goesOn && isDue(deployment, snapshot.time)) await runDue(deps, deployment, snapshot)
  else if (goesOn) await tellAccount(deps, deployment, snapshot)
}

/** The file `all` lies on this machine, or a stop waits for the database to be recorded: it runs no more, anywhere. */
async function stopForGood(deps: CycleDeps, broker: Broker, deployment: Deployment): Promise<void> {
  await recordStop(deps, deployment)
  await cancelOpen(deps, broker, deployment)
}

/** What earlier polls left: orders whose answer was lost, orders of a stopped deployment, a decision half carried out. */
async function carryOn(deps: CycleDeps, deployment: Deployment, snapshot: AccountSnapshot): Promise<void> {
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
  if (decision) await carryOnDecision(asAsked(deps, deployment), deployment, decision, snapshot)
  if (deployment.liquidatingSince) await liquidate(deps, deployment, deployment.liquidatingSince, snapshot)
}

/** Until the user has chosen about a ticker change; a sale of everything does not wait for that. */
const isHeld = ({ id, status }: Deployment, { tickerChanges }: AccountSnapshot): boolean =>
  status === 'running' && tickerChanges.has(id)

/** Purchases when the sales have ended, the end when everything has. */
async function carryOnDecision(
  deps: CycleDeps,
  deployment: Deployment,
  decision: Decision,
  snapshot: AccountSnapshot,
): Promise<void> {
  const { broker, reconciliation } = snapshot
  const intents = await ordersOf(deps, deployment, decision, snapshot)
  const isSelling = decision.outcome === 'selling'
  // A sale of everything has no purchases.
  const hasPurchases = isSelling && !isLiquidation(deployment, decision.decidedFor.getTime())
  const isSendable = maySend(deps, deployment, decision) && !isHeld(deployment, snapshot)
  const step = nextStep(decision, hasPurchases, intents, reconciliation.verdict, isSendable)
  if (isSelling && (step === 'buy' || step === 'end')) deps.onStep('sales-ended')
  const waiting = intents.filter(({ state }) => state === 'intended')
  if (step === 'send') await sendOrders(deps, broker, deployment, decision, waiting)
  const isStopped = step === 'buy' && (await buy(deps, deployment, decision, snapshot)) === 'stopped'
  // One that ends while it sells lacks its purchases.
  if (step === 'end' || isStopped) await commitEnd(deps, deployment, decision, reconciliation, hasPurchases)
}

/**
 * The orders of a decision: those whose time is over are cancelled, with a market order for the rest where that is wished, and
 * those that wait are given up when the account has lost too much.
 */
async function ordersOf(
  deps: CycleDeps,
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
    await recordNote(deps, deployment, { code: 'order-limit', level: 'error', sentence })
  }
  const hasRests = loss === undefined && (await journalRests(deps, deployment, decision, intents))
  return hasRests || waiting.length > 0 ? read() : intents
}

function nextStep(
  { outcome }: Decision,
  hasPurchases: boolean,
  intents: readonly OrderIntent[],
  verdict: Reconciliation['verdict'],
  isSendable: boolean,
): NextStep {
  const hasWaiting = intents.some(({ state }) => state === 'intended')
  const isSelling = outcome === 'selling'
  const hasAgreed = verdict === 'agreed'
  const isOver = intents.every(isSettled) && (hasAgreed || !isSelling)
  const whenOver = hasPurchases && isSendable ? 'buy' : 'end'
  return hasWaiting && isSendable && hasAgreed ? 'send' : isOver ? whenOver : 'wait'
}

async function buy(
  deps: CycleDeps,
  deployment: Deployment,
  decision: Decision,
  snapshot: AccountSnapshot,
): Promise<'committed' | 'lost' | 'stopped'> {
  const committed = await commitPurchases(deps, deployment, decision, snapshot)
  if (committed.state === 'committed') {
    deps.onStep('purchases-committed')
    for (const note of committed.notes) await recordNote(deps, deployment, note)
    await sendOrders(deps, snapshot.broker, deployment, { ...decision, outcome: 'buying' }, committed.intents)
  }
  return committed.state
}

async function pausedByLosses(
  deps: CycleDeps,
  deployment: Deployment,
  reconciliation: Reconciliation,
): Promise<boolean> {
  const broken = await checkLosses(deps, deployment, reconciliation)
  if (broken) {
    const statusAt = deps.clock.now()
    await deps.database.deployments.change(deployment.id, { status: 'paused', statusAt, healthProblem: broken })
    await recordNote(deps, deployment, { ...broken, sentence: `Paused by its loss limit. ${broken.sentence}` })
  }
  return broken !== undefined
}

/** A fault of the account is told at once; that it is right again, too. */
async function tellAccount(
  deps: CycleDeps,
  deployment: Deployment,
  { reconciliation, tickerChanges }: AccountSnapshot,
) {
  const { verdict, disagreement: why } = reconciliation
  const { healthProblem } = deployment
  const changes = tickerChanges.get(deployment.id)
  const isOver = healthProblem && (isAboutAccount(healthProblem) || healthProblem.code === TICKER_CHANGE)
  if (verdict === 'disagreed') await setHealth(deps, deployment, healthProblemOf(disagreement(why!)))
  else if (changes) await setHealth(deps, deployment, healthProblemOf(undecided(changes)))
  else if (verdict === 'agreed' && isOver) await setHealth(deps, deployment, null)
}
