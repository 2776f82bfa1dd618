import type { Note } from '@tradewright/core/note'
import { type Actor, actorInWords, SYSTEM } from '../actor.ts'
import type { Deployment } from '../deployment.ts'
import type { CycleDeps, DeploymentDeps } from './types.ts'

const LEVELS = { info: 'INFO', warning: 'WARNING', error: 'ERROR' } as const

export const tradingAsPlanned: Note = {
  code: 'trading-as-planned',
  level: 'info',
  sentence: 'Trading as planned again.',
}

/** Something the user should know: a line in the log, an item in the activity, and for errors an e-mail. */
export async function recordNote(
  deps: Pick<CycleDeps, 'database' | 'deploymentLog' | 'clock' | 'notify' | 'log' | 'actor' | 'alert'>,
  deployment: Deployment,
  note: Note,
): Promise<void> {
  const { level, sentence } = note
  const actor = deps.actor ?? SYSTEM
  deps.deploymentLog.write(deployment.id, LEVELS[level], `Status: ${sentence} [by ${actorInWords(actor)}]`)
  if (level === 'error') {
    const subject = `${deployment.name}: trading problem`
    await deps.notify(deployment, 'errors', { subject, text: sentence, key: `error:${sentence}` })
  }
  await deps.alert?.(deployment, note, actor)
  await deps.database.journal
    .tell([
      {
        deploymentId: deployment.id,
        at: deps.clock.now(),
        activity: { type: 'event', level, message: sentence, actor },
      },
    ])
    // The line in the log stands; an activity that cannot be stored must not stop an order from being looked up.
    .catch((error: unknown) => deps.log.warn({ err: error, deploymentId: deployment.id }, 'activity not stored'))
}

/** Stores why a deployment does not trade, or null when nothing keeps it from that; told when it changes. */
export async function setHealth(
  deps: CycleDeps,
  deployment: Deployment,
  problem: Note | null,
  whenOver: Note = tradingAsPlanned,
): Promise<void> {
  const current = await deps.database.deployments.byId(deployment.id)
  if (current && !isSame(current.healthProblem, problem)) {
    await deps.database.deployments.change(deployment.id, { healthProblem: problem })
    await recordNote(deps, { ...deployment, healthProblem: problem }, problem ?? whenOver)
  }
}

/** The dependencies with the actor whom the notes of a deployment name as the one who asked. */
export function forDeployment<D extends CycleDeps>(
  deps: D,
  deployment: Deployment,
  actor: Actor = deps.actor ?? SYSTEM,
): D & DeploymentDeps {
  const asked = { ...deps, actor }
  return {
    ...asked,
    note: (note) => recordNote(asked, deployment, note),
    setHealth: (problem) => setHealth(asked, deployment, problem),
  }
}

const isSame = (a: Note | null, b: Note | null): boolean => a?.code === b?.code && a?.sentence === b?.sentence
