import { boostingFrom, boostingJob, boostingProbabilities, fitBoosting } from '../models/boosting/fit.ts'
import { growBoosting } from '../models/boosting/grow.ts'
import type { BoostingGrowth, BoostingJob } from '../models/boosting/job.ts'
import { codeColumns } from '../models/coded-matrix.ts'
import {
  fitForest,
  forestFitJob,
  forestFrom,
  forestPredictJob,
  forestProbabilities,
  type ForestRequest,
} from '../models/forest/fit.ts'
import type { ForestGrowth, ForestJob } from '../models/forest/job.ts'
import { growOnThisThread } from '../models/forest/work-slices.ts'
import { encodeLabels } from '../models/labels.ts'
import { fitLinear } from '../models/linear/fit.ts'
import type { ModelChoice } from '../models/model-choice.ts'
import type { Model } from '../models/model.ts'
import type { Learner, LearningJob, LearningOutcome, LearnTogether } from './learner.ts'

/** Grows a forest, in parts on any free threads; the growths may come in any order. */
export type GrowForest = (job: ForestJob, isCancelled: () => boolean) => Promise<ForestGrowth[]>

/** Grows a boosted model, on this thread or together with others. */
export type GrowBoosted = (job: BoostingJob, isCancelled: () => boolean) => Promise<BoostingGrowth>

/** Work that other threads may do; left out, this one does it. */
export interface LearningThreads {
  readonly growForest?: GrowForest
  readonly growBoosted?: GrowBoosted
  /** Whole jobs side by side, for models other than forests. */
  readonly together?: LearnTogether
}

type Growers = Required<Pick<LearningThreads, 'growForest' | 'growBoosted'>>

const growersHere: Growers = {
  growForest: async (job, isCancelled) => growOnThisThread(job, isCancelled),
  growBoosted: async (job, isCancelled) => growBoosting(job, isCancelled),
}

export function modelLearner(choice: ModelChoice, { together, ...threads }: LearningThreads = {}): Learner {
  const grow = { ...growersHere, ...threads }
  const learn = async (job: LearningJob): Promise<LearningOutcome> =>
    job.wantsImportances || choice.kind === 'linear'
      ? fitted(await fit(choice, job, grow), job)
      : { probabilities: await predict(choice, job, grow), importances: undefined }
  return together && choice.kind !== 'forest' ? Object.assign(learn, { together }) : learn
}

const fitted = (model: Model, { columns, predictRows, wantsImportances }: LearningJob): LearningOutcome => ({
  probabilities: model.predict(columns, predictRows),
  importances: wantsImportances ? model.importances() : undefined,
})

async function fit(choice: ModelChoice, job: LearningJob, grow: Growers): Promise<Model> {
  if (choice.kind === 'linear') return fitModel(choice, job)
  const isCancelled = cancellationOf(job)
  if (choice.kind === 'boosting') {
    const request = requestOf(choice, job)
    const boosted = boostingJob(request)
    return boostingFrom(request.matrix, boosted, await grow.growBoosted(boosted, isCancelled)).model
  }
  const request: ForestRequest = requestOf(choice, job)
  const forest = forestFitJob(request, isCancelled)
  return forestFrom(request.matrix, forest, await grow.growForest(forest, isCancelled)).model
}

/** The model itself, to be kept: the same one whose probabilities the learner gives. */
export function fitModel(choice: ModelChoice, job: LearningJob): Model {
  if (choice.kind === 'linear')
    return fitLinear(job.columns, encodeLabels(job.labels), job.trainRows, cancellationOf(job))
  const isCancelled = cancellationOf(job)
  return choice.kind === 'boosting'
    ? fitBoosting(requestOf(choice, job), isCancelled).model
    : fitForest(requestOf(choice, job), isCancelled).model
}

/** Without keeping a single tree: faster, and the same probabilities. */
async function predict(
  choice: Exclude<ModelChoice, { kind: 'linear' }>,
  job: LearningJob,
  grow: Growers,
): Promise<Float64Array> {
  const isCancelled = cancellationOf(job)
  if (choice.kind === 'boosting') {
    const boosted = boostingJob(requestOf(choice, job), job.predictRows)
    return boostingProbabilities(await grow.growBoosted(boosted, isCancelled))
  }
  const forest = forestPredictJob(requestOf(choice, job), job.predictRows, isCancelled)
  return forestProbabilities(forest, await grow.growForest(forest, isCancelled))
}

const cancellationOf = (job: LearningJob) => () => job.signal?.aborted === true

/** The training rows alone decide where the bins lie. */
const requestOf = <Settings>({ settings }: { settings: Settings }, job: LearningJob) => ({
  matrix: codeColumns(job.columns, job.trainRows, cancellationOf(job)),
  labels: encodeLabels(job.labels),
  trainRows: job.trainRows,
  settings: { ...settings, seed: job.seed },
})
