import { growBoosting } from '../models/boosting/grow.ts'
import { definitionOf, settingsOf } from '../models/catalogue.ts'
import { codeColumns } from '../models/coded-matrix.ts'
import { growOnThisThread } from '../models/forest/fit.ts'
import { encodeLabels, type Growers, type TrainingData, type Model } from '../models/model.ts'
import type { ModelChoice } from '../models/settings.ts'
import type { Learner, LearningJob, LearningOutcome, LearnTogether } from './learner.ts'

/** Work that other threads may do; left out, this one does it. */
interface LearningThreads extends Partial<Growers> {
  /** Whole jobs side by side, for models that are not grown in parts. */
  readonly together?: LearnTogether
}

const growersHere: Growers = {
  growForest: async (job, isCancelled) => growOnThisThread(job, isCancelled),
  growBoosted: async (job, isCancelled) => growBoosting(job, isCancelled),
}

export function modelLearner(choice: ModelChoice, { together, ...threads }: LearningThreads = {}): Learner {
  const grow = { ...growersHere, ...threads }
  const { onThreads, isGrownInParts } = definitionOf(choice.kind)
  const settings = settingsOf(choice)
  const learn = async (job: LearningJob): Promise<LearningOutcome> => {
    if (!onThreads) return fitted(fitModel(choice, job), job)
    const data = trainingDataOf(job)
    if (job.wantsImportances) return fitted(await onThreads.fit(data, settings, grow), job)
    // Without keeping a single tree: faster, and the same probabilities.
    return { probabilities: await onThreads.predict(data, settings, job.predictRows, grow), importances: undefined }
  }
  return together && !isGrownInParts ? Object.assign(learn, { together }) : learn
}

const fitted = (model: Model, { columns, predictRows, wantsImportances }: LearningJob): LearningOutcome => ({
  probabilities: model.predict(columns, predictRows),
  importances: wantsImportances ? model.importances() : undefined,
})

/** The model itself, to be kept: the same one whose probabilities the learner gives. */
export function fitModel(choice: ModelChoice, job: LearningJob): Model {
  return definitionOf(choice.kind).fit(trainingDataOf(job), settingsOf(choice))
}

function trainingDataOf(job: LearningJob): TrainingData {
  const isCancelled = () => job.signal?.aborted === true
  return {
    columns: () => job.columns,
    // The training rows alone decide where the bins lie.
    matrix: () => codeColumns(job.columns, job.trainRows, isCancelled),
    labels: encodeLabels(job.labels),
    trainRows: job.trainRows,
    seed: job.seed,
    isCancelled,
  }
}
