import type { BoostingGrowth, BoostingJob } from './boosting/job.ts'
import type { IsCancelled } from './cancellation.ts'
import type { CodedMatrix } from './coded-matrix.ts'
import type { ForestGrowth, ForestJob } from './forest/job.ts'
import type { ModelFile } from './model-file.ts'
import type { Model } from './model.ts'

/** What a model learns from. A model asks for values or for codes, and what it does not ask for is not computed. */
export interface TrainingData {
  /** The values of its columns, by row. */
  readonly columns: () => readonly Float64Array[]
  /** The columns as codes of bins. */
  readonly matrix: () => CodedMatrix
  /** Which columns of the matrix; all when absent. */
  readonly matrixColumns?: Int32Array
  readonly labels: Int8Array
  readonly trainRows: Int32Array
  readonly seed: number
  readonly isCancelled: IsCancelled
}

/** Grows a forest, in parts on any free threads; the growths may come in any order. */
export type GrowForest = (job: ForestJob, isCancelled: IsCancelled) => Promise<ForestGrowth[]>

/** Grows a boosted model, on this thread or together with others. */
export type GrowBoosted = (job: BoostingJob, isCancelled: IsCancelled) => Promise<BoostingGrowth>

/** Work that other threads may do. */
export interface Growers {
  readonly growForest: GrowForest
  readonly growBoosted: GrowBoosted
}

/** The same data, settings and seed give the same model to the last bit, wherever and on how many threads it is fitted. */
export interface ModelDefinition<Settings> {
  readonly defaults: Settings
  /** Trees read columns as codes of bins, which a search computes once for all of its fits. */
  readonly readsCodes: boolean
  /** Threads share the parts of one model; without, each takes a whole fit. */
  readonly isGrownInParts: boolean
  /** A model of this size is worth all threads, although it is not grown in parts. */
  isWorthAllThreads?(
    size: { trainRows: Int32Array; columns: { length: number } },
    settings: Settings,
    threads: number,
  ): boolean
  /** Fits on this thread. */
  fit(data: TrainingData, settings: Settings): Model
  /** Probabilities of rows, those of the fitted model; nothing of the model is kept. On this thread. */
  predict(data: TrainingData, settings: Settings, rows: Int32Array): Float64Array
  /** `fit` and `predict` with the help of other threads. */
  readonly onThreads?: {
    fit(data: TrainingData, settings: Settings, grow: Growers): Promise<Model>
    predict(data: TrainingData, settings: Settings, rows: Int32Array, grow: Growers): Promise<Float64Array>
  }
  /** Reads what `save` of its models wrote, now or in an older release. */
  load(file: ModelFile): Model
}
