import { type ForestGrowth, type ForestJob, NODE_SIZE } from './job.ts'
import { sumCount } from './tree-sums.ts'

/** A thread's part of a job, sum after sum. */
export class GrowthSoFar {
  readonly #job: ForestJob
  #sums = 0
  /** These have room for every sum of the job. */
  readonly #firstTrees: Int32Array
  readonly #testSums: Float64Array
  readonly #outOfBagSums: Float64Array
  readonly #outOfBagCounts: Float64Array
  readonly #trees: Int32Array[] = []

  constructor(job: ForestJob) {
    const sums = sumCount(job)
    const outOfBagCount = job.outOfBag ? job.trainRows.length : 0
    this.#job = job
    this.#firstTrees = new Int32Array(sums)
    this.#testSums = new Float64Array(sums * job.testRows.length)
    this.#outOfBagSums = new Float64Array(sums * outOfBagCount)
    this.#outOfBagCounts = new Float64Array(outOfBagCount)
  }

  /** `draws`: how often each training row was drawn for the tree. */
  addTree(nodes: Int32Array, draws: Uint8Array): void {
    const counts = this.#outOfBagCounts
    for (let i = 0; i < counts.length; i++) if (draws[i] === 0) counts[i]! += 1
    if (this.#job.keepTrees) this.#trees.push(nodes.slice())
  }

  addSums(firstTree: number, testSums: Float64Array, outOfBagSums: Float64Array): void {
    const at = this.#sums++
    this.#firstTrees[at] = firstTree
    this.#testSums.set(testSums, at * testSums.length)
    this.#outOfBagSums.set(outOfBagSums, at * outOfBagSums.length)
  }

  end(): ForestGrowth {
    const isWhole = this.#sums === this.#firstTrees.length
    const used = (sums: Float64Array, rows: number) => (isWhole ? sums : sums.slice(0, this.#sums * rows))
    return {
      firstTrees: isWhole ? this.#firstTrees : this.#firstTrees.slice(0, this.#sums),
      testSums: used(this.#testSums, this.#job.testRows.length),
      outOfBagSums: used(this.#outOfBagSums, this.#outOfBagCounts.length),
      outOfBagCounts: this.#outOfBagCounts,
      nodes: joinArrays(this.#trees),
      treeSizes: Int32Array.from(this.#trees, (tree) => tree.length / NODE_SIZE),
    }
  }
}

export function joinArrays(parts: readonly Int32Array[]): Int32Array {
  const whole = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
