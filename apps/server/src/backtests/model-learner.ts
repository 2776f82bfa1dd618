import type { Learner, LearningJob } from '@tradewright/engine/backtest/learner'
import { fitAndPredictBoosting, fitBoosting } from '@tradewright/engine/models/boosting/fit'
import { defaultBoostingSettings } from '@tradewright/engine/models/boosting/settings'
import { codeColumns } from '@tradewright/engine/models/coded-matrix'
import { fitAndPredictForest, fitForest } from '@tradewright/engine/models/forest/fit'
import { encodeLabels } from '@tradewright/engine/models/labels'
import { fitLinear } from '@tradewright/engine/models/linear/fit'
import type { Model } from '@tradewright/engine/models/model'
import type { ModelChoice } from './model-choice.ts'

/** Learns on this thread; `isCancelled` is asked every few milliseconds. */
export const learnerOf =
  (choice: ModelChoice, isCancelled: () => boolean): Learner =>
  async (job) => {
    const fitted = FIT[choice.kind](choice as never, job, isCancelled)
    if (fitted instanceof Float64Array) return { probabilities: fitted, importances: undefined }
    return {
      probabilities: fitted.predict([...job.columns], job.predictRows),
      importances: job.wantsImportances ? fitted.importances() : undefined,
    }
  }

type Choice<Kind extends ModelChoice['kind']> = Extract<ModelChoice, { kind: Kind }>

/** The model, or its probabilities alone where nobody asks for more: trees that are not kept grow faster. */
const FIT: {
  [Kind in ModelChoice['kind']]: (
    choice: Choice<Kind>,
    job: LearningJob,
    isCancelled: () => boolean,
  ) => Model | Float64Array
} = {
  forest({ kind: _, ...settings }, job, isCancelled) {
    const request = { ...codedJob(job), settings: { ...settings, bootstrap: true, seed: job.seed } }
    return job.wantsImportances
      ? fitForest(request, isCancelled).model
      : fitAndPredictForest(request, job.predictRows, isCancelled)
  },
  boosting({ kind: _, ...settings }, job, isCancelled) {
    const request = { ...codedJob(job), settings: { ...defaultBoostingSettings, ...settings, seed: job.seed } }
    return job.wantsImportances
      ? fitBoosting(request, isCancelled).model
      : fitAndPredictBoosting(request, job.predictRows, isCancelled)
  },
  linear: (_, { columns, labels, trainRows }) => fitLinear([...columns], encodeLabels(labels), trainRows),
}

const codedJob = ({ columns, labels, trainRows }: LearningJob) => ({
  matrix: codeColumns([...columns], trainRows),
  labels: encodeLabels(labels),
  trainRows,
})
