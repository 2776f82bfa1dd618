import { z } from 'zod'
import { LeftOutCount, Sentence, Success } from './answers.ts'
import { PathId } from './ids.ts'
import { GenerationEntry, OptimizationRun, OptimizationRunItem } from './optimization-run.ts'
import { OptimizationResults } from './optimization-results.ts'
import { OPTIMIZER_LIMITS, OptimizationRequest } from './optimizer-form.ts'
import { route } from './route.ts'

/**
 * The `kind` of a run on `/api/events`; its `subject` is the run's id as text. An event comes with each finished
 * generation and, in between, as `progress.fraction` grows: read the run again with `after_generation`.
 */
export const OPTIMIZER_JOB = 'optimizer'

const tag = 'Optimizer'
const params = z.object({ id: PathId })
const wholeGeneration = 'after_generation must be a whole number from 0.'
const afterGeneration = z.coerce
  .number<string>(wholeGeneration)
  .int(wholeGeneration)
  .min(0, wholeGeneration)
  .max(OPTIMIZER_LIMITS.generations.max)
const RunAnswer = Success.extend({ run: OptimizationRunItem })

export const runOptimization = route({
  method: 'POST',
  path: '/api/feature-optimization',
  access: 'signed in',
  scope: 'research',
  idempotent: true,
  addsRows: true,
  tag,
  summary:
    'Start a run and answer its results when it ends. The run continues when the client disconnects. A run that was cancelled ' +
    'answers 409 (optimizer.cancelled), one that failed answers its error; a paused run keeps the call waiting.',
  body: OptimizationRequest,
  answer: Success.extend({ run_id: z.int(), results: OptimizationResults.nullable() }),
})

export const checkOptimization = route({
  method: 'POST',
  path: '/api/feature-optimization/check',
  access: 'signed in',
  scope: 'research',
  changesNothing: true,
  tag,
  summary: 'Check a request without running it; the reason why a run would be refused is one of `problems`.',
  body: OptimizationRequest,
  answer: z.object({
    /** Columns that the ranges give, and the most individuals that can be evaluated; null where there is a problem. */
    candidate_features: z.int().nullable(),
    most_evaluations: z.int().nullable(),
    problems: z.array(Sentence),
  }),
})

export const listOptimizationRuns = route({
  method: 'GET',
  path: '/api/optimization-runs',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: "The signed-in user's runs, newest first.",
  answer: z.object({ optimization_runs: z.array(OptimizationRunItem), left_out: LeftOutCount }),
})

export const getOptimizationRun = route({
  method: 'GET',
  path: '/api/optimization-runs/:id',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'A run with its history and results. With after_generation, only the later generations of the history.',
  params,
  query: z.object({ after_generation: afterGeneration.optional() }),
  answer: OptimizationRun,
})

export const getGeneration = route({
  method: 'GET',
  path: '/api/optimization-runs/:id/generations/:generation',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'One generation with all its individuals.',
  params: params.extend({ generation: PathId }),
  answer: GenerationEntry,
})

export const exportOptimizationRun = route({
  method: 'GET',
  path: '/api/optimization-runs/:id/export',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The whole run as a JSON file, every individual included: what a rerun or another tool needs.',
  params,
  answer: OptimizationRun.extend({ format: z.literal('tradewright.optimization-run'), version: z.literal(1) }),
})

export const rerunOptimization = route({
  method: 'POST',
  path: '/api/optimization-runs/:id/rerun',
  access: 'signed in',
  scope: 'research',
  idempotent: true,
  addsRows: true,
  tag,
  summary: 'Start a new run with the same request and seed. On the same data it finds the same winner.',
  params,
  answer: RunAnswer,
})

export const pauseOptimizationRun = route({
  method: 'POST',
  path: '/api/optimization-runs/:id/pause',
  access: 'signed in',
  scope: 'research',
  tag,
  summary:
    'Stop computing after what was stored last; the run stays in progress. Pausing a paused run changes nothing.',
  params,
  answer: RunAnswer,
})

export const resumeOptimizationRun = route({
  method: 'POST',
  path: '/api/optimization-runs/:id/resume',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Resume a paused run from its last generation.',
  params,
  answer: RunAnswer,
})

export const cancelOptimizationRun = route({
  method: 'POST',
  path: '/api/optimization-runs/:id/cancel',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'End a run within seconds. It becomes abandoned, with what it found.',
  params,
  answer: RunAnswer,
})

export const deleteOptimizationRun = route({
  method: 'DELETE',
  path: '/api/optimization-runs/:id',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Delete a run; one in progress is cancelled first.',
  params,
  answer: Success,
})

export const deleteOptimizationRuns = route({
  method: 'DELETE',
  path: '/api/optimization-runs',
  access: 'signed in',
  tag,
  summary: "Delete all of the signed-in user's runs.",
  answer: Success,
})
