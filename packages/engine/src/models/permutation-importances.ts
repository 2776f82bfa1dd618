import { deriveSeed, Random } from '@tradewright/core/random'
import type { Model } from './model.ts'

export interface PermutationRequest {
  readonly columns: readonly Float64Array[]
  readonly labels: Int8Array
  /** Rows with known labels, best such that the model was not trained on. */
  readonly rows: Int32Array
  readonly repeats: number
  readonly seed: number
}

/** Per column: by how much the accuracy falls, on average, when the column's values are shuffled among the rows. */
export function permutationImportances(model: Model, request: PermutationRequest): Float64Array {
  const { rows, labels, repeats, seed } = request
  const columns = request.columns.map((column) => Float64Array.from(rows, (row) => column[row]!))
  const known = Int8Array.from(rows, (row) => labels[row]!)
  const whole = accuracy(model.predict(columns), known)
  return Float64Array.from(columns, (column, index) => {
    let lost = 0
    for (let repeat = 0; repeat < repeats; repeat++) {
      const shuffled = shuffle(column, new Random(deriveSeed(seed, index, repeat)))
      lost += whole - accuracy(model.predict(columns.with(index, shuffled)), known)
    }
    return lost / repeats
  })
}

function accuracy(probabilities: Float64Array, labels: Int8Array): number {
  let right = 0
  for (let i = 0; i < labels.length; i++) if (probabilities[i]! > 0.5 === (labels[i] === 1)) right += 1
  return right / labels.length
}

function shuffle(column: Float64Array<ArrayBuffer>, random: Random): Float64Array<ArrayBuffer> {
  const shuffled = column.slice()
  for (let i = shuffled.length - 1; i > 0; i--) {
    const other = random.below(i + 1)
    ;[shuffled[i], shuffled[other]] = [shuffled[other]!, shuffled[i]!]
  }
  return shuffled
}
