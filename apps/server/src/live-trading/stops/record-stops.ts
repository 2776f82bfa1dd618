import { SYSTEM } from '../actor.ts'
import { recordNote } from '../cycle/record-note.ts'
import type { Deployment } from '../deployment.ts'
import type { Stop } from './emergency-gate.ts'
import type { CycleDeps } from '../cycle/types.ts'
import { isHeld } from '../refuse-held.ts'

type Needs = Pick<CycleDeps, 'database' | 'gate' | 'clock' | 'log' | 'deploymentLog' | 'notify' | 'actor' | 'alert'>

/** Stops that were requested while the database was away are recorded in it; the gate then has nothing left to hold. */
export async function recordStops(deps: Needs): Promise<void> {
  for (const stop of deps.gate.waiting()) {
    const asked = { ...deps, actor: stop.by ?? SYSTEM }
    for (const deployment of await targetsOf(deps, stop)) await recordStop(asked, deployment)
    deps.gate.open(stop)
  }
}

async function targetsOf({ database }: Needs, stop: Stop): Promise<readonly Deployment[]> {
  if ('user' in stop) return database.deployments.list(stop.user)
  const deployment = await database.deployments.byOrderKey(stop.deployment)
  return deployment ? [deployment] : []
}

/** From here on no process claims an order of it. One that was never started has nothing to stop. */
export async function recordStop(deps: Needs, { userId, id }: Deployment): Promise<boolean> {
  const stopped = await deps.database.transaction(async ({ deployments }) => {
    const current = await deployments.lock(userId, id)
    if (!current || !isStoppable(current)) return undefined
    const emergencyStoppedAt = deps.clock.now()
    await deployments.change(id, {
      status: 'stopped',
      statusAt: emergencyStoppedAt,
      nextRunAt: null,
      emergencyStoppedAt,
      liquidatingSince: null,
      runMissedAt: null,
    })
    return current
  })
  if (!stopped) return false
  await recordNote(deps, stopped, {
    code: 'emergency-stop',
    level: 'warning',
    sentence: `Stopped by the emergency stop; open orders are ${(await isHeld(deps, id)) ? 'not ' : ''}cancelled, positions are kept.`,
  })
  return true
}

/** A sale of everything is stopped as well: what is not sold yet is kept. */
export const isStoppable = ({ status, liquidatingSince }: Deployment): boolean =>
  status === 'running' || status === 'paused' || liquidatingSince !== null
