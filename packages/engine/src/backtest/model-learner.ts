import { fitAndPredictBoosting, fitBoosting } from '../models/boosting/fit.ts'
import { codeColumns } from '../models/coded-matrix.ts'
import { fitAndPredictForest, fitForest } from '../models/forest/fit.ts'
import { encodeLabels } from '../models/labels.ts'
import { fitLinear } from '../models/linear/fit.ts'
import type { ModelChoice } from '../models/model-choice.ts'
import type { Model } from '../models/model.ts'
import type { Learner, LearningJob, LearningOutcome } from './learner.ts'

/** The models as a learner, on this thread. */
export const modelLearner =
  (choice: ModelChoice): Learner =>
  async (job) =>
    job.wantsImportances || choice.kind === 'linear' ? fitted(fit(choice, job), job) : predicted(choice, job)

const fitted = (model: Model, { columns, predictRows, wantsImportances }: LearningJob): LearningOutcome => ({
  probabilities: model.predict(columns, predictRows),
  importances: wantsImportances ? model.importances() : undefined,
})

function fit(choice: ModelChoice, job: LearningJob): Model {
  if (choice.kind === 'linear') return fitLinear(job.columns, encodeLabels(job.labels), job.trainRows)
  const request = requestOf(job)
  const isCancelled = () => job.signal?.aborted === true
  return choice.kind === 'forest'
    ? fitForest({ ...request, settings: { ...choice.settings, seed: job.seed } }, isCancelled).model
    : fitBoosting({ ...request, settings: { ...choice.settings, seed: job.seed } }, isCancelled).model
}

/** Without keeping a single tree: faster, and the same probabilities. */
function predicted(choice: Exclude<ModelChoice, { kind: 'linear' }>, job: LearningJob): LearningOutcome {
  const request = requestOf(job)
  const isCancelled = () => job.signal?.aborted === true
  const probabilities =
    choice.kind === 'forest'
      ? fitAndPredictForest(
          { ...request, settings: { ...choice.settings, seed: job.seed } },
          job.predictRows,
          isCancelled,
        )
      : fitAndPredictBoosting(
          { ...request, settings: { ...choice.settings, seed: job.seed } },
          job.predictRows,
          isCancelled,
        )
  return { probabilities, importances: undefined }
}

/** The training rows alone decide where the bins lie. */
const requestOf = ({ columns, labels, trainRows }: LearningJob) => ({
  matrix: codeColumns(columns, trainRows),
  labels: encodeLabels(labels),
  trainRows,
})
