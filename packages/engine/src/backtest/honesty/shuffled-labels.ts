import { deriveSeed, Random } from '@tradewright/core/random'
import type { Label } from '../../features/target.ts'
import { type Figure, isAvailable } from '../../performance/figure.ts'
import { type Accuracy, accuracyOf } from '../accuracy.ts'
import type { Learner, LearningJob } from '../learner.ts'
import { enterPredictions, noSignals } from '../signals.ts'

/** Does the accuracy vanish, as it must, when there is nothing to learn? */
export interface ShuffledVerdict {
  readonly passed: boolean
  /** Of the model that learned from shuffled labels, on the same test rows. */
  readonly accuracy: Figure
  readonly baseRate: Figure
  readonly pValue: Figure
}

/** Below this the accuracy of a model that learned nonsense is no accident, and something leaks. */
const SUSPICIOUS = 0.01

/** Trains once more, on labels that were dealt out anew, and tests on the true ones. */
export async function checkShuffledLabels(
  learn: Learner,
  job: LearningJob,
  testRows: Int32Array,
): Promise<ShuffledVerdict> {
  const shuffled = shuffledLabels(job.labels, job.trainRows, deriveSeed(job.seed, 1))
  const { probabilities } = await learn({ ...job, labels: shuffled, predictRows: testRows, wantsImportances: false })
  const column = noSignals(job.labels.length)
  enterPredictions(column, testRows, probabilities)
  const judged: Accuracy = accuracyOf(testRows, column.signals, job.labels)
  const isSuspicious = isAvailable(judged.pValue) && judged.pValue < SUSPICIOUS
  return { passed: !isSuspicious, accuracy: judged.accuracy, baseRate: judged.baseRate, pValue: judged.pValue }
}

/** Fisher-Yates over the rows to learn from; all other labels stay. */
export function shuffledLabels(labels: readonly Label[], rows: Int32Array, seed: number): Label[] {
  const shuffled = [...labels]
  const random = new Random(seed)
  for (let i = rows.length - 1; i > 0; i--) {
    const [a, b] = [rows[i]!, rows[random.below(i + 1)]!]
    const kept = shuffled[a]!
    shuffled[a] = shuffled[b]!
    shuffled[b] = kept
  }
  return shuffled
}
