import { Problem } from '@tradewright/core/problem'
import { afterControl } from '@tradewright/engine/trading/deployment-status'
import type { Actor } from '../actor.ts'
import type { Deployment } from '../deployment.ts'
import type { DeploymentChange } from '../ports/deployments.ts'

/** What becomes of the positions of a deployment that is stopped. */
export type StoppedPositions = 'keep' | 'sell'

/**
 * A stop that sells everything. One that was stopped before may be told so as well, for what it kept; an emergency stop ends
 * by that, as it does by a start.
 */
export function stopAndSell(deployment: Deployment, at: Date, actor: Actor): DeploymentChange {
  refuseDuringLiquidation(deployment, 'asked to sell everything again')
  if (deployment.settings.dryRun) {
    const sentence =
      'A dry run sends no orders, so it cannot sell. Stop it and keep its positions, or end the dry run first.'
    throw new Problem('conflict', 'deployment.dry-run', sentence)
  }
  const status = deployment.status === 'stopped' ? 'stopped' : afterControl(deployment.status, 'stop')
  const sale = { liquidatingSince: at, liquidatingBy: actor }
  return { status, statusAt: at, nextRunAt: null, healthProblem: null, emergencyStoppedAt: null, ...sale }
}

export function refuseDuringLiquidation({ liquidatingSince }: Deployment, verb: string): void {
  if (liquidatingSince === null) return
  const sentence = `It is selling everything and cannot be ${verb} until that has finished. The emergency stop ends it at once.`
  throw new Problem('conflict', 'deployment.liquidating', sentence)
}
