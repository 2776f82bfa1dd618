import { type Figure, notAvailable } from './figure.ts'

/** How many parts the time is cut into. */
export const CSCV_BLOCKS = 16

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation (Bailey, Borwein, López de Prado
 * and Zhu, "The probability of backtest overfitting", 2015): cut the time into blocks, take every half of them as
 * in-sample, and count how often the best trial there ranks in the lower half outside.
 *
 * @param sums of each trial over the same periods, see `blockSums`
 */
export function overfittingOfBlocks(sums: readonly BlockSums[]): Figure {
  if (sums.length < 2) return notAvailable('it compares at least two trials')
  const blockCount = sums[0]!.count.length
  const firstBlocks = blockCount >> 1
  const [first, others] = [choiceSums(sums, 0, firstBlocks), choiceSums(sums, firstBlocks, blockCount)]
  const order = (blocks: number, into: Float64Array) =>
    writeOrder(first, blocks & allBlocks(firstBlocks), others, blocks >> firstBlocks, into)
  const [inside, outside] = [new Float64Array(sums.length), new Float64Array(sums.length)]
  let overfitted = 0
  let splits = 0
  forEachHalf(blockCount, (half) => {
    const rest = allBlocks(blockCount) & ~half
    // Every half is the rest of another: of each pair one is met, and counts both ways round.
    if (half > rest) return
    order(half, inside)
    order(rest, outside)
    if (isInLowerHalf(outside, highest(inside))) overfitted++
    if (isInLowerHalf(inside, highest(outside))) overfitted++
    splits += 2
  })
  return overfitted / splits
}

/** Sums per block from which a Sharpe ratio is computed. */
export interface BlockSums {
  readonly count: ArrayLike<number>
  readonly sum: ArrayLike<number>
  readonly squares: ArrayLike<number>
}

/** Undefined where the periods are too few to be cut. */
export function blockSums(returns: Float64Array, blockCount: number): BlockSums | undefined {
  if (returns.length < 2 * blockCount) return undefined
  const sums = {
    count: new Float64Array(blockCount),
    sum: new Float64Array(blockCount),
    squares: new Float64Array(blockCount),
  }
  for (let i = 0; i < returns.length; i++) {
    const block = Math.floor((i * blockCount) / returns.length)
    sums.count[block]! += 1
    sums.sum[block]! += returns[i]!
    sums.squares[block]! += returns[i]! ** 2
  }
  return sums
}

/** Sums over every choice of some consecutive blocks: choice after choice, each with a value per trial. */
interface ChoiceSums {
  /** Per choice alone: all trials have the same periods. */
  readonly count: Float64Array
  readonly sum: Float64Array
  readonly squares: Float64Array
}

/**
 * Bit i of a choice is block `from + i`. Thousands of halves are evaluated: each is one choice among the first blocks
 * and one among the others, which is two look-ups instead of as many additions as it has blocks.
 */
function choiceSums(trials: readonly BlockSums[], from: number, to: number): ChoiceSums {
  const choices = 2 ** (to - from)
  const fill = (rows: readonly ArrayLike<number>[]) => {
    const sums = new Float64Array(choices * rows.length)
    for (let choice = 1; choice < choices; choice++) {
      const last = 31 - Math.clz32(choice)
      const [at, without] = [choice * rows.length, (choice & ~(1 << last)) * rows.length]
      rows.forEach((row, i) => (sums[at + i] = sums[without + i]! + row[from + last]!))
    }
    return sums
  }
  return {
    count: fill([trials[0]!.count]),
    sum: fill(trials.map(({ sum }) => sum)),
    squares: fill(trials.map(({ squares }) => squares)),
  }
}

/**
 * Each trial's place in the order of Sharpe ratios over the chosen blocks; a trial that never moves counts as 0. Over
 * equally many periods the ratio rises with the signed square of the total over the total of squares, which takes one
 * division instead of three and no root.
 */
function writeOrder(first: ChoiceSums, a: number, others: ChoiceSums, b: number, into: Float64Array): void {
  const trials = into.length
  const n = first.count[a]! + others.count[b]!
  const [ai, bi] = [a * trials, b * trials]
  for (let trial = 0; trial < trials; trial++) {
    const total = first.sum[ai + trial]! + others.sum[bi + trial]!
    const squares = first.squares[ai + trial]! + others.squares[bi + trial]!
    const moves = squares * n > total * total
    into[trial] = moves ? (total * Math.abs(total)) / squares : 0
  }
}

/** Whether a trial has no more trials below it than above it. */
function isInLowerHalf(scores: Float64Array, trial: number): boolean {
  const own = scores[trial]!
  let ahead = 0
  // Which way a comparison goes is chance: counted as numbers, so that the processor need not guess.
  for (let other = 0; other < scores.length; other++)
    ahead += Number(scores[other]! < own) - Number(scores[other]! > own)
  return ahead <= 0
}

function highest(scores: Float64Array): number {
  let best = 0
  for (let trial = 1; trial < scores.length; trial++) if (scores[trial]! > scores[best]!) best = trial
  return best
}

const allBlocks = (count: number): number => 2 ** count - 1

/** Every set of half of the blocks, as bits. */
function forEachHalf(blockCount: number, visit: (blocks: number) => void): void {
  for (let blocks = 0; blocks <= allBlocks(blockCount); blocks++) {
    if (countBits(blocks) * 2 === blockCount) visit(blocks)
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
