import type { ModelSettings } from '../model-choice.ts'
import type { ModelDefinition, TrainingData } from '../model-definition.ts'
import {
  boostingFrom,
  boostingJob,
  boostingProbabilities,
  type BoostingRequest,
  fitAndPredictBoosting,
  fitBoosting,
  withFoundRounds,
} from './fit.ts'
import { loadBoosting } from './model.ts'
import { defaultBoostingSettings } from './settings.ts'
import { worthwhileThreads } from './thread-group.ts'

type Settings = ModelSettings['rounds']

const requestOf = (data: TrainingData, settings: Settings): BoostingRequest =>
  withFoundRounds(
    {
      matrix: data.matrix(),
      labels: data.labels,
      trainRows: data.trainRows,
      settings: { ...settings, seed: data.seed },
      ...(data.matrixColumns ? { columns: data.matrixColumns } : {}),
    },
    data.isCancelled,
  )

export const boosting: ModelDefinition<Settings> = {
  defaults: defaultBoostingSettings,
  readsCodes: true,
  isGrownInParts: false,
  isWorthAllThreads: (size, settings, threads) => worthwhileThreads({ ...size, settings }, threads) === threads,
  fit: (data, settings) => fitBoosting(requestOf(data, settings), data.isCancelled).model,
  predict: (data, settings, rows) => fitAndPredictBoosting(requestOf(data, settings), rows, data.isCancelled),
  onThreads: {
    async fit(data, settings, grow) {
      const request = requestOf(data, settings)
      const job = boostingJob(request)
      return boostingFrom(request.matrix, job, await grow.growBoosted(job, data.isCancelled)).model
    },
    async predict(data, settings, rows, grow) {
      const job = boostingJob(requestOf(data, settings), rows)
      return boostingProbabilities(await grow.growBoosted(job, data.isCancelled))
    },
  },
  load: loadBoosting,
}
