import type { Label } from '../features/feature.ts'
import { type Figure, notAvailable } from '../performance/figure.ts'
import type { TrainedWindow } from './ml-training.ts'

export interface AveragesByDate {
  /** Mean over the test dates of all windows, each counted once: what the windows that tested it got right of it. */
  readonly averageAccuracy: Figure
  /** Share of the more frequent label over the same dates. */
  readonly averageBaseRate: Figure
}

/** Windows overlap: a plain mean of their accuracies would count most dates several times and the ends once. */
export function averagesByDate(
  windows: readonly Pick<TrainedWindow, 'testRows' | 'predictions'>[],
  labels: readonly Label[],
): AveragesByDate {
  const tests = new Int32Array(labels.length)
  const hits = new Int32Array(labels.length)
  for (const { testRows, predictions } of windows) {
    for (const row of testRows) {
      if (labels[row] === null || predictions.signals[row] === -1) continue
      tests[row]!++
      if (predictions.signals[row] === labels[row]) hits[row]!++
    }
  }
  const dates = [...tests.keys()].filter((row) => tests[row]! > 0)
  if (dates.length === 0) {
    const missing = notAvailable('no label of the test rows is known yet')
    return { averageAccuracy: missing, averageBaseRate: missing }
  }
  const ones = dates.filter((row) => labels[row] === 1).length
  return {
    averageAccuracy: dates.reduce((sum, row) => sum + hits[row]! / tests[row]!, 0) / dates.length,
    averageBaseRate: Math.max(ones, dates.length - ones) / dates.length,
  }
}
