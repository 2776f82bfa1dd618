import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { dayStamp } from '@tradewright/core/time'
import { helperNotes, provenanceOf, tradesSynthetic } from '@tradewright/engine/backtest/provenance'
import { periodNotes } from '@tradewright/engine/backtest/run-period'
import { revisedValues, revisionNotes, tablesOf } from '@tradewright/engine/backtest/revised-values'
import { keyOf } from '@tradewright/engine/optimizer/request'
import { nestedRequest, type NestedWindow, nestedWindows } from '@tradewright/engine/optimizer/nested-report'
import { planSearch, type SearchPlan, searchUses } from '@tradewright/engine/optimizer/plan'
import { rulesOf, runSearch, hasStalled, knownEvaluations } from '@tradewright/engine/optimizer/search'
import { z } from 'zod'
import { defineJobKind, type JobContext } from '../jobs/job.ts'
import type { Evaluator, Compute, PreparedRun, PreparedRuns } from './evaluators.ts'
import { packData, searchData, unpackData } from './market-data.ts'
import type { SeriesSource } from '../backtests/ports.ts'
import type { OptimizationRun, RunOutcome, RunWorkStore, StoredGeneration } from './run.ts'
import { RunProgress } from './run-progress.ts'

export const optimizerJob = { kind: 'optimizer', input: z.object({ runId: z.int() }) } as const

interface OptimizerJobDeps {
  readonly work: RunWorkStore
  readonly source: SeriesSource
  readonly compute: Compute
  readonly preparedRuns: PreparedRuns
  /** Other processes that help get ready meanwhile. */
  readonly callHelpers: (runId: number, userId: number) => Promise<void>
  /** Cancels pieces that are left of an attempt which did not end by itself. */
  readonly cancelPieces: (runId: number, userId: number) => Promise<void>
  /** Evaluates individuals in this process, or through the queue. */
  readonly evaluatorOf: (runId: number, run: PreparedRun, window?: NestedWindow) => Evaluator
  readonly clock: Clock
}

/** It goes on from its last generation, so a worker may die often before a run is given up. */
const ATTEMPTS = 10

/** The columns of a run may be a hundred megabytes. Where more users have runs, they take turns, generation by generation. */
const RUNS_AT_ONCE = 8
const RUNS_AT_ONCE_PER_USER = 2

const NO_ERROR = { error: null, errorCode: null }

interface Attempt {
  readonly deps: OptimizerJobDeps
  readonly context: JobContext<unknown>
  readonly run: OptimizationRun
  readonly plan: SearchPlan
  /** Grows with every generation that is stored. */
  readonly history: StoredGeneration[]
}

export const optimizerJobKind = (deps: OptimizerJobDeps) =>
  defineJobKind({
    ...optimizerJob,
    attemptLimit: ATTEMPTS,
    concurrency: RUNS_AT_ONCE,
    concurrencyPerUser: RUNS_AT_ONCE_PER_USER,
    async run(context, { runId }): Promise<null> {
      const run = await deps.work.find(runId, context.jobId)
      // Deleted, or another job's by now.
      if (!run) return null
      await deps.cancelPieces(runId, context.userId)
      const history = await deps.work.generations(runId)
      const attempt = { deps, context, run, plan: planSearch(run.settings.request), history }
      try {
        await (run.cancelRequested ? abandon(attempt) : complete(attempt))
      } catch (error) {
        await fail(attempt, error)
        throw error
      } finally {
        deps.preparedRuns.forget({ runId })
      }
      return null
    },
  })

async function complete(attempt: Attempt): Promise<void> {
  const { deps, context, run, plan, history } = attempt
  const prepared = await prepare(attempt)
  const windows = windowsOf(plan, prepared)
  await search(attempt, prepared)
  const notes = await searchBeforeWindows(attempt, windows)
  context.reportProgress({ fraction: 0.97, note: 'Judging the winner' })
  const outcome = await outcomeOf(attempt, prepared, notes)
  context.signal.throwIfAborted()
  await deps.work.end(run.id, context.jobId, { as: 'completed', ...NO_ERROR, outcome, at: deps.clock.now() })
  const { generations } = plan.request.breeding
  context.reportProgress({ fraction: 1, note: `Generation ${history.length} of ${generations}` })
}

