import type { ConstructionReport } from '@tradewright/engine/construction/report'
import { type ConstructionRequest, planConstruction } from '@tradewright/engine/construction/request'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { requiredSeries } from '@tradewright/engine/backtest/required-series'
import { z } from 'zod'
import { type JobItem, type JobItemEnd, type JobStore, statusOf, defineJobKind, type JobContext } from '../jobs/job.ts'
import type { StrategyConfig } from '../strategies/strategy.ts'
import { checkDates } from '../backtests/validate-run.ts'
import { enqueueJob } from '../jobs/job-watch.ts'
import { fetchForThread, type RunDeps } from '../backtests/execute-run.ts'
import { fetchRequired } from '../backtests/market-data-for.ts'

/** A user's request, and the values of the form it was asked from. Plain data for any process. */
export interface ConstructionSettings {
  readonly request: ConstructionRequest
  readonly name: string
  /** A provider's id, or `auto`. */
  readonly provider: string
  readonly retriesData: boolean
  /** The Studio's settings, so that it can open them again. */
  readonly config: StrategyConfig
  readonly tickers: readonly string[]
}

/** What is kept of one that has ended well. Plain JSON. */
export interface ConstructionOutcome {
  readonly report: ConstructionReport
  /** What could not be had of the prices as it was asked for. */
  readonly notes: readonly string[]
}

export interface ConstructionItem extends JobItem {
  readonly settings: ConstructionSettings
}

export interface Construction extends ConstructionItem {
  readonly outcome: ConstructionOutcome | null
}

/** The constructions of one user at a time: another's do not exist. */
export interface ConstructionStore {
  add(userId: number, settings: ConstructionSettings, at: Date): Promise<number>
  setJob(id: number, jobId: string): Promise<void>
  /** Newest first. */
  list(userId: number): Promise<ConstructionItem[]>
  find(userId: number, id: number): Promise<Construction | undefined>
  remove(userId: number, id: number): Promise<void>
}

interface ConstructionEnding {
  readonly as: JobItemEnd
  readonly error: string | null
  readonly outcome: ConstructionOutcome | null
  readonly at: Date
}

/** For the worker that a job belongs to. Writes of a job that no longer owns the construction change nothing. */
export interface ConstructionWorkStore {
  settings(id: number, jobId: string): Promise<ConstructionSettings | undefined>
  end(id: number, jobId: string, ending: ConstructionEnding): Promise<void>
}

interface ConstructionStores {
  readonly constructions: ConstructionStore
  readonly jobs: JobStore
}

/** Everything that the work writes lands, or nothing does. */
export type ConstructionTransaction = <Result>(work: (stores: ConstructionStores) => Promise<Result>) => Promise<Result>

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

const constructionJob = {
  kind: 'portfolio-construction',
  input: z.object({ constructionId: z.int() }),
} as const

/** Once more for a worker that died, and once for one that was silent under load when it went on. */
const ATTEMPTS = 3

interface ConstructionJobDeps extends Pick<RunDeps, 'source' | 'compute'> {
  readonly work: ConstructionWorkStore
  readonly clock: Clock
}

export const constructionJobKind = (deps: ConstructionJobDeps) =>
  defineJobKind({
    ...constructionJob,
    attemptLimit: ATTEMPTS,
    async run(context, { constructionId: id }): Promise<null> {
      const { jobId, signal } = context
      const settings = await deps.work.settings(id, jobId)
      // Deleted meanwhile.
      if (!settings) return null
      try {
        const outcome = await compute(deps, context, settings)
        await deps.work.end(id, jobId, { as: 'completed', error: null, outcome, at: deps.clock.now() })
      } catch (error) {
        // A job that was told to stop says nothing.
        if (!signal.aborted && error instanceof Problem) {
          await deps.work.end(id, jobId, { as: 'failed', error: error.message, outcome: null, at: deps.clock.now() })
        }
        throw error
      }
      return null
    },
  })

async function compute(
  deps: ConstructionJobDeps,
  job: JobContext<unknown>,
  { request, provider, retriesData: retries }: ConstructionSettings,
) {
  const { userId, signal } = job
  const { backtest } = planConstruction(request)
  const access = { userId, provider, retries, source: deps.source, signal }
  const { data, problems, options } = await fetchForThread(job, () =>
    fetchRequired(requiredSeries(backtest), backtest.settings, access),
  )
  const outcome = await deps.compute.run('construction/run', { request, data }, options)
  signal.throwIfAborted()
  return { report: outcome, notes: problems.map(({ sentence }) => sentence) }
}
