import type { Note } from '@tradewright/core/note'
import { DAY } from '@tradewright/core/time'
import { tickerKind } from '@tradewright/core/ticker-kind'
import type { Decision, OrderIntent } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { disagreement, healthProblemOf } from '../health.ts'
import { closingOrders, intentsOf, signalOfSales } from '../cycle/commit/plan-orders.ts'
import { sendOrders } from '../cycle/send/send-orders.ts'
import type { AccountSnapshot, DeploymentDeps, Reconciliation } from '../cycle/types.ts'

/** Sales whose fate is unknown are looked up and sent again for so long. */
const TIME_TO_SEND = DAY

/**
 * Sells everything that a stopped deployment holds, and buys back what it owes: when its last orders have ended, one decision
 * with an order for each position is journaled and sent like any other; when these have ended, so has the liquidation.
 */
export async function liquidate(
  deps: DeploymentDeps,
  deployment: Deployment,
  since: Date,
  snapshot: AccountSnapshot,
): Promise<void> {
  const { reconciliation } = snapshot
  const decision = await deps.database.decisions.find(deployment.id, since)
  if (decision) return endWhenSold(deps, deployment, decision)
  if (reconciliation.mayHaveOrders(deployment.id) || snapshot.atWork.has(deployment.id)) return
  const obstacle = obstacleOf(reconciliation)
  if (obstacle !== undefined) return deps.setHealth(obstacle)
  if (reconciliation.verdict === 'moving') return
  const written = await journalSales(deps, deployment, since, reconciliation)
  if (!written) return
  const sentence = sentenceOf(written.intents, snapshot.time.isOpen)
  await deps.note({ code: 'selling-everything', level: 'info', sentence })
  await sendOrders(deps, snapshot.broker, deployment, written.decision, written.intents)
}

function obstacleOf({ verdict, disagreement: why, account }: Reconciliation): Note | undefined {
  if (verdict === 'disagreed') return healthProblemOf(disagreement(why!))
  if (account.blockedBecause === undefined) return undefined
  const sentence = `Nothing can be sold: the broker accepts no orders for this account: ${account.blockedBecause}`
  return { code: 'deployment.blocked', level: 'error', sentence }
}

interface Journaled {
  readonly decision: Decision
  readonly intents: readonly OrderIntent[]
}

/** Undefined when another process has the lease, or the liquidation was stopped meanwhile. */
async function journalSales(
  deps: DeploymentDeps,
  { id, userId, accountId }: Deployment,
  since: Date,
  { prices }: Reconciliation,
): Promise<Journaled | undefined> {
  const at = deps.clock.now()
  return deps.database.transaction(async (stores) => {
    if (!(await stores.leases.held([id], deps.holder)).has(id)) return undefined
    const current = await stores.deployments.lock(userId, id)
    if (current?.liquidatingSince?.getTime() !== since.getTime() || deps.gate.isClosed(current)) return undefined
    await stores.books.lock(accountId)
    const orders = closingOrders(await stores.books.slice(accountId, id), prices)
    const decided = await stores.decisions.insert([
      {
        deploymentId: id,
        decidedFor: since,
        decidedAt: at,
        expiresAt: new Date(at.getTime() + TIME_TO_SEND),
        outcome: orders.length === 0 ? 'done' : 'selling',
        reason: 'Stopped, and everything is sold.',
        isPartial: false,
        signal: signalOfSales(orders),
      },
    ])
    const decision = decided.get(id)
    if (!decision) return undefined
    const intents = intentsOf(current, decision, orders, at)
    await stores.orders.insert(intents)
    return { decision, intents }
  })
}

function sentenceOf(intents: readonly OrderIntent[], isMarketOpen: boolean): string {
  if (intents.length === 0) return 'There is nothing to sell.'
  const tickersOf = (isShort: boolean) => intents.filter((one) => one.isShort === isShort).map(({ ticker }) => ticker)
  const [held, owed] = [tickersOf(false).join(', '), tickersOf(true).join(', ')]
  const parts = [...(held ? [`Selling everything: ${held}.`] : []), ...(owed ? [`Buying back: ${owed}.`] : [])]
  const waits = intents.filter(({ ticker }) => tickerKind(ticker) !== 'crypto')
  const closed =
    isMarketOpen || waits.length === 0
      ? ''
      : ` The market is closed: the ${waits.length === 1 ? 'order waits' : 'orders wait'} at the broker for its next open.`
  return `${parts.join(' ')}${closed}`
}

async function endWhenSold(deps: DeploymentDeps, deployment: Deployment, { id, outcome }: Decision): Promise<void> {
  const { orders, deployments, tickerChanges } = deps.database
  if (outcome === 'selling' || outcome === 'buying') return
  // Bought again from the start, where it is started again.
  await deployments.change(deployment.id, { liquidatingSince: null, lastTrade: null, healthProblem: null })
  const left = (await orders.ofDecision(id)).filter(({ state }) => state !== 'filled')
  if (left.length === 0) {
    for (const change of await tickerChanges.of([deployment.id])) await tickerChanges.remove(change)
    const wasShort = (await orders.ofDecision(id)).some(({ side }) => side === 'buy')
    const sentence = wasShort
      ? 'Everything is closed: what it held is sold, and borrowed shares are given back.'
      : 'Everything is sold.'
    return deps.note({ code: 'everything-sold', level: 'info', sentence })
  }
  const tickers = left.map(({ ticker, reason }) => (reason ? `${ticker} (${reason})` : ticker)).join(', ')
  const sentence = `Not everything could be sold, and the rest is kept: ${tickers}. You can try to sell the rest again.`
  return deps.note({ code: 'not-all-sold', level: 'error', sentence })
}
