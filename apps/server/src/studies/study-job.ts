import { hasBlocks } from '@tradewright/core/strategy-kinds'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { planStudy, type StudyPlan, studySeries, type StudyRequest } from '@tradewright/engine/study/plan'
import { z } from 'zod'
import type { VariantResult } from '@tradewright/engine/study/evaluate'
import { fetchRequired } from '../backtests/market-data-for.ts'
import type { SeriesSource } from '../backtests/ports.ts'
import { defineJobKind, type JobContext, statusOf } from '../jobs/job.ts'
import { packData, unpackData } from '../optimizer/market-data.ts'
import type {
  StudyWorkStore,
  StudySettings,
  Compute,
  PreparedStudies,
  PreparedStudy,
  StudyStore,
  StudyTransaction,
  Study,
} from './study.ts'
import { type Evaluate, onPool, overQueue, type PieceAnswer, pieceSettings, type QueueDeps } from '../jobs/pieces.ts'
import type { BacktestRun } from '../backtests/backtest-run.ts'
import { checkDates } from '../backtests/validate-run.ts'
import { enqueueJob } from '../jobs/job-watch.ts'

const studyJob = { kind: 'parameter-study', input: z.object({ studyId: z.int() }) } as const

interface StudyJobDeps {
  readonly work: StudyWorkStore
  readonly source: SeriesSource
  readonly compute: Compute
  readonly prepared: PreparedStudies
  /** Cancels pieces that are left of an attempt which did not end by itself. */
  readonly cancelPieces: (studyId: number, userId: number) => Promise<void>
  /** Evaluates variants in this process, or through the queue. */
  readonly evaluatorOf: (studyId: number, study: PreparedStudy) => VariantEvaluator
  readonly clock: Clock
}

/** It goes on from its last stored results, so a worker may die often before a study is given up. */
const ATTEMPTS = 10
const STUDIES_AT_ONCE = 8
const STUDIES_AT_ONCE_PER_USER = 2

/** Results are stored about this often: what is lost when the process dies, and when another user's study has its turn. */
const ROUND_SECONDS = 3
const FIRST_ROUND = 32
const MAX_ROUND = 1000

/** The parts of the progress bar before and after the variants. */
const BEGIN = 0.04
const END = 0.97

interface Attempt {
  readonly deps: StudyJobDeps
  readonly context: JobContext<unknown>
  readonly id: number
  readonly settings: StudySettings
  readonly plan: StudyPlan
}

export const studyJobKind = (deps: StudyJobDeps) =>
  defineJobKind({
    ...studyJob,
    attemptLimit: ATTEMPTS,
    concurrency: STUDIES_AT_ONCE,
    concurrencyPerUser: STUDIES_AT_ONCE_PER_USER,
    async run(context, { studyId: id }): Promise<null> {
      const settings = await deps.work.find(id, context.jobId)
      // Deleted meanwhile.
      if (!settings) return null
      await deps.cancelPieces(id, context.userId)
      const attempt = { deps, context, id, settings, plan: planStudy(settings.request) }
      try {
        await complete(attempt)
      } catch (error) {
        await fail(attempt, error)
        throw error
      } finally {
        deps.prepared.forget(id)
      }
      return null
    },
  })

async function complete(attempt: Attempt): Promise<void> {
  const { deps, context, id } = attempt
  const { jobId, userId, signal } = context
  await fetchPrices(attempt)
  const study = await deps.prepared.get(id, userId)
  await evaluateAll(attempt, deps.evaluatorOf(id, study))
  context.reportProgress({ fraction: END, note: 'Judging the best variant' })
  const results = await deps.work.results(id)
  const report = await deps.compute.run('studies/report', { study, results }, { owner: String(userId), signal })
  const { problems } = unpackData(Uint8Array.from(study.data))
  const notes = problems.map(({ sentence }) => sentence)
  await deps.work.end(id, jobId, { as: 'completed', error: null, outcome: { report, notes }, at: deps.clock.now() })
}

