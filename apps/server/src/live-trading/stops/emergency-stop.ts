import { type EmergencyDeps, StopCancellations } from './cancel-at-broker.ts'
import { type Deployment, deploymentMissing } from '../deployment.ts'
import type { Stop } from './emergency-gate.ts'
import { isStoppable, recordStop } from './record-stops.ts'

interface EmergencyReport {
  readonly stopped: number
  readonly cancelledOrders: number
  readonly problems: readonly string[]
}

/**
 * The gate first, then the database, which every process reads. The broker is asked at the same time, and once more when the
 * stop is recorded: another process may have sent an order until then.
 */
export async function emergencyStop(
  deps: EmergencyDeps,
  userId: number,
  id: number | undefined,
): Promise<EmergencyReport> {
  const problems: string[] = []
  if (id === undefined) shut(deps, { user: userId }, problems)
  const { targets, isKnown } = await findTargets(deps, userId, id, problems)
  for (const { orderKey } of targets) shut(deps, { deployment: orderKey }, problems)
  const cancellations = new StopCancellations(deps, targets, problems)
  const [recorded] = await Promise.all([
    Promise.all(targets.map((deployment) => record(deps, deployment, problems))),
    cancellations.begin(),
  ])
  if (id === undefined && isKnown && recorded.every(Boolean)) deps.gate.open({ user: userId })
  const cancelledOrders = await cancellations.finish()
  return {
    stopped: targets.filter(({ status }) => status !== 'created').length,
    cancelledOrders,
    problems,
  }
}

function shut({ gate, log, actor }: EmergencyDeps, stop: Stop, problems: string[]): void {
  try {
    gate.close({ ...stop, by: actor })
  } catch (error) {
    log.error({ err: error }, 'emergency stop not on disk')
    problems.push('The stop could not be written to disk; without the database it would not outlive the program.')
  }
}

interface Targets {
  readonly targets: readonly Deployment[]
  /** False when the database could not be asked: there may be more. */
  readonly isKnown: boolean
}

async function findTargets(
  deps: EmergencyDeps,
  userId: number,
  id: number | undefined,
  problems: string[],
): Promise<Targets> {
  const wanted = (all: readonly Deployment[]) => all.filter((one) => id === undefined || one.id === id)
  try {
    const found = wanted(await deps.database.deployments.list(userId))
    if (id !== undefined && found.length === 0) throw deploymentMissing()
    const targets = found.filter((one) => id !== undefined || isStoppable(one))
    return { targets, isKnown: true }
  } catch (error) {
    const known = wanted(deps.knownDeployments(userId))
    // A deployment of another user must not be stopped, not even without the database.
    if (id !== undefined && known.length === 0) throw error
    deps.log.error({ err: error }, 'emergency stop without the database')
    problems.push(
      'The database cannot be reached; orders are held back and the stop is recorded when it answers again.',
    )
    return { targets: known, isKnown: false }
  }
}

/** Once it is recorded in the database, the gate here opens again: a start at any process then works. */
async function record(deps: EmergencyDeps, deployment: Deployment, problems: string[]): Promise<boolean> {
  try {
    await recordStop(deps, deployment)
    deps.gate.open({ deployment: deployment.orderKey })
    return true
  } catch (error) {
    deps.log.error({ err: error, deploymentId: deployment.id }, 'emergency stop not recorded yet')
    if (problems.length === 0) problems.push('The stop could not be recorded yet; orders are held back all the same.')
    return false
  }
}
