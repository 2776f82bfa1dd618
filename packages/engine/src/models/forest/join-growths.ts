import { joinArrays } from './growth-so-far.ts'
import { type ForestGrowth, type ForestJob, NODE_SIZE } from './job.ts'
import { sumCount } from './tree-sums.ts'

/** A forest as one thread would have grown it. */
interface GrownForest {
  /** Per test row, over all trees. */
  readonly testSums: Float64Array
  /** Per training row, over the trees whose bag misses it, and how many those are. */
  readonly outOfBagSums: Float64Array
  readonly outOfBagCounts: Float64Array
  readonly nodes: Int32Array
  readonly treeSizes: Int32Array
}

/** The growths may come in any order, and each with any of the forest's sums. */
export function joinGrowths(job: ForestJob, growths: readonly ForestGrowth[]): GrownForest {
  const places = findSums(job, growths)
  // The whole work of the optimizer.
  if (places.growth.length === 1 && growths.length === 1) return growths[0]!
  const outOfBagCounts = new Float64Array(job.outOfBag ? job.trainRows.length : 0)
  for (const growth of growths) add(outOfBagCounts, growth.outOfBagCounts, 0)
  const testSums = new Float64Array(job.testRows.length)
  const outOfBagSums = new Float64Array(outOfBagCounts.length)
  for (let sum = 0; sum < places.growth.length; sum++) {
    const growth = growths[places.growth[sum]!]!
    const place = places.within[sum]!
    add(testSums, growth.testSums, place * testSums.length)
    add(outOfBagSums, growth.outOfBagSums, place * outOfBagSums.length)
  }
  return { testSums, outOfBagSums, outOfBagCounts, ...treesInOrder(job, growths, places) }
}

/** For each sum of the forest: the growth that has it, and at which place. */
interface Places {
  readonly growth: Int32Array
  readonly within: Int32Array
}

function findSums(job: ForestJob, growths: readonly ForestGrowth[]): Places {
  const places = { growth: new Int32Array(sumCount(job)).fill(-1), within: new Int32Array(sumCount(job)) }
  growths.forEach(({ firstTrees }, growth) => {
    for (let within = 0; within < firstTrees.length; within++) {
      const sum = (firstTrees[within]! - job.treeFrom) / job.treesPerSum
      if (places.growth[sum] !== -1) throw new Error('trees that the forest has already, or that are not its own')
      places.growth[sum] = growth
      places.within[sum] = within
    }
  })
  if (places.growth.includes(-1)) throw new Error('the forest lacks some of its trees')
  return places
}

function add(sums: Float64Array, values: Float64Array, from: number): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += values[from + i]!
}

function treesInOrder(job: ForestJob, growths: readonly ForestGrowth[], places: Places) {
  if (growths.length === 1) return { nodes: growths[0]!.nodes, treeSizes: growths[0]!.treeSizes }
  if (!job.keepTrees) return { nodes: new Int32Array(0), treeSizes: new Int32Array(0) }
  const trees = growths.map((growth) => treesOf(job, growth))
  const inOrder = Array.from(places.growth, (growth, sum) => trees[growth]![places.within[sum]!]!)
  return {
    nodes: joinArrays(inOrder.map(({ nodes }) => nodes)),
    treeSizes: joinArrays(inOrder.map(({ treeSizes }) => treeSizes)),
  }
}

/** The trees of each sum, one sum after the other. */
function treesOf({ treesPerSum }: ForestJob, growth: ForestGrowth) {
  let node = 0
  return Array.from(growth.firstTrees, (_, at) => {
    const treeSizes = growth.treeSizes.subarray(at * treesPerSum, (at + 1) * treesPerSum)
    const end = treeSizes.reduce((sum, size) => sum + size, node)
    const nodes = growth.nodes.subarray(node * NODE_SIZE, end * NODE_SIZE)
    node = end
    return { treeSizes, nodes }
  })
}