async function fetchPrices({ deps, context, id, settings, plan }: Attempt): Promise<void> {
  const { signal, jobId, userId } = context
  if (await deps.work.data(id)) return
  context.reportProgress({ fraction: 0, note: 'Fetching prices' })
  const { provider, retriesData: retries, request } = settings
  const access = { userId, provider, retries, source: deps.source, signal }
  await deps.work.keepData(id, jobId, packData(await fetchRequired(studySeries(plan), request.backtest, access)))
  signal.throwIfAborted()
}

const durationWords = (seconds: number): string =>
  seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`

/** Round after round; each is stored when it is complete. */
async function evaluateAll({ deps, context, id, plan }: Attempt, evaluate: VariantEvaluator): Promise<void> {
  const { signal, jobId, userId, reportProgress } = context
  const total = plan.cells.length
  let done = (await deps.work.results(id)).length
  let length = FIRST_ROUND
  let perSecond = 0
  const say = (count: number) => {
    const left = perSecond > 0 ? ` · about ${durationWords((total - count) / perSecond)} left` : ''
    const note = `${count.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} variants${left}`
    reportProgress({ fraction: BEGIN + (END - BEGIN) * (count / total), note })
  }
  while (done < total) {
    signal.throwIfAborted()
    const begun = performance.now()
    const first = done
    const cells = plan.cells.slice(first, first + length)
    say(first)
    const results = await evaluate(cells, { userId, signal, onProgress: (count) => say(first + count) })
    const seconds = (performance.now() - begun) / 1000
    if (!(await deps.work.addResults(id, jobId, { first, results, seconds }))) throw notOurs()
    done += results.length
    perSecond = results.length / seconds
    length = Math.max(1, Math.min(MAX_ROUND, Math.round(perSecond * ROUND_SECONDS)))
    // The row above is the checkpoint; this one lets another user's study have its turn.
    await context.checkpoint({ done })
  }
}

/** A job that was told to stop says nothing. */
async function fail({ deps, context, id }: Attempt, error: unknown): Promise<void> {
  if (context.signal.aborted || !(error instanceof Problem)) return
  await deps.work.end(id, context.jobId, { as: 'failed', error: error.message, outcome: null, at: deps.clock.now() })
}

const notOurs = () => new Problem('conflict', 'study.taken-over', 'The study was deleted or taken over.')

/** Some variants of one study: what is lost when a worker dies. */
export const pieceJob = {
  kind: 'parameter-study-piece',
  input: z.object({ studyId: z.int(), cells: z.array(z.int()) }),
} as const

interface PieceResult extends PieceAnswer {
  readonly results: VariantResult[]
}

export function pieceJobKind({ compute, prepared }: { compute: Compute; prepared: PreparedStudies }) {
  const { process, limits } = pieceSettings(compute.threads)
  return defineJobKind({
    ...pieceJob,
    ...limits,
    async run({ userId, signal }, { studyId, cells }): Promise<PieceResult> {
      const study = await prepared.get(studyId, userId)
      signal.throwIfAborted()
      return {
        ...(await compute.run('studies/evaluate', { study, cells }, { owner: String(userId), signal })),
        process,
      }
    },
  })
}

/** Evaluates variants by their cells, in their order. Who does it, and in which pieces, never shows in the result. */
type VariantEvaluator = Evaluate<number, VariantResult>

/** Evaluates on the threads of this process. */
export const poolVariants = (compute: Compute, study: PreparedStudy): VariantEvaluator =>
  onPool(compute.threads, (cells, options) => compute.run('studies/evaluate', { study, cells }, options))

/** Evaluates on the threads of every process that takes jobs. */
export const queueVariants = (deps: QueueDeps, studyId: number): VariantEvaluator =>
  overQueue(deps, pieceJob, {
    subject: String(studyId),
    inputOf: (cells) => ({ studyId, cells: [...cells] }),
    read: (answer) => answer as PieceResult,
  })

/** Pieces of an attempt that ended, or whose process died: no attempt waits for them, and others wait behind them. */
export const cancelPieces = ({ jobs }: Pick<QueueDeps, 'jobs'>, studyId: number, userId: number): Promise<void> =>
  jobs.cancelAll(userId, pieceJob.kind, String(studyId))

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
