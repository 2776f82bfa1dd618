import { sentenceFor } from '@tradewright/core/problem'
import { HOUR, MINUTE } from '@tradewright/core/time'
import { databaseOutage } from '../../database-failure.ts'
import { isModelLost, refuseSynthetic } from '../cycle/propose/trained-model.ts'
import { recordNote } from '../cycle/record-note.ts'
import type { CycleDeps } from '../cycle/types.ts'
import { dataChoiceOf, type Deployment, requestFor } from '../deployment.ts'
import type { ModelDescription } from '../ports/models.ts'
import type { RetrainingAnswer } from '../ports/signal-service.ts'
import { isRetrained, recipeOf } from './recipe.ts'

/** A bar that should be there and is not is looked for again after this long. */
const RECHECK_MS = 15 * MINUTE
const RETRY_MS = HOUR
const BUSY_RETRY_MS = MINUTE

/** The model of its next walk-forward window can be trained, or was to be and is not yet. */
export const isTrainingDue = (deployment: Deployment, now: Date): boolean =>
  isRetrained(deployment) && (deployment.retrainAt === null || deployment.retrainAt <= now)

/** Trains the next model. One that fails is told, and tried again later; the old one decides until then. */
export async function retrain(deps: CycleDeps, deployment: Deployment): Promise<void> {
  try {
    await trainNextWindow(deps, deployment)
  } catch (error) {
    // Another process takes it up where this one is shutting down.
    if (deps.signal.aborted) return
    const outage = databaseOutage(error)
    if (!outage) return tellFailure(deps, deployment, error)
    deps.log.warn({ deploymentId: deployment.id, reason: outage.message }, 'retraining waits for the database')
    await schedule(deps, deployment, deps.clock.now().getTime() + BUSY_RETRY_MS).catch(() => {})
  }
}

/** The model of the next window, if it is due. Nothing changes before it is complete. */
export async function trainNextWindow(deps: CycleDeps, deployment: Deployment): Promise<void> {
  const now = deps.clock.now()
  const { strategy, userId } = deployment
  const newest = (await deps.database.models.versions(deployment.id, recipeOf(deployment))).at(-1)
  if (!newest && (await isModelLost(deps, deployment))) return schedule(deps, deployment, now.getTime() + RETRY_MS)
  const answer = await deps.signalService.retrain(
    {
      userId,
      request: requestFor(deployment, now.getTime()),
      ...dataChoiceOf(strategy),
      choice: strategy.model!,
      refit: {
        sizedTo: strategy.request.to,
        sizedOnRows: newest?.window?.sizedOnRows,
        newest: newest?.window?.number,
        at: now.getTime(),
      },
    },
    deps.signal,
  )
  if (answer.model) await keep(deps, deployment, { ...answer, model: answer.model }, newest)
  else await schedule(deps, deployment, Math.max(answer.nextAt, now.getTime() + RECHECK_MS))
}

interface Refitted extends RetrainingAnswer {
  readonly model: NonNullable<RetrainingAnswer['model']>
}

async function keep(
  deps: CycleDeps,
  deployment: Deployment,
  { model, nextAt }: Refitted,
  newest: ModelDescription | undefined,
): Promise<void> {
  refuseSynthetic(deployment, model.synthetic ? ['the training range'] : [])
  const { description, window, ...trained } = model
  const recipe = recipeOf(deployment)
  const version = await deps.database.transaction(async (stores) => {
    // The lock that a decision takes, too: which bar was decided last does not change meanwhile.
    const current = (await stores.deployments.lockAll([deployment.id])).get(deployment.id)
    if (!current || recipeOf(current) !== recipe) return undefined
    const decided = newest && (await stores.decisions.latest(deployment.id))?.signal.dataAsOf
    const after = new Date(Math.max(window.after, decided ?? 0))
    const { number, sizedOnRows } = window
    await stores.deployments.change(deployment.id, { retrainAt: new Date(nextAt), retrainingProblem: null })
    return stores.models.add(deployment.id, {
      ...trained,
      recipe,
      after,
      window: { number, sizedOnRows },
      trainedAt: deps.clock.now(),
    })
  })
  if (version === undefined) return
  deps.deploymentLog.write(deployment.id, 'INFO', `Loading Model: version ${version} trained on ${description}`)
  for (const note of trained.notes) deps.deploymentLog.write(deployment.id, 'WARNING', `Loading Model: ${note}`)
  const sentence = `Model version ${version} was trained on ${trained.from} to ${trained.to}.`
  await recordNote(deps, deployment, { code: 'model-trained', level: 'info', sentence })
}

const schedule = ({ database }: CycleDeps, { id }: Deployment, at: number): Promise<void> =>
  database.deployments.change(id, { retrainAt: new Date(at), retrainingProblem: null })

async function tellFailure(deps: CycleDeps, deployment: Deployment, error: unknown): Promise<void> {
  const newest = (await deps.database.models.versions(deployment.id, recipeOf(deployment))).at(-1)
  const sentence = newest
    ? `The model that is due could not be trained; version ${newest.version} continues to decide. ${sentenceFor(error)}`
    : `The first model could not be trained. ${sentenceFor(error)}`
  deps.log.warn({ err: error, deploymentId: deployment.id }, 'a deployment could not be retrained')
  const retrainAt = new Date(deps.clock.now().getTime() + RETRY_MS)
  await deps.database.deployments.change(deployment.id, { retrainAt, retrainingProblem: sentence })
  if (deployment.retrainingProblem !== sentence) {
    await recordNote(deps, deployment, { code: 'training-failed', level: 'error', sentence })
  }
}
