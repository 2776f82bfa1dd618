import type { Deployment } from '../deployment.ts'
import type { CycleDeps } from './types.ts'

const LEVELS = { info: 'INFO', warning: 'WARNING', error: 'ERROR' } as const

/** Something the user should know: a line in the log, an item in the activity, and for errors an e-mail. */
export async function report(
  deps: Pick<CycleDeps, 'database' | 'deploymentLog' | 'clock' | 'notify' | 'log'>,
  deployment: Deployment,
  level: 'info' | 'warning' | 'error',
  message: string,
): Promise<void> {
  deps.deploymentLog.write(deployment.id, LEVELS[level], `Status: ${message}`)
  if (level === 'error') {
    const subject = `${deployment.name}: trading problem`
    await deps.notify(deployment, 'errors', { subject, text: message, key: `error:${message}` })
  }
  await deps.database.journal
    .tell([{ deploymentId: deployment.id, at: deps.clock.now(), activity: { type: 'event', level, message } }])
    // The line in the log stands; an activity that cannot be stored must not stop an order from being looked up.
    .catch((error: unknown) => deps.log.warn({ err: error, deploymentId: deployment.id }, 'activity not stored'))
}

/** The one sentence that says why a running deployment does not trade; told when it changes. */
export async function setHealth(deps: CycleDeps, deployment: Deployment, problem: string | null): Promise<void> {
  const current = await deps.database.deployments.byId(deployment.id)
  if (!current || current.healthProblem === problem) return
  await deps.database.deployments.change(deployment.id, { healthProblem: problem })
  await report(deps, deployment, problem === null ? 'info' : 'error', problem ?? 'Trading as planned again.')
}
