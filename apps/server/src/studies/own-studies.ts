import { hasBlocks } from '@tradewright/core/strategy-kinds'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { planStudy, type StudyRequest } from '@tradewright/engine/study/plan'
import type { BacktestRun } from '../backtests/backtest-run.ts'
import { checkDates } from '../backtests/validate-run.ts'
import { enqueueJob } from '../jobs/job-watch.ts'
import { statusOf } from '../jobs/job.ts'
import type { StudyStore, StudyTransaction, Study, StudySettings } from './study.ts'
import { studyJob } from './study-job.ts'

export interface OwnStudiesDeps {
  readonly studies: StudyStore
  readonly transaction: StudyTransaction
  readonly clock: Clock
}

/** A study of the rules of a run: what varies, and how. */
export function studySettingsOf(
  { request, strategyName, provider, retriesData = false, config }: BacktestRun,
  choices: Omit<StudyRequest, 'backtest'>,
): Omit<StudySettings, 'variants' | 'labels'> {
  const { strategy, ...settings } = request
  if (!hasBlocks(strategy)) {
    throw new Problem('invalid', 'study.strategy', 'A parameter study needs a strategy of type Rules.')
  }
  return { request: { backtest: { ...settings, strategy }, ...choices }, strategyName, provider, retriesData, config }
}

/** Refuses what cannot work before anything is queued or fetched. */
export function plannedStudy(settings: Omit<StudySettings, 'variants' | 'labels'>, clock: Clock): StudySettings {
  checkDates(settings.request.backtest, clock)
  const { cells, numbers } = planStudy(settings.request)
  return { ...settings, variants: cells.length, labels: numbers.map(({ label }) => label) }
}

/** The row and its job begin together. */
export async function startStudy(
  { transaction, clock }: OwnStudiesDeps,
  userId: number,
  planned: StudySettings,
): Promise<Study> {
  return transaction(async ({ studies, jobs }) => {
    const id = await studies.add(userId, planned, clock.now())
    const request = { userId, subject: String(id), input: { studyId: id }, isLimited: true }
    const { job } = await enqueueJob({ jobs }, studyJob, request)
    await studies.setJob(id, job.id)
    return (await studies.find(userId, id))!
  })
}

export async function findStudy(
  { studies }: Pick<OwnStudiesDeps, 'studies'>,
  userId: number,
  id: number,
): Promise<Study> {
  const study = await studies.find(userId, id)
  if (!study) throw new Problem('missing', 'study.missing', 'There is no such parameter study.')
  return study
}

/** Cancels a study, whose job then stops within seconds. One that has ended stays as it is. */
export async function cancelStudy(deps: OwnStudiesDeps, userId: number, id: number): Promise<Study> {
  const study = await findStudy(deps, userId, id)
  await stop(deps, study)
  return findStudy(deps, userId, id)
}

export async function removeStudy(deps: OwnStudiesDeps, userId: number, id: number): Promise<void> {
  await stop(deps, await findStudy(deps, userId, id))
  await deps.studies.remove(userId, id)
}

const stop = ({ transaction }: OwnStudiesDeps, study: Study): Promise<void> =>
  transaction(async ({ jobs }) => {
    if (study.jobId && statusOf(study) === 'running') await jobs.requestCancel(study.userId, study.jobId)
  })
