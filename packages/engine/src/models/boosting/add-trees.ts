import { MISSING_CODE } from '../column-edges.ts'
import { type IsCancelled, throwIfCancelled } from '../cancellation.ts'
import { type BoostedTree, type BoostingJob, LEAF, NODE_LINKS, NODE_NUMBERS } from './job.ts'

/** A few milliseconds of work. */
const ROWS_BETWEEN_QUESTIONS = 65_536

/**
 * Adds what trees say about rows to their log-odds, tree after tree as growing does: the same sums to the last bit.
 */
export function addTrees(
  job: BoostingJob,
  trees: readonly BoostedTree[],
  rows: Int32Array,
  margins: Float64Array,
  isCancelled: IsCancelled,
): void {
  const count = rows.length
  for (const tree of trees) {
    for (let from = 0; from < count; from += ROWS_BETWEEN_QUESTIONS) {
      throwIfCancelled(isCancelled)
      const to = Math.min(count, from + ROWS_BETWEEN_QUESTIONS)
      for (let i = from; i < to; i++) margins[i]! += valueOf(job, tree, rows[i]!)
    }
  }
}

function valueOf({ matrix, columns }: BoostingJob, { links, numbers }: BoostedTree, row: number): number {
  let node = 0
  for (let split = links[0]!; split !== LEAF; split = links[node * NODE_LINKS]!) {
    const code = matrix.codes[columns[split >> 9]! * matrix.rowCount + row]!
    const goesLeft = code === MISSING_CODE ? (split & 0x100) !== 0 : code <= (split & 0xff)
    node = links[node * NODE_LINKS + (goesLeft ? 1 : 2)]!
  }
  return numbers[node * NODE_NUMBERS]!
}
