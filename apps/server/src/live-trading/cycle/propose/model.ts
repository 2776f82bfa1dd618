import { Problem } from '@tradewright/core/problem'
import { createHash } from 'node:crypto'
import { listed } from '@tradewright/engine/backtest/provenance'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { type Deployment, trainingRange } from '../../deployment.ts'
import type { CycleDeps } from '../types.ts'

export const checksumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The inputs of a model: a change of any of them makes the stored one another strategy's. */
export function recipeOf({ strategy, settings }: Deployment): string {
  const { request, model } = strategy
  const text = JSON.stringify([request.strategy, model, request.seed, request.granularity, settings.training])
  return createHash('sha256').update(text).digest('hex')
}

/** The strategy's run with the deployment's range. Its start never moves. */
export function requestFor(deployment: Deployment, now: number): BacktestRequest {
  const { request } = deployment.strategy
  return { ...request, from: trainingRange(deployment, now).from, to: Math.floor(now / 86_400_000) }
}

/** Whether a model for these settings is there; trained and stored first where there is none, which takes its time. */
export async function prepareModel(deps: CycleDeps, deployment: Deployment): Promise<'ready' | 'trained'> {
  const { model: choice, provider } = deployment.strategy
  const recipe = recipeOf(deployment)
  const about = choice && (await deps.database.models.about(deployment.id))
  // One that has traded and lost its model is not given another: the next decision refuses to go on without it.
  const isLost = !about && deployment.lastTrade !== undefined
  const isMissing = about?.recipe !== recipe && !isLost
  if (choice && isMissing) await train(deps, deployment, recipe, choice, provider)
  return choice && isMissing ? 'trained' : 'ready'
}

/** The model that decides. A missing or damaged one is refused, not replaced: it would be another one. */
export async function modelFor(deps: CycleDeps, deployment: Deployment): Promise<Uint8Array | undefined> {
  if (!deployment.strategy.model) return undefined
  const recipe = recipeOf(deployment)
  deps.deploymentLog.write(deployment.id, 'INFO', 'Loading Model')
  const about = await deps.database.models.about(deployment.id)
  if (about?.recipe !== recipe) throw modelProblem('missing')
  return deps.modelCache.get(about.checksum) ?? verifiedModel(deps, deployment.id, recipe)
}

async function verifiedModel(deps: CycleDeps, deploymentId: number, recipe: string): Promise<Uint8Array> {
  const stored = await deps.database.models.find(deploymentId)
  if (stored?.recipe !== recipe) throw modelProblem('missing')
  if (checksumOf(stored.bytes) !== stored.checksum) throw modelProblem('damaged')
  deps.modelCache.add(stored.checksum, stored.bytes)
  return stored.bytes
}

const modelProblem = (state: 'missing' | 'damaged'): Problem =>
  new Problem(
    'conflict',
    `deployment.model-${state}`,
    `The stored model is ${state}. Stop the deployment and save it again to train a new one.`,
  )

async function train(
  deps: CycleDeps,
  deployment: Deployment,
  recipe: string,
  choice: NonNullable<Deployment['strategy']['model']>,
  provider: string,
): Promise<void> {
  const now = deps.clock.now()
  const range = trainingRange(deployment, now.getTime())
  const { training } = deployment.settings
  deps.deploymentLog.write(deployment.id, 'INFO', 'Loading Model: there is none for these settings, training one')
  const { description, ...trained } = await deps.signalService.train(
    {
      userId: deployment.userId,
      request: { ...deployment.strategy.request, ...range },
      provider,
      choice,
      training:
        training.mode === 'holdout' ? { mode: 'holdout', trainPct: training.holdoutTrainPct } : { mode: 'full_range' },
    },
    deps.signal,
  )
  refuseSynthetic(deployment, trained.synthetic ? ['the training range'] : [])
  await deps.database.models.save(deployment.id, { ...trained, recipe, trainedAt: now })
  deps.deploymentLog.write(deployment.id, 'INFO', `Loading Model: trained on ${description}`)
  for (const note of trained.notes) deps.deploymentLog.write(deployment.id, 'WARNING', `Loading Model: ${note}`)
}

/** Made-up prices never move real money. */
export function refuseSynthetic({ mayTradeSynthetic }: Deployment, synthetic: readonly string[]): void {
  if (synthetic.length > 0 && !mayTradeSynthetic)
    throw new Problem(
      'conflict',
      'deployment.synthetic',
      `The data of ${listed(synthetic)} includes made-up prices of the sample market; a brokerage account is never traded by them.`,
    )
}