async function prepare({ deps, context, run, plan }: Attempt): Promise<PreparedRun> {
  const { signal, jobId, userId } = context
  if (!(await deps.work.data(run.id))) {
    context.reportProgress({ fraction: 0, note: 'Fetching prices' })
    const { provider, retriesData: retries = false } = run.settings
    const fetched = await searchData(plan, { userId, provider, retries, source: deps.source, signal })
    const series = provenanceOf(fetched.data.series.values(), searchUses(plan))
    await deps.work.keepData(run.id, jobId, { data: packData(fetched), isSynthetic: tradesSynthetic(series) })
  }
  signal.throwIfAborted()
  context.reportProgress({ fraction: 0.02, note: 'Computing features' })
  await deps.callHelpers(run.id, userId)
  return deps.preparedRuns.get({ runId: run.id }, userId)
}

async function search({ deps, context, run, plan, history }: Attempt, prepared: PreparedRun): Promise<void> {
  const { signal, userId, jobId } = context
  const evaluator = deps.evaluatorOf(run.id, prepared)
  const place = { number: 0, count: 1 + (plan.request.nestedWindows ?? 0) }
  const progress = new RunProgress(plan.request, history, context.reportProgress, place)
  const keep = async (generation: StoredGeneration): Promise<void> => {
    if (!(await deps.work.addGeneration(run.id, jobId, generation))) throw notOurs()
    history.push(generation)
    // The row above is the checkpoint; this one notifies every process, and learns of a cancellation.
    await context.checkpoint({ generation: generation.number })
  }
  // A generation that cannot be stored stops the evaluation of the next.
  const unkept = new AbortController()
  const either = AbortSignal.any([signal, unkept.signal])
  let begun = performance.now()
  await runSearch(plan, prepared.prepared, {
    history,
    async evaluateAll(individuals) {
      either.throwIfAborted()
      progress.begin(individuals.length)
      return evaluator(individuals, { userId, signal: either, onProgress: (done) => progress.advance(done) })
    },
    async onGeneration(generation) {
      const stored = { ...generation, seconds: (performance.now() - begun) / 1000 }
      begun = performance.now()
      progress.complete(stored)
      await keep(stored).catch((error: unknown) => {
        unkept.abort(error)
        throw error
      })
    },
  })
}

/** Known before the search begins, so that a period too short for them is refused at once. */
const windowsOf = ({ request: { nestedWindows: count = 0 } }: SearchPlan, { prepared }: PreparedRun): NestedWindow[] =>
  count === 0 ? [] : nestedWindows(prepared.searches, count)

/**
 * The whole search once more before each nested window that is not done yet. A window without enough data ends this, not
 * the run; answers why as a note.
 */
async function searchBeforeWindows(attempt: Attempt, windows: readonly NestedWindow[]): Promise<string[]> {
  const { deps, context, run } = attempt
  const done = windows.length === 0 ? 0 : (await deps.work.choices(run.id)).length
  try {
    for (let number = done; number < windows.length; number++) {
      await searchBefore(attempt, windows, number)
      deps.preparedRuns.forget({ runId: run.id, window: windows[number] })
    }
    return []
  } catch (error) {
    if (context.signal.aborted || !(error instanceof Problem) || error.kind !== 'invalid') throw error
    return [`Nested walk-forward ended early. ${error.message}`]
  }
}

async function searchBefore(attempt: Attempt, windows: readonly NestedWindow[], number: number): Promise<void> {
  const { deps, context, run } = attempt
  const { signal, userId, jobId } = context
  const started = performance.now()
  const window = windows[number]!
  const request = nestedRequest(attempt.plan.request, window)
  const plan = planSearch(request)
  const prepared = await deps.preparedRuns.get({ runId: run.id, window }, userId)
  signal.throwIfAborted()
  const place = { number: number + 1, count: windows.length + 1 }
  const progress = new RunProgress(request, [], context.reportProgress, place)
  const evaluator = deps.evaluatorOf(run.id, prepared, window)
  let begun = performance.now()
  const history = await runSearch(plan, prepared.prepared, {
    async evaluateAll(individuals) {
      signal.throwIfAborted()
      progress.begin(individuals.length)
      return evaluator(individuals, { userId, signal, onProgress: (count) => progress.advance(count) })
    },
    async onGeneration(generation) {
      progress.complete({ ...generation, seconds: (performance.now() - begun) / 1000 })
      begun = performance.now()
    },
  })
  const choice = await deps.compute.run(
    'optimizer/choose',
    { searches: prepared.prepared.searches, rules: rulesOf(plan), history, window },
    { owner: String(userId), signal },
  )
  const seconds = (performance.now() - started) / 1000
  if (!(await deps.work.addChoice(run.id, jobId, { ...choice, seconds }))) throw notOurs()
  await context.checkpoint({ window: number + 1 })
}

