import { Problem } from '@tradewright/core/problem'
import {
  assembleMatrix,
  DecisionRows,
  featureColumn,
  type FeatureMatrix,
  type TargetRows,
  targetRows,
} from '../features/feature-matrix.ts'
import type { MlPlan } from './plan.ts'
import type { SeriesSet } from './priced-series.ts'
import { type RunControl, stopIfCancelled } from './progress.ts'

interface LearnableRows {
  readonly matrix: FeatureMatrix
  readonly target: TargetRows
}

/** Features and labels at every decision of a table. The backtest learns from them, and so does a deployment. */
export function learnableRows(
  plan: MlPlan,
  seriesSet: SeriesSet,
  decisionAt: Float64Array,
  control: RunControl,
): LearnableRows {
  const decisions = new DecisionRows(decisionAt)
  const seriesOf = (ticker: string) => seriesSet.anchored(ticker)
  const matrix = featureRows(plan, seriesSet, decisionAt, control)
  return { matrix, target: targetRows(plan.target, seriesOf, decisions) }
}

/** The features alone: all that a model needs to say something. */
export function featureRows(
  plan: MlPlan,
  seriesSet: SeriesSet,
  decisionAt: Float64Array,
  control: RunControl,
): FeatureMatrix {
  const decisions = new DecisionRows(decisionAt)
  const seriesOf = (ticker: string) => seriesSet.anchored(ticker)
  const columns = plan.features.map((feature, done) => {
    stopIfCancelled(control)
    control.onProgress({ stage: 'features', done, total: plan.features.length })
    return featureColumn(feature, seriesOf, decisions)
  })
  control.onProgress({ stage: 'features', done: columns.length, total: columns.length })
  const names = plan.features.map(({ label }) => label)
  const matrix = assembleMatrix(names, columns, decisionAt.length)
  if (matrix.usableRows.length === 0) throw neverUsable(names, columns)
  return matrix
}

/** Names the features that are to blame: those without a single value, else the range as a whole. */
function neverUsable(names: readonly string[], columns: readonly Float64Array[]): Problem {
  const empty = names.filter((_, i) => columns[i]!.every(Number.isNaN))
  const what =
    empty.length > 0
      ? `${empty.join(', ')} ${empty.length > 1 ? 'have' : 'has'} no value in the period: the range is shorter than the warm-up.`
      : 'There is no bar at which all features have a value.'
  return new Problem('invalid', 'backtest.warm-up', what)
}
