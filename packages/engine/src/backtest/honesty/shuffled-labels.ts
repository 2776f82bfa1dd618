import { deriveSeed, Random } from '@tradewright/core/random'
import type { TargetRows } from '../../features/feature-matrix.ts'
import type { Label } from '../../features/feature.ts'
import { isAvailable } from '../../performance/figure.ts'
import { type Accuracy, accuracyOf } from '../accuracy.ts'
import type { Learner, LearningJob } from '../learner.ts'
import { enterPredictions, noSignals } from '../signals.ts'

/** Does the accuracy vanish, as it must, when there is nothing to learn? */
export interface ShuffledVerdict extends Accuracy {
  readonly passed: boolean
}

/** Below this the accuracy of a model that learned nonsense is no accident, and something leaks. */
const SUSPICIOUS = 0.01

/** Trains once more, on labels that were dealt out anew in blocks, and tests on the true ones. */
export async function checkShuffledLabels(
  learn: Learner,
  job: LearningJob,
  testRows: Int32Array,
  target: TargetRows,
): Promise<ShuffledVerdict> {
  const shuffled = shuffledLabels(job.labels, job.trainRows, target.overlap, deriveSeed(job.seed, 1))
  const { probabilities } = await learn({ ...job, labels: shuffled, predictRows: testRows, wantsImportances: false })
  const column = noSignals(job.labels.length)
  enterPredictions(column, testRows, probabilities)
  const judged = accuracyOf(testRows, column.signals, target)
  const isSuspicious = isAvailable(judged.pValue) && judged.pValue < SUSPICIOUS
  return { ...judged, passed: !isSuspicious }
}

/** Fewer blocks would leave many labels where they were. */
const MIN_BLOCKS = 10

/**
 * Exchanges blocks of the rows to learn from; all other labels stay. Blocks are as long as labels overlap, so that
 * shuffled labels are as much alike from row to row as the true ones.
 */
export function shuffledLabels(labels: readonly Label[], rows: Int32Array, overlap: number, seed: number): Label[] {
  const length = Math.max(1, Math.min(overlap, Math.floor(rows.length / MIN_BLOCKS)))
  const blocks = Array.from({ length: Math.ceil(rows.length / length) }, (_, i) =>
    rows.subarray(i * length, (i + 1) * length),
  )
  const dealt = inRandomOrder(blocks, new Random(seed)).flatMap((block) => Array.from(block, (row) => labels[row]!))
  const shuffled = [...labels]
  rows.forEach((row, i) => (shuffled[row] = dealt[i]!))
  return shuffled
}

/** Fisher-Yates. */
function inRandomOrder<Item>(items: readonly Item[], random: Random): Item[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const other = random.below(i + 1)
    ;[order[i], order[other]] = [order[other]!, order[i]!]
  }
  return order
}
