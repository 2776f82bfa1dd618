import { Problem } from '@tradewright/core/problem'
import { deriveSeed } from '@tradewright/core/random'
import type { FeatureMatrix } from '../features/feature-matrix.ts'
import type { Label } from '../features/feature.ts'
import { trainTestSplit, walkForwardWindows, type WalkForwardWindow, windowSizes } from '../models/splits.ts'
import type { Learner, LearningJob, LearningOutcome } from './learner.ts'
import type { MlPlan } from './plan.ts'
import { type RunControl, stopIfCancelled } from './progress.ts'
import { enterPredictions, noSignals, type SignalColumn } from './signals.ts'

/** Windows in usable rows, one of them without walk-forward. */
export interface WindowPlan {
  readonly windows: readonly WalkForwardWindow[]
  readonly stepRows: number
  readonly purgedPerWindow: number
}

export function planWindows({ strategy, horizon }: MlPlan, usableRows: number): WindowPlan {
  if (!strategy.walkForward) {
    return { windows: [trainTestSplit(usableRows, strategy.trainPct, horizon)], stepRows: 0, purgedPerWindow: horizon }
  }
  const sizes = windowSizes(usableRows, strategy.walkForward, horizon)
  const windows = walkForwardWindows(usableRows, sizes)
  return { windows, stepRows: sizes.step, purgedPerWindow: sizes.gap }
}

/** One model with what it said. Rows are rows of the simulation. */
export interface TrainedWindow {
  readonly job: LearningJob
  readonly testRows: Int32Array
  /** Test rows, and for the newest model everything after them. */
  readonly predictions: SignalColumn
  readonly importances: Float64Array | undefined
}

interface Training {
  readonly learn: Learner
  readonly matrix: FeatureMatrix
  readonly labels: readonly Label[]
  readonly seed: number
  readonly control: RunControl
}

/** Windows know nothing of each other: a learner may take several at once, or many threads for each in its turn. */
export async function trainWindows(
  training: Training,
  windows: readonly WalkForwardWindow[],
): Promise<TrainedWindow[]> {
  const jobs = windows.map((window, number) => windowJob(training, window, number, number === windows.length - 1))
  const outcomes = await learnAll(training, jobs)
  return windows.map(({ test }, number) => {
    const predictions = noSignals(training.labels.length)
    const { probabilities, importances } = outcomes[number]!
    enterPredictions(predictions, jobs[number]!.predictRows, probabilities)
    const testRows = training.matrix.usableRows.slice(test.from, test.to)
    return { job: jobs[number]!, testRows, predictions, importances }
  })
}

async function learnAll({ learn, control }: Training, jobs: readonly LearningJob[]): Promise<LearningOutcome[]> {
  const total = jobs.length
  const begun = (count: number) => {
    stopIfCancelled(control)
    control.onProgress({ stage: 'training', done: count - 1, total })
  }
  const outcomes = learn.together ? await learn.together(jobs, begun) : await oneByOne(learn, jobs, begun)
  control.onProgress({ stage: 'training', done: total, total })
  return outcomes
}

async function oneByOne(learn: Learner, jobs: readonly LearningJob[], begun: (count: number) => void) {
  const outcomes: LearningOutcome[] = []
  for (const job of jobs) {
    begun(outcomes.length + 1)
    outcomes.push(await learn(job))
  }
  return outcomes
}

/** The rows and the seed of one window; the newest predicts everything after its training, too. */
export function windowJob(
  { matrix, labels, seed, control }: Omit<Training, 'learn'>,
  { train, test }: WalkForwardWindow,
  number: number,
  isNewest: boolean,
): LearningJob {
  const { usableRows } = matrix
  const trainRows = usableRows.slice(train.from, train.to).filter((row) => labels[row] !== null)
  checkLabels(labels, trainRows, number)
  return {
    columns: matrix.columns,
    labels,
    trainRows,
    predictRows: usableRows.slice(test.from, isNewest ? usableRows.length : test.to),
    seed: deriveSeed(seed, number),
    wantsImportances: isNewest,
    signal: control.signal,
  }
}

function checkLabels(labels: readonly Label[], rows: Int32Array, number: number): void {
  const first = labels[rows[0] ?? -1]
  if (first === undefined) throw invalid(`Window ${number + 1} has no rows to train on.`)
  if (rows.some((row) => labels[row] !== first)) return
  throw invalid(
    `The target is ${first} in every training row of window ${number + 1}: there is nothing to learn. ` +
      'Choose another target or a longer range.',
  )
}

/** In the Overall curve every date is used once, predicted by the newest model trained before it. */
export function overallSignals(windows: readonly TrainedWindow[], bars: number): SignalColumn {
  const overall = noSignals(bars)
  // Later windows overwrite earlier ones; each says nothing about rows before its own test.
  for (const { predictions } of windows) {
    for (let bar = 0; bar < bars; bar++) {
      if (predictions.signals[bar] === -1) continue
      overall.signals[bar] = predictions.signals[bar]!
      overall.probabilities[bar] = predictions.probabilities[bar]!
    }
  }
  return overall
}

const invalid = (message: string) => new Problem('invalid', 'backtest.training', message)