async function outcomeOf(
  { deps, context, run, plan, history }: Attempt,
  { prepared }: PreparedRun,
  notes: readonly string[] = [],
): Promise<RunOutcome> {
  const begun = performance.now()
  const { searches, ...rest } = prepared
  const { nestedWindows: planned = 0 } = plan.request
  const choices = planned === 0 ? [] : await deps.work.choices(run.id)
  const nested = planned === 0 ? undefined : { planned, choices }
  const report = await deps.compute.run(
    'optimizer/report',
    { searches, rules: rulesOf(plan), history, nested },
    { owner: String(context.userId), signal: context.signal },
  )
  const period = rest.periods[report.winner.target]!
  const known = knownEvaluations(history)
  const seeds = plan.seeds.flatMap((seed) => known.get(keyOf(seed))?.fitness ?? [])
  const { data, problems } = unpackData((await deps.work.data(run.id))!)
  const revised = revisedValues(tablesOf(plan.candidates, data), dayStamp(plan.targets[0]!.backtest.settings.to + 1))
  const seconds = history.reduce((sum, generation) => sum + generation.seconds, 0)
  return {
    report,
    stoppedEarly: history.length < plan.request.breeding.generations && hasStalled(history, plan.request.earlyStopping),
    generations: history.length,
    seconds: seconds + (performance.now() - begun) / 1000,
    nestedSeconds: choices.reduce((sum, choice) => sum + choice.seconds, 0),
    seedFitness: seeds.length === 0 ? null : Math.max(...seeds),
    candidates: plan.candidates.length,
    leftOut: rest.leftOut,
    riskFree: rest.riskFree,
    sources: rest.sources,
    synthetic: rest.synthetic,
    spliced: rest.spliced,
    fingerprint: rest.fingerprint,
    series: rest.series,
    dataProblems: problems,
    period,
    notes: [
      ...problems.map(({ sentence }) => sentence),
      ...periodNotes(period, plan.request),
      ...rest.dataNotes,
      ...helperNotes(rest.series),
      ...revisionNotes(revised),
      ...leftOutNote(rest.leftOut),
      ...notes,
    ],
  }
}

function leftOutNote(names: readonly string[]): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, 5).join(', ')
  const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
  return [`Left out because they have no value, or always the same, over the period: ${shown}${more}.`]
}

/** Ends a run that the user cancelled, with what it has found. */
async function abandon(attempt: Attempt): Promise<void> {
  const { deps, context, run, history } = attempt
  const ending = { as: 'abandoned', ...NO_ERROR, at: deps.clock.now() } as const
  if (history.length === 0) return deps.work.end(run.id, context.jobId, { ...ending, outcome: null })
  context.reportProgress({ fraction: 0.97, note: 'Evaluating what was found' })
  const outcome = await outcomeOf(attempt, await deps.preparedRuns.get({ runId: run.id }, context.userId))
  await deps.work.end(run.id, context.jobId, { ...ending, outcome })
}

/** A job that was told to stop says nothing: the run is paused, or it is another job's to end it. */
async function fail({ deps, context, run }: Attempt, error: unknown): Promise<void> {
  if (context.signal.aborted || !(error instanceof Problem)) return
  const { message, code } = error
  const ending = { as: 'failed', error: message, errorCode: code, outcome: null, at: deps.clock.now() } as const
  await deps.work.end(run.id, context.jobId, ending)
}

const notOurs = () => new Problem('conflict', 'optimizer.taken-over', 'The run was deleted or taken over.')
