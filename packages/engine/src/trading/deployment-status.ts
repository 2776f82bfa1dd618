import { Problem } from '@tradewright/core/problem'

export type DeploymentStatus = 'created' | 'running' | 'paused' | 'stopped'
export type ControlAction = 'start' | 'pause' | 'resume' | 'stop'

/** Every move a deployment can make; what is not here is refused. */
const DEPLOYMENT_MOVES = {
  created: { start: 'running' },
  running: { pause: 'paused', stop: 'stopped' },
  paused: { resume: 'running', stop: 'stopped' },
  stopped: { start: 'running' },
} as const satisfies Record<DeploymentStatus, Partial<Record<ControlAction, DeploymentStatus>>>

export function afterControl(status: DeploymentStatus, action: ControlAction): DeploymentStatus {
  const moves: Partial<Record<ControlAction, DeploymentStatus>> = DEPLOYMENT_MOVES[status]
  const next = moves[action]
  if (next) return next
  const possible = Object.keys(moves).join(' or ')
  throw new Problem(
    'conflict',
    'deployment.move',
    `A ${status} deployment cannot be told to ${action}; it can ${possible}.`,
  )
}

/** True where the deployment's percent counts in the allocation of its account. */
export const countsAsAllocated = (status: DeploymentStatus): boolean => status !== 'stopped'

export const isEditable = (status: DeploymentStatus): boolean => status !== 'running'

export const isDeletable = (status: DeploymentStatus): boolean => status === 'created' || status === 'stopped'
