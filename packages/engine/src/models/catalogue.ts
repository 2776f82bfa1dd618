import type { ModelKind } from '@tradewright/core/model-catalogue'
import { treesDefinition } from './forest/fit.ts'
import {
  defaultForestSettings,
  type ModelChoice,
  type SettingsOf,
  type ModelSettings,
  defaultBoostingSettings,
} from './settings.ts'
import { type ModelDefinition, type TrainingData, damagedFile, readModelFile, type Model } from './model.ts'
import { fitLinear, loadLinear } from './linear/model.ts'
import {
  boostingFrom,
  boostingJob,
  boostingProbabilities,
  type BoostingRequest,
  fitAndPredictBoosting,
  fitBoosting,
  withFoundRounds,
  loadBoosting,
} from './boosting/model.ts'
import { worthwhileThreads } from './boosting/thread-group.ts'

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

const boosting: ModelDefinition<Settings> = {
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

const fitted = (columns: readonly Float64Array[], { labels, trainRows, isCancelled }: TrainingData) =>
  fitLinear(columns, labels, trainRows, isCancelled)

const linear: ModelDefinition<undefined> = {
  defaults: undefined,
  readsCodes: false,
  isGrownInParts: false,
  fit: (data) => fitted(data.columns(), data),
  predict(data, _, rows) {
    const columns = data.columns()
    return fitted(columns, data).predict(columns, rows)
  },
  load: loadLinear,
}

/** How each model of the catalogue is fitted, asked and loaded. */
const definitions: { readonly [Kind in ModelKind]: ModelDefinition<SettingsOf<Kind>> } = {
  forest: treesDefinition({ kind: 'forest', defaults: defaultForestSettings }),
  linear,
  boosting,
  'extra-trees': treesDefinition({
    kind: 'extra-trees',
    defaults: { ...defaultForestSettings, bootstrap: false },
    cuts: 'random',
  }),
}

/** A definition with settings of any kind: they must be those of the same choice. */
type AnyDefinition = ModelDefinition<unknown>

export const definitionOf = (kind: ModelKind): AnyDefinition => definitions[kind]

const isModelKind = (kind: string): kind is ModelKind => Object.hasOwn(definitions, kind)

export const settingsOf = (choice: ModelChoice): unknown => ('settings' in choice ? choice.settings : undefined)

/** A model with the settings it has unless others are asked for. */
export function choiceOf(kind: ModelKind, settings: object = {}): ModelChoice {
  const { defaults } = definitionOf(kind)
  return (defaults === undefined ? { kind } : { kind, settings: { ...defaults, ...settings } }) as ModelChoice
}

/** Reads what `save` of any model wrote, now or in an older release. */
export function loadModel(bytes: Uint8Array): Model {
  const file = readModelFile(bytes)
  if (!isModelKind(file.kind)) throw damagedFile()
  return definitionOf(file.kind).load(file)
}
