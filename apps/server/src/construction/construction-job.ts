import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { requiredSeries } from '@tradewright/engine/backtest/required-series'
import { planConstruction } from '@tradewright/engine/construction/request'
import { z } from 'zod'
import { fetchForThread, type RunDeps } from '../backtests/execute-run.ts'
import { fetchRequired } from '../backtests/market-data-for.ts'
import { defineJobKind, type JobContext } from '../jobs/job-kind.ts'
import type { ConstructionSettings, ConstructionWorkStore } from './construction.ts'

export const constructionJob = {
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
