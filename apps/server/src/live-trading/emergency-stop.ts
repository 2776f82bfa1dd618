import { deploymentKeyOf } from '@tradewright/engine/trading/client-order-id'
import type { Broker } from '@tradewright/engine/trading/broker'
import { isOpen } from './decision.ts'
import { type Deployment, deploymentMissing } from './deployment.ts'
import type { LiveDeps } from './deps.ts'
import { report } from './cycle/report.ts'

export interface EmergencyReport {
  readonly stopped: number
  readonly cancelledOrders: number
  readonly problems: readonly string[]
}

export interface EmergencyDeps extends LiveDeps {
  /** Brokers that were used before, at hand while the database is away; by account. */
  readonly knownBroker: (accountId: number) => Broker | undefined
  /** Deployments that were seen before, at hand while the database is away. */
  readonly knownDeployments: (userId: number) => readonly Deployment[]
}

/** The door first, then everything that may fail. */
export async function emergencyStop(
  deps: EmergencyDeps,
  userId: number,
  id: number | undefined,
): Promise<EmergencyReport> {
  const problems: string[] = []
  if (id === undefined) deps.gate.closeUser(userId)
  const targets = await findTargets(deps, userId, id, problems)
  for (const { orderKey } of targets) deps.gate.closeDeployment(orderKey)
  let [stopped, cancelledOrders] = [0, 0]
  for (const deployment of targets) {
    stopped += await stopInDatabase(deps, deployment, problems)
    cancelledOrders += await cancelAtBroker(deps, deployment, problems)
  }
  return { stopped, cancelledOrders, problems }
}

async function findTargets(
  deps: EmergencyDeps,
  userId: number,
  id: number | undefined,
  problems: string[],
): Promise<readonly Deployment[]> {
  const wanted = (all: readonly Deployment[]) => all.filter((one) => id === undefined || one.id === id)
  try {
    const found = wanted(await deps.database.deployments.list(userId))
    if (id !== undefined && found.length === 0) throw deploymentMissing()
    return found.filter(({ status }) => id !== undefined || status === 'running' || status === 'paused')
  } catch (error) {
    const known = wanted(deps.knownDeployments(userId))
    // Nobody's deployment is stopped on the word of somebody else, not even now.
    if (id !== undefined && known.length === 0) throw error
    deps.log.error({ err: error }, 'emergency stop without the database')
    problems.push(
      'The database cannot be reached; orders are held back and the stop is recorded when it answers again.',
    )
    return known
  }
}

async function stopInDatabase(deps: EmergencyDeps, deployment: Deployment, problems: string[]): Promise<number> {
  try {
    if (deployment.status === 'created') return 0
    await deps.database.deployments.change(deployment.id, { status: 'stopped', nextRunAt: null })
    await report(
      deps,
      deployment,
      'warning',
      'Stopped by the emergency stop; open orders are cancelled, positions are kept.',
    )
    return 1
  } catch (error) {
    deps.log.error({ err: error, deploymentId: deployment.id }, 'emergency stop not recorded yet')
    if (problems.length === 0) problems.push('The stop could not be recorded yet; orders are held back all the same.')
    return 1
  }
}

/** Our orders are known by their ids at the broker: no database is needed to find them. */
async function cancelAtBroker(deps: EmergencyDeps, deployment: Deployment, problems: string[]): Promise<number> {
  try {
    const broker =
      deps.knownBroker(deployment.accountId) ?? (await deps.brokerFor(deployment.userId, deployment.accountId))
    const open = (await broker.orders({ state: 'open' })).filter(
      ({ clientOrderId, state }) => deploymentKeyOf(clientOrderId) === deployment.orderKey && isOpen({ state }),
    )
    const outcomes = await Promise.allSettled(open.map(({ id }) => broker.cancel(id)))
    return outcomes.filter(({ status }) => status === 'fulfilled').length
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    problems.push(`Open orders of ${deployment.name} could not be cancelled: ${reason}`)
    return 0
  }
}
