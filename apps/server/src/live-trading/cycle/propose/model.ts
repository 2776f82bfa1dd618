import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import { dataChoiceOf, type Deployment, trainingRange } from '../../deployment.ts'
import type { ModelDescription } from '../../ports/models.ts'
import type { ModelBytes } from '../../ports/signal-service.ts'
import { isRetrained, recipeOf } from '../../retraining/recipe.ts'
import { trainNextWindow } from '../../retraining/retrain.ts'
import type { CycleDeps } from '../types.ts'
import { checksumOf, isModelLost, refuseSynthetic } from './trained-model.ts'

/** No exchange was closed for so long: the newest bar is younger. */
const NEWEST_BAR_DAYS = 10

/** Whether a model for these settings is there; trained and stored first where there is none, which takes its time. */
export async function prepareModel(deps: CycleDeps, deployment: Deployment): Promise<'ready' | 'trained'> {
  const { model: choice } = deployment.strategy
  const versions = choice ? await deps.database.models.versions(deployment.id, recipeOf(deployment)) : []
  if (!choice || versions.length > 0 || (await isModelLost(deps, deployment))) return 'ready'
  if (isRetrained(deployment)) await trainNextWindow(deps, deployment)
  else await trainOnce(deps, deployment, choice)
  return 'trained'
}

/**
 * The models that may decide now, oldest first: one that was trained before its first bar leaves those until then to the
 * one before. A missing or damaged one is refused, not replaced: it would be another one.
 */
export async function modelsFor(deps: CycleDeps, deployment: Deployment, at: Date): Promise<ModelBytes[]> {
  if (!deployment.strategy.model) return []
  deps.deploymentLog.write(deployment.id, 'INFO', 'Loading Model')
  const versions = await deps.database.models.versions(deployment.id, recipeOf(deployment))
  const newest = versions.at(-1)
  if (!newest) throw modelProblem('missing')
  const isAhead = newest.after !== null && at.getTime() - newest.after.getTime() < NEWEST_BAR_DAYS * DAY
  return loaded(deps, deployment.id, versions.slice(isAhead ? -2 : -1))
}

/** The models of these descriptions, read and verified. */
export const loaded = (
  deps: CycleDeps,
  deploymentId: number,
  versions: readonly ModelDescription[],
): Promise<ModelBytes[]> =>
  Promise.all(
    versions.map(async ({ version, after, checksum }) => ({
      version,
      after: after?.getTime() ?? null,
      bytes: deps.modelCache.get(checksum) ?? (await verified(deps, deploymentId, version, checksum)),
    })),
  )

async function verified(deps: CycleDeps, deploymentId: number, version: number, checksum: string): Promise<Uint8Array> {
  const bytes = await deps.database.models.bytes(deploymentId, version)
  if (!bytes) throw modelProblem('missing')
  if (checksumOf(bytes) !== checksum) throw modelProblem('damaged')
  deps.modelCache.add(checksum, bytes)
  return bytes
}

const modelProblem = (state: 'missing' | 'damaged'): Problem =>
  new Problem(
    'conflict',
    `deployment.model-${state}`,
    `The stored model is ${state}. Stop the deployment and save it again to train a new one.`,
  )

async function trainOnce(
  deps: CycleDeps,
  deployment: Deployment,
  choice: NonNullable<Deployment['strategy']['model']>,
): Promise<void> {
  const now = deps.clock.now()
  const range = trainingRange(deployment, now.getTime())
  const { training } = deployment.settings
  deps.deploymentLog.write(deployment.id, 'INFO', 'Loading Model: there is none for these settings, training one')
  const { description, ...trained } = await deps.signalService.train(
    {
      userId: deployment.userId,
      request: { ...deployment.strategy.request, ...range },
      ...dataChoiceOf(deployment.strategy),
      choice,
      training:
        training.mode === 'holdout' ? { mode: 'holdout', trainPct: training.holdoutTrainPct } : { mode: 'full_range' },
    },
    deps.signal,
  )
  refuseSynthetic(deployment, trained.synthetic ? ['the training range'] : [])
  const recipe = recipeOf(deployment)
  await deps.database.models.add(deployment.id, { ...trained, recipe, after: null, window: null, trainedAt: now })
  deps.deploymentLog.write(deployment.id, 'INFO', `Loading Model: trained on ${description}`)
  for (const note of trained.notes) deps.deploymentLog.write(deployment.id, 'WARNING', `Loading Model: ${note}`)
}
