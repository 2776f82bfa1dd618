import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { planConstruction } from '@tradewright/engine/construction/request'
import { checkDates } from '../backtests/validate-run.ts'
import { enqueueJob } from '../jobs/enqueue-job.ts'
import { statusOf } from '../jobs/job-item.ts'
import type { Construction, ConstructionSettings, ConstructionStore, ConstructionTransaction } from './construction.ts'
import { constructionJob } from './construction-job.ts'

export interface OwnConstructionsDeps {
  readonly constructions: ConstructionStore
  readonly transaction: ConstructionTransaction
  readonly clock: Clock
}

/** Refuses what cannot work before anything is queued or fetched. */
export function plannedConstruction(
  settings: Omit<ConstructionSettings, 'tickers'>,
  clock: Clock,
): ConstructionSettings {
  checkDates(settings.request.backtest, clock)
  return { ...settings, tickers: planConstruction(settings.request).tickers }
}

/** The row and its job begin together. */
export async function startConstruction(
  { transaction, clock }: OwnConstructionsDeps,
  userId: number,
  planned: ConstructionSettings,
): Promise<Construction> {
  return transaction(async ({ constructions, jobs }) => {
    const id = await constructions.add(userId, planned, clock.now())
    const request = { userId, subject: String(id), input: { constructionId: id }, isLimited: true }
    const { job } = await enqueueJob({ jobs }, constructionJob, request)
    await constructions.setJob(id, job.id)
    return (await constructions.find(userId, id))!
  })
}

export async function findConstruction(
  { constructions }: Pick<OwnConstructionsDeps, 'constructions'>,
  userId: number,
  id: number,
): Promise<Construction> {
  const found = await constructions.find(userId, id)
  if (!found) throw new Problem('missing', 'construction.missing', 'There is no such portfolio construction.')
  return found
}

/** Cancels a construction, whose job then stops within seconds. One that has ended stays as it is. */
export async function cancelConstruction(
  deps: OwnConstructionsDeps,
  userId: number,
  id: number,
): Promise<Construction> {
  await stop(deps, await findConstruction(deps, userId, id))
  return findConstruction(deps, userId, id)
}

export async function removeConstruction(deps: OwnConstructionsDeps, userId: number, id: number): Promise<void> {
  await stop(deps, await findConstruction(deps, userId, id))
  await deps.constructions.remove(userId, id)
}

const stop = ({ transaction }: OwnConstructionsDeps, construction: Construction): Promise<void> =>
  transaction(async ({ jobs }) => {
    const { jobId, userId } = construction
    if (jobId && statusOf(construction) === 'running') await jobs.requestCancel(userId, jobId)
  })
