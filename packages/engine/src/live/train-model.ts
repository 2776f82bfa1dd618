import { learns } from '@tradewright/core/strategy-kinds'
import { deriveSeed } from '@tradewright/core/random'
import { dayStamp, type EpochDay, formatDate } from '@tradewright/core/time'
import { Problem } from '@tradewright/core/problem'
import { dataNotes } from '../backtest/data-notes.ts'
import { fingerprintOf } from '../backtest/fingerprint.ts'
import { learnableRows } from '../backtest/learnable-rows.ts'
import type { LearningJob } from '../backtest/learner.ts'
import type { MarketData } from '../backtest/market-data.ts'
import { fitModel } from '../backtest/model-learner.ts'
import type { BacktestPlan, MlPlan } from '../backtest/plan.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { isSynthetic, provenanceOf, refuseMixedPrices, usesOf } from '../backtest/provenance.ts'
import { type RunControl, uncontrolled } from '../backtest/progress.ts'
import { revisedValues, revisionNotes, tablesOf } from '../backtest/revised-values.ts'
import { periodNotes, runPeriod } from '../backtest/run-period.ts'
import { type SimulationTable, simulationTable } from '../backtest/simulation-table.ts'
import type { FeatureMatrix } from '../features/feature-matrix.ts'
import type { Label } from '../features/feature.ts'
import type { ModelChoice } from '../models/settings.ts'
import type { Model } from '../models/model.ts'
import { trainTestSplit } from '../models/splits.ts'

/** `holdout` learns from the first percent of the rows only, as a backtest without walk-forward does. */
export type TrainingMode = { readonly mode: 'full_range' } | { readonly mode: 'holdout'; readonly trainPct: number }

export interface TrainedModel {
  readonly model: Model
  readonly rows: number
  readonly from: EpochDay
  readonly to: EpochDay
  /** Names the data it was trained on. */
  readonly fingerprint: string
  /** Any series it learned from holds rows of the sample market, a feature or a rate too. */
  readonly synthetic: boolean
  readonly syntheticTickers: readonly string[]
  /** What is odd about the data it learned from, as sentences. */
  readonly notes: readonly string[]
}

/** The model of a deployment. With the same range and percent it is the model of the backtest, tree by tree. */
export function trainModel(
  plan: BacktestPlan,
  data: MarketData,
  choice: ModelChoice,
  training: TrainingMode,
  control: RunControl = uncontrolled,
): TrainedModel {
  const learning = learningTable(plan, data, control)
  const { strategy, matrix, labels } = learning
  const { usableRows } = matrix
  const learnt =
    training.mode === 'full_range'
      ? usableRows
      : usableRows.slice(0, trainTestSplit(usableRows.length, training.trainPct, strategy.horizon).train.to)
  const trainRows = learnt.filter((row) => labels[row] !== null)
  checkRows(trainRows.map((row) => labels[row]!))
  return fitted(learning, choice, {
    columns: matrix.columns,
    labels,
    trainRows,
    predictRows: new Int32Array(),
    seed: deriveSeed(plan.settings.seed, 0),
    wantsImportances: true,
    signal: control.signal,
  })
}

/** The rows that a model of a deployment may learn from, as the backtest has them. */
interface LearningTable {
  readonly plan: BacktestPlan
  readonly strategy: MlPlan
  readonly data: MarketData
  readonly seriesSet: SeriesSet
  readonly table: SimulationTable
  readonly matrix: FeatureMatrix
  readonly labels: readonly Label[]
}

export function learningTable(plan: BacktestPlan, data: MarketData, control: RunControl): LearningTable {
  const { strategy, settings } = plan
  if (!learns(strategy)) throw new Error('only an ML strategy is trained')
  const seriesSet = new SeriesSet(data, settings)
  const table = simulationTable(seriesSet, plan.tradedTickers, settings)
  refuseMixedPrices(provenanceOf(seriesSet.used.values(), usesOf(plan)), settings.allowMixedPrices)
  const { matrix, target } = learnableRows(strategy, seriesSet, table.decisionAt, control)
  return { plan, strategy, data, seriesSet, table, matrix, labels: target.labels }
}

/** Learns from the rows of the job, and says what they were. */
export function fitted(learning: LearningTable, choice: ModelChoice, job: LearningJob): TrainedModel {
  const { plan, strategy, data, seriesSet, table } = learning
  const { settings, tradedTickers } = plan
  const { days } = table.prices
  const { trainRows } = job
  const synthetic = [...seriesSet.used.values()].filter(isSynthetic).map(({ ticker }) => ticker)
  return {
    model: fitModel(choice, job),
    rows: trainRows.length,
    from: days[trainRows[0]!]!,
    to: days[trainRows.at(-1)!]!,
    fingerprint: fingerprintOf(seriesSet.used.values()),
    synthetic: synthetic.length > 0,
    syntheticTickers: synthetic,
    notes: [
      ...periodNotes(runPeriod(seriesSet, tradedTickers, table, settings), settings),
      ...dataNotes(seriesSet.used.values(), settings.from, settings.to),
      ...revisionNotes(
        revisedValues(tablesOf([...strategy.features, strategy.target], data), dayStamp(settings.to + 1)),
      ),
    ],
  }
}

function checkRows(labels: Int32Array): void {
  if (labels.length === 0) throw untrainable('There is no row whose target is known in the training range.')
  if (labels.every((label) => label === labels[0])) {
    throw untrainable(`The target is ${labels[0]} in every row of the training range: there is nothing to learn.`)
  }
}

const untrainable = (message: string) => new Problem('invalid', 'deployment.training', message)

export const describeTraining = ({ rows, from, to, fingerprint }: TrainedModel): string =>
  `${rows} rows from ${formatDate(from)} to ${formatDate(to)}, data ${fingerprint}`
