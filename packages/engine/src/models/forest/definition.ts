import type { ModelKind } from '@tradewright/core/model-catalogue'
import type { ModelSettings } from '../model-choice.ts'
import type { ModelDefinition, TrainingData } from '../model-definition.ts'
import { forestFitJob, forestFrom, forestPredictJob, forestProbabilities, type ForestRequest } from './fit.ts'
import type { ForestGrowth } from './job.ts'
import { loadForest } from './model.ts'
import { growOnThisThread } from './work-slices.ts'

type Settings = ModelSettings['trees']

interface TreesOptions {
  readonly kind: ModelKind
  readonly defaults: Settings
  readonly cuts?: ForestRequest['cuts']
}

/** A model that is the mean of trees. */
export function treesDefinition({ kind, defaults, cuts }: TreesOptions): ModelDefinition<Settings> {
  const requestOf = (data: TrainingData, settings: Settings): ForestRequest => ({
    matrix: data.matrix(),
    labels: data.labels,
    trainRows: data.trainRows,
    settings: { ...settings, seed: data.seed },
    cuts,
    ...(data.matrixColumns ? { columns: data.matrixColumns } : {}),
  })
  const fitJob = (data: TrainingData, settings: Settings) => {
    const request = requestOf(data, settings)
    const job = forestFitJob(request, data.isCancelled)
    return { job, modelFrom: (growths: ForestGrowth[]) => forestFrom(request.matrix, job, growths, kind).model }
  }
  const predictJob = (data: TrainingData, settings: Settings, rows: Int32Array) =>
    forestPredictJob(requestOf(data, settings), rows, data.isCancelled)
  return {
    defaults,
    readsCodes: true,
    isGrownInParts: true,
    fit(data, settings) {
      const { job, modelFrom } = fitJob(data, settings)
      return modelFrom(growOnThisThread(job, data.isCancelled))
    },
    predict(data, settings, rows) {
      const job = predictJob(data, settings, rows)
      return forestProbabilities(job, growOnThisThread(job, data.isCancelled))
    },
    onThreads: {
      async fit(data, settings, grow) {
        const { job, modelFrom } = fitJob(data, settings)
        return modelFrom(await grow.growForest(job, data.isCancelled))
      },
      async predict(data, settings, rows, grow) {
        const job = predictJob(data, settings, rows)
        return forestProbabilities(job, await grow.growForest(job, data.isCancelled))
      },
    },
    load: (file) => loadForest(file, kind),
  }
}
