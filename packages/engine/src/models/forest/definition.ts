import type { ModelSettings } from '../model-choice.ts'
import type { ModelDefinition, TrainingData } from '../model-definition.ts'
import {
  fitAndPredictForest,
  fitForest,
  forestFitJob,
  forestFrom,
  forestPredictJob,
  forestProbabilities,
  type ForestRequest,
} from './fit.ts'
import { loadForest } from './model.ts'

type Settings = ModelSettings['trees']

/** A model that is the mean of trees. */
export function treesDefinition({ defaults }: { defaults: Settings }): ModelDefinition<Settings> {
  const requestOf = (data: TrainingData, settings: Settings): ForestRequest => ({
    matrix: data.matrix(),
    labels: data.labels,
    trainRows: data.trainRows,
    settings: { ...settings, seed: data.seed },
    ...(data.matrixColumns ? { columns: data.matrixColumns } : {}),
  })
  return {
    defaults,
    readsCodes: true,
    isGrownInParts: true,
    fit: (data, settings) => fitForest(requestOf(data, settings), data.isCancelled).model,
    predict: (data, settings, rows) => fitAndPredictForest(requestOf(data, settings), rows, data.isCancelled),
    onThreads: {
      async fit(data, settings, grow) {
        const request = requestOf(data, settings)
        const job = forestFitJob(request, data.isCancelled)
        return forestFrom(request.matrix, job, await grow.growForest(job, data.isCancelled)).model
      },
      async predict(data, settings, rows, grow) {
        const job = forestPredictJob(requestOf(data, settings), rows, data.isCancelled)
        return forestProbabilities(job, await grow.growForest(job, data.isCancelled))
      },
    },
    load: loadForest,
  }
}
