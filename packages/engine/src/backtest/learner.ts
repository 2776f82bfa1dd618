import type { Column } from '@tradewright/core/column'
import type { Label } from '../features/feature.ts'
import type { Cancellation } from './progress.ts'

/** Learn from some rows of a matrix, then say how likely the label is 1 on others. */
export interface LearningJob {
  readonly columns: readonly Column[]
  /** One per row of the columns; rows to learn from always have one. */
  readonly labels: readonly Label[]
  readonly trainRows: Int32Array
  readonly predictRows: Int32Array
  readonly seed: number
  /** Importances cost a learner extra; they are asked for only where they are shown. */
  readonly wantsImportances: boolean
  readonly signal: Cancellation | undefined
}

export interface LearningOutcome {
  /** One per row of `predictRows`, from 0 to 1. */
  readonly probabilities: Float64Array
  /** One per column, adding up to 1; undefined where not requested or the model has none. */
  readonly importances: Float64Array | undefined
}

/**
 * The port to a model: random forest, boosting, linear, on this thread or on others. The same job gives the same
 * outcome, wherever and on how many threads it is done.
 */
export interface Learner {
  (job: LearningJob): Promise<LearningOutcome>
  /** Where whole jobs can be done side by side; left out, one follows the other. */
  readonly together?: LearnTogether
}

/**
 * Outcomes come in the order of the jobs, whichever thread did them. `begun` receives how many jobs have been started.
 */
export type LearnTogether = (jobs: readonly LearningJob[], begun: (count: number) => void) => Promise<LearningOutcome[]>
