import { Problem } from '@tradewright/core/problem'
import { isEditable } from '@tradewright/engine/trading/deployment-status'
import { refuseLooserLimits } from '../cycle/commit/limit-orders.ts'
import { checksumOf } from '../cycle/propose/trained-model.ts'
import { recordNote } from '../cycle/record-note.ts'
import { findDeployment } from '../control.ts'
import { type Deployment, deploymentMissing, type DeploymentSettings } from '../deployment.ts'
import type { LiveDeps } from '../deps.ts'
import { findRunnable, signalTickers } from './deployable-strategies.ts'
import type { LiveStores } from '../ports/database.ts'
import { chosenRetraining, recipeOf, withoutWindows } from '../retraining/recipe.ts'
import { refuseOrderType } from './refuse-order-type.ts'
import { refuseShorts } from './refuse-shorts.ts'
import { settleChanges } from '../ticker-changes/choose.ts'
import { refuseInvalidMapping } from './validate-tickers.ts'

export interface EditForm {
  readonly name: string
  readonly strategyId: number | null
  readonly accountId: number | null
  /** Safety settings that are left out stay as they are. */
  readonly settings: Omit<DeploymentSettings, 'dryRun' | 'maxDailyLossPct' | 'maxDrawdownPct'> &
    Partial<DeploymentSettings>
}

export async function editDeployment(deps: LiveDeps, userId: number, id: number, form: EditForm): Promise<Deployment> {
  const known = await findDeployment(deps, userId, id)
  refuseRunning(known)
  const strategyId = form.strategyId ?? known.strategyId
  if (form.name.trim() === '') throw invalid('name', 'Please enter a deployment name')
  if (form.accountId !== null && form.accountId !== known.accountId)
    await refuseMove(deps, userId, known, form.accountId)
  // A strategy that was deleted meanwhile goes on as it was kept.
  const fresh = strategyId === null ? undefined : await findRunnable(deps, userId, strategyId)
  const { successors } = known.strategy
  const runnable = fresh ? { ...fresh.runnable, ...(successors && { successors }) } : known.strategy
  const broker = await deps.brokerFor(userId, known.accountId)
  await refuseInvalidMapping(broker, signalTickers(runnable), form.settings.tickerMapping, 'update')
  refuseLooserLimits(deps, form.settings)
  const { dryRun, maxDailyLossPct, maxDrawdownPct, lossAction, orderLimits, execution } = known.settings
  const retraining = chosenRetraining(runnable, form.settings.retraining, known.settings.retraining ?? 'never')
  const kept = {
    dryRun,
    maxDailyLossPct,
    maxDrawdownPct,
    ...(lossAction && { lossAction }),
    ...(orderLimits && { orderLimits }),
    ...(execution && { execution }),
  }
  const settings = { ...kept, ...form.settings, retraining }
  const account = await deps.accounts.find(userId, known.accountId)
  if (account) refuseOrderType(account, runnable, settings)
  await refuseShorts(deps, broker, { id, accountId: known.accountId, strategy: runnable, settings })
  const edited = await deps.database.transaction(async (stores) => {
    const deployment = await stores.deployments.lock(userId, id)
    if (!deployment) throw deploymentMissing()
    refuseRunning(deployment)
    const isAnother =
      JSON.stringify([withoutWindows(runnable.request.strategy), settings.tickerMapping]) !==
      JSON.stringify([withoutWindows(deployment.strategy.request.strategy), deployment.settings.tickerMapping])
    const strategy = await settleChanges(stores, { id, strategy: runnable, settings })
    await stores.deployments.change(id, {
      name: form.name.trim(),
      strategyId,
      strategy,
      settings,
      healthProblem: null,
      retrainAt: null,
      retrainingProblem: null,
      ...(fresh && { strategyName: fresh.strategy.name, strategyType: fresh.strategy.type }),
      ...((isAnother || (await dropBrokenModel(stores, deployment))) && { lastTrade: null }),
    })
    return (await stores.deployments.find(userId, id))!
  })
  await recordNote(deps, edited, { code: 'edited', level: 'info', sentence: 'Settings edited.' })
  return edited
}

/** Saving again is how a damaged or lost model is replaced: the next run trains a new one. */
async function dropBrokenModel({ models }: LiveStores, deployment: Deployment): Promise<boolean> {
  if (!deployment.strategy.model) return false
  const { id } = deployment
  const newest = (await models.versions(id, recipeOf(deployment))).slice(-2)
  const checked = await Promise.all(
    newest.map(async ({ version, checksum }) => {
      const bytes = await models.bytes(id, version)
      return { version, isSound: bytes !== undefined && checksumOf(bytes) === checksum }
    }),
  )
  const broken = checked.filter(({ isSound }) => !isSound)
  for (const { version } of broken) await models.remove(id, version)
  return newest.length === 0 || broken.length > 0
}

function refuseRunning({ status }: Deployment): void {
  if (isEditable(status)) return
  throw new Problem(
    'conflict',
    'deployment.running',
    'Only stopped or paused deployments can be edited. Stop deployment first to edit.',
  )
}

/** Money cannot be moved between brokers by editing a form. */
async function refuseMove(
  deps: LiveDeps,
  userId: number,
  { id, accountId }: Deployment,
  wanted: number,
): Promise<never> {
  if (!(await deps.accounts.find(userId, wanted)))
    throw new Problem('missing', 'account.missing', 'There is no such brokerage account.')
  const slice = await deps.database.books.slice(accountId, id)
  const holds = slice.cash.isZero && slice.positions.size === 0 ? '' : ' while it has money or positions in this one'
  throw new Problem(
    'conflict',
    'deployment.account',
    `A deployment cannot move to another account${holds}. Deploy the strategy again there.`,
  )
}

const invalid = (what: string, message: string) => new Problem('invalid', `deployment.${what}`, message)
