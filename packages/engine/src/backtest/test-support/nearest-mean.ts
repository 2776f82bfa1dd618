import type { Learner, LearningJob } from '../learner.ts'

/**
 * A small learner for tests: how much nearer a row is to the mean of the ones than to that of the zeros, in standard
 * deviations of the training rows. It learns only from what it is allowed to see, and is the same every time.
 */
export const nearestMean: Learner = async (job) => {
  const scales = job.columns.map((column) => scaleOf(column, job.trainRows))
  const [zeros, ones] = [meanOf(job, 0), meanOf(job, 1)]
  const probabilities = Float64Array.from(job.predictRows, (row) => {
    let [fromZeros, fromOnes] = [0, 0]
    job.columns.forEach((column, i) => {
      fromZeros += ((column[row]! - zeros[i]!) / scales[i]!) ** 2
      fromOnes += ((column[row]! - ones[i]!) / scales[i]!) ** 2
    })
    return fromZeros / (fromZeros + fromOnes)
  })
  const importances = job.wantsImportances ? job.columns.map(() => 1 / job.columns.length) : undefined
  return { probabilities, importances: importances && Float64Array.from(importances) }
}

function meanOf({ columns, labels, trainRows }: LearningJob, label: 0 | 1): number[] {
  const rows = trainRows.filter((row) => labels[row] === label)
  return columns.map((column) => rows.reduce((sum, row) => sum + column[row]!, 0) / rows.length)
}

function scaleOf(column: Float64Array, rows: Int32Array): number {
  const mean = rows.reduce((sum, row) => sum + column[row]!, 0) / rows.length
  const variance = rows.reduce((sum, row) => sum + (column[row]! - mean) ** 2, 0) / rows.length
  return Math.sqrt(variance) || 1
}
