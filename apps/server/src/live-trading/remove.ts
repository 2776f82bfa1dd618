import type { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { isDeletable } from '@tradewright/engine/trading/deployment-status'
import { release } from '@tradewright/engine/trading/ledger/capital-entries'
import { recordNote } from './cycle/record-note.ts'
import { type Deployment, deploymentMissing } from './deployment.ts'
import { refuseDuringLiquidation } from './liquidation/request-liquidation.ts'
import type { LiveDeps } from './deps.ts'

/**
 * Deletes a deployment. Its money and positions become the account's again; model, logs and history go, the ledger
 * stays.
 */
export async function removeDeployment(deps: LiveDeps, userId: number, id: number): Promise<string> {
  const at = deps.clock.now()
  return deps.database.transaction(async (stores) => {
    const deployment = await stores.deployments.lock(userId, id)
    if (!deployment) throw deploymentMissing()
    if (!isDeletable(deployment.status)) throw await stillRunning(deps, deployment)
    refuseDuringLiquidation(deployment, 'deleted')
    const state = await stores.books.lock(deployment.accountId)
    const open = (await stores.orders.unsettled(deployment.accountId)).filter(({ deploymentId }) => deploymentId === id)
    if (open.length > 0) {
      throw new Problem(
        'conflict',
        'deployment.orders',
        'Its last orders have not ended yet. Please try again in a moment.',
      )
    }
    const slice = await stores.books.slice(deployment.accountId, id)
    const prices = state?.prices ?? new Map<string, Decimal>()
    const head = { key: `delete:${id}`, at: at.getTime(), deploymentId: id, note: 'Deployment deleted' }
    await stores.books.post(deployment.accountId, [release(head, slice, (ticker) => prices.get(ticker))], prices)
    await stores.deployments.bury(id, at)
    return `Deployment "${deployment.name}" deleted. Its cash and positions are unallocated again.`
  })
}

async function stillRunning(deps: LiveDeps, deployment: Deployment): Promise<Problem> {
  const refused = `A deletion was refused, because it is ${deployment.status}.`
  await recordNote(deps, deployment, { code: 'deletion-refused', level: 'warning', sentence: refused })
  const sentence = `A ${deployment.status} deployment cannot be deleted. Stop it first.`
  return new Problem('conflict', 'deployment.running', sentence)
}
