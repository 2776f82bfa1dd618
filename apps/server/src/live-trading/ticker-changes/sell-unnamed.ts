import type { Problem } from '@tradewright/core/problem'
import { limitOrders } from '../cycle/commit/limit-orders.ts'
import { closingOrders, intentsOf, signalOfSales } from '../cycle/commit/plan-orders.ts'
import { sendOrders } from '../cycle/send/send-orders.ts'
import type { AccountSnapshot, CycleTime, DeploymentDeps } from '../cycle/types.ts'
import type { Deployment } from '../deployment.ts'
import { nextRunOf } from '../schedule.ts'
import { tradedTickers } from '../traded-tickers.ts'

/**
 * The sale of what the strategy does not name, where its own prices are missing: a decision would sell these positions
 * whatever it decided besides, and after a change of symbol the provider may no longer have the old ticker at all. False
 * where there is nothing of the kind, or it cannot be sold now.
 */
export async function sellUnnamed(
  deps: DeploymentDeps,
  deployment: Deployment,
  { broker, reconciliation, time: market }: AccountSnapshot,
  time: CycleTime,
  why: Problem,
): Promise<boolean> {
  if (deployment.settings.dryRun) return false
  const { id, userId, accountId } = deployment
  const named = new Set(tradedTickers(deployment))
  const at = deps.clock.now()
  const sale = await deps.database.transaction(async (stores) => {
    if (!(await stores.leases.held([id], deps.holder)).has(id)) return undefined
    const current = await stores.deployments.lock(userId, id)
    if (current?.status !== 'running' || deps.gate.isClosed(current)) return undefined
    await stores.books.lock(accountId)
    const held = closingOrders(await stores.books.slice(accountId, id), reconciliation.prices)
    const wanted = held.filter(({ ticker }) => !named.has(ticker))
    const { orders, notes } = await limitOrders(stores, current, reconciliation, wanted, deps.limits, at)
    if (orders.length === 0) return undefined
    const tickers = orders.map(({ ticker }) => ticker).join(', ')
    const asked = current.lastTrade?.asked ? ` ${current.lastTrade.asked}` : ''
    const reason = `${why.message} So only what the strategy does not name is sold: ${tickers}.${asked}`
    const decided = await stores.decisions.insert([
      {
        deploymentId: id,
        decidedFor: time.scheduledFor,
        decidedAt: at,
        expiresAt: time.runsOutAt,
        // No purchases follow these sales.
        outcome: 'buying',
        reason,
        // The next run decides, whatever the rebalancing schedule says.
        isPartial: true,
        signal: signalOfSales(orders),
      },
    ])
    const decision = decided.get(id)
    if (!decision) return undefined
    const intents = intentsOf(current, decision, orders, at)
    await stores.orders.insert(intents)
    await stores.deployments.change(id, { nextRunAt: nextRunOf(current, market) })
    return { decision, intents, notes, reason }
  })
  if (!sale) return false
  for (const note of sale.notes) await deps.note(note)
  await deps.note({ code: 'unnamed-sold', level: 'warning', sentence: sale.reason })
  await sendOrders(deps, broker, deployment, sale.decision, sale.intents)
  return true
}
