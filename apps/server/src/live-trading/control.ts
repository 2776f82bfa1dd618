import { Decimal } from '@tradewright/core/decimal'
import { nextRun } from '@tradewright/engine/live/schedule'
import { afterControl, type ControlAction } from '@tradewright/engine/trading/deployment-status'
import { nyse } from '@tradewright/engine/market/calendar/nyse'
import { percentAllocated, refuseOverAllocation } from './allocation.ts'
import { report } from './cycle/report.ts'
import { type Deployment, deploymentMissing } from './deployment.ts'
import type { LiveDeps } from './deps.ts'
import type { LiveStores } from './ports.ts'
import { scheduleOf } from './schedule.ts'

const SENTENCES = {
  start: 'Started.',
  pause: 'Paused: nothing new is decided; orders that are open stay open.',
  resume: 'Resumed.',
  stop: 'Stopped: open orders are cancelled, positions are kept.',
} as const satisfies Record<ControlAction, string>

/** Moves a deployment by the table of its states. The runner sees it within a second. */
export async function controlDeployment(
  deps: LiveDeps,
  userId: number,
  id: number,
  action: ControlAction,
): Promise<Deployment> {
  const known = await findDeployment(deps, userId, id)
  const begins = action === 'start' || action === 'resume'
  // Fails with the reason when the account is gone or its keys are not verified.
  if (begins) await deps.brokerFor(userId, known.accountId)
  if (begins) await settleEmergency(deps, userId)
  // Before the status changes: a runner that met a closed door would stop it again.
  if (begins) deps.gate.openDeployment(known.orderKey)
  const changed = await deps.database.transaction(async (stores) => {
    const deployment = await stores.deployments.lock(userId, id)
    if (!deployment) throw deploymentMissing()
    const status = afterControl(deployment.status, action)
    if (deployment.status === 'stopped') await refuseTooMuch(stores, deployment)
    const next = begins ? nextRun(scheduleOf(deployment), deps.clock.now().getTime(), nyse) : undefined
    const nextRunAt = next === undefined ? null : new Date(next)
    await stores.deployments.change(id, { status, nextRunAt, healthProblem: null })
    return (await stores.deployments.find(userId, id))!
  })
  await report(deps, changed, 'info', SENTENCES[action])
  return changed
}

export async function findDeployment(
  { database }: Pick<LiveDeps, 'database'>,
  userId: number,
  id: number,
): Promise<Deployment> {
  const deployment = await database.deployments.find(userId, id)
  if (!deployment) throw deploymentMissing()
  return deployment
}

/** A stopped percent no longer counted; others may have taken its place. */
async function refuseTooMuch(stores: LiveStores, deployment: Deployment): Promise<void> {
  if (deployment.capitalPolicy !== 'percent_of_account') return
  const books = await stores.books.books(deployment.accountId)
  const state = await stores.books.state(deployment.accountId)
  const others = (await stores.deployments.onAccount(deployment.accountId)).filter(({ id }) => id !== deployment.id)
  const current = percentAllocated(others, books, state?.equity ?? Decimal.zero, (ticker) => state?.prices.get(ticker))
  refuseOverAllocation(current, deployment.capitalPolicyValue)
}

/** After an emergency stop of everything, the others are stopped in the database before one may start again. */
async function settleEmergency(deps: LiveDeps, userId: number): Promise<void> {
  if (!deps.gate.isUserClosed(userId)) return
  for (const deployment of await deps.database.deployments.list(userId)) {
    if (deployment.status !== 'running' && deployment.status !== 'paused') continue
    await deps.database.deployments.change(deployment.id, { status: 'stopped', nextRunAt: null })
  }
  deps.gate.openUser(userId)
}
