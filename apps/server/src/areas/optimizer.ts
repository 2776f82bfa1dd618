import type { Clock } from '@tradewright/core/clock'
import { MINUTE } from '@tradewright/core/time'
import type { Foundation } from '../foundation.ts'
import type { Handle } from '../http/server/handle.ts'
import { serveLeadingIndicators } from '../http/data-collector/leading-indicators.ts'
import { serveOptimizer } from '../http/optimizer/routes.ts'
import { serveTickerLists } from '../http/optimizer/ticker-lists.ts'
import type { AnyJobKind } from '../jobs/job.ts'
import type { Logger } from '../log.ts'
import {
  chunkJobKind,
  callHelpers,
  cancelPieces,
  poolEvaluator,
  queueEvaluator,
  PreparedRuns,
} from '../optimizer/evaluators.ts'
import { optimizerJobKind } from '../optimizer/optimizer-job.ts'
import { type OwnRunsDeps, settleRuns } from '../optimizer/own-runs.ts'
import type { RunTransaction } from '../optimizer/run.ts'
import { createOptimizationRunStore } from '../stores/optimizer/optimization-runs.ts'
import { createRunWorkStore } from '../stores/optimizer/optimization-work.ts'
import { createBoardWorkStore } from '../stores/backtests/robustness-work.ts'
import { createStudyWorkStore } from '../stores/studies/studies.ts'
import { createTickerListStore } from '../stores/ticker-lists/ticker-lists.ts'
import type { Services } from './services.ts'

type Needs = Pick<Foundation, 'database'>

/** The optimizer, its ticker lists and the leading indicators joined to their tables, the queue and the routes. */
export function serveOptimizerArea(handle: Handle, { database }: Needs, runtime: Services, clock: Clock): void {
  const lists = createTickerListStore(database)
  serveOptimizer(handle, { ...optimizationRuns({ database }, runtime, clock), watch: runtime.jobs.watch, lists })
  serveTickerLists(handle, { lists, clock })
  const { stores, providersOf } = runtime.marketData
  serveLeadingIndicators(handle, {
    stores,
    providersOf,
    compute: runtime.compute,
    clock,
    counted: runtime.jobs.counted,
  })
}

/** Interval of the sweep: the prices of a run that was given up are stored this long at most. */
const SETTLE_INTERVAL_MS = 10 * MINUTE

/** Ends what jobs left unended, at the start and from time to time; gives what stops it. */
export function keepRunsSettled(foundation: Needs, runtime: Services, clock: Clock, log: Logger): () => Promise<void> {
  const { transaction } = optimizationRuns(foundation, runtime, clock)
  const work = createRunWorkStore(foundation.database)
  const studies = createStudyWorkStore(foundation.database)
  const boards = createBoardWorkStore(foundation.database)
  const remains = () => Promise.all([studies.forgetRemains(), boards.forgetRemains()])
  const settle = () =>
    Promise.all([settleRuns({ work, transaction, clock }), remains()]).catch((error: unknown) =>
      log.warn({ err: error }, 'optimization runs and studies: will try again to end those without a worker'),
    )
  let settling = settle()
  const timer = setInterval(() => {
    settling = settle()
  }, SETTLE_INTERVAL_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return settling.then(() => undefined)
  }
}

/** Users' runs, for the parts that list and start them. */
export function optimizationRuns({ database }: Needs, { jobs }: Services, clock: Clock): OwnRunsDeps {
  const transaction: RunTransaction = (work) =>
    database
      .transaction()
      .execute((within) => work({ runs: createOptimizationRunStore(within), jobs: jobs.jobsWithin(within) }))
  return { runs: createOptimizationRunStore(database), transaction, clock }
}

/** Alone on its database a process computes itself; where workers may share it, the queue brings them their part. */
export function optimizerJobs({ database }: Needs, runtime: Services, clock: Clock): readonly AnyJobKind[] {
  const { compute, marketData, jobs, sharesDatabase } = runtime
  const work = createRunWorkStore(database)
  const preparedRuns = new PreparedRuns(work, compute)
  return [
    optimizerJobKind({
      work,
      source: marketData.seriesFor,
      compute,
      preparedRuns,
      callHelpers: async (runId, userId) => {
        if (sharesDatabase) await callHelpers(jobs, runId, userId)
      },
      cancelPieces: (runId, userId) => cancelPieces(jobs, runId, userId),
      evaluatorOf: (runId, run, window) =>
        sharesDatabase ? queueEvaluator(jobs, runId, window) : poolEvaluator(compute, run),
      clock,
    }),
    chunkJobKind({ compute, preparedRuns }),
  ]
}
