/**
 * Combinatorial purged cross-validation (López de Prado, Advances in Financial Machine Learning, 2018, chapter 12): the
 * rows are cut into groups; every choice of some of them is tested once by a model that learned from the others.
 */
interface SplitRules {
  /** N in the book by López de Prado. */
  readonly groups: number
  /** k in the book by López de Prado. */
  readonly testGroups: number
  /** Bars that a label looks ahead. */
  readonly horizon: number
  /** Bars after a test group, and after what its labels see, that are not learned from either. */
  readonly embargo: number
}

/** Positions among the usable rows. */
export interface PurgedSplit {
  /** Ascending. */
  readonly testGroups: readonly number[]
  readonly train: Int32Array
  readonly test: Int32Array
}

/** Half-open, nearly equal, one after the other. */
const groupOf = (rowCount: number, groups: number, group: number) => ({
  from: Math.floor((group * rowCount) / groups),
  to: Math.floor(((group + 1) * rowCount) / groups),
})

/** @param bars the bar of each usable row, ascending */
export function combinatorialSplits(bars: Int32Array, rules: SplitRules): PurgedSplit[] {
  return choices(rules.groups, rules.testGroups).map((testGroups) => splitOf(bars, rules, testGroups))
}

/** All ways to choose so many of the first numbers, in order. */
function choices(count: number, chosen: number): number[][] {
  if (chosen === 0) return [[]]
  return Array.from({ length: count }, (_, last) => last).flatMap((last) =>
    choices(last, chosen - 1).map((earlier) => earlier.concat(last)),
  )
}

function splitOf(
  bars: Int32Array,
  { groups, horizon, embargo }: SplitRules,
  testGroups: readonly number[],
): PurgedSplit {
  const spans = testGroups.map((group) => groupOf(bars.length, groups, group))
  const rows = Int32Array.from(bars.keys())
  const test = rows.filter((row) => spans.some(({ from, to }) => row >= from && row < to))
  // A label of bar b is known at b + horizon: it may neither reach a test bar nor share a price with a test label.
  const closed = spans
    .filter(({ from, to }) => to > from)
    .map(({ from, to }) => ({ from: bars[from]! - horizon, to: bars[to - 1]! + horizon + embargo }))
  const train = rows.filter((row) => closed.every(({ from, to }) => bars[row]! < from || bars[row]! > to))
  return { testGroups, train, test }
}

/**
 * Paths through all groups, each group of a path predicted by another split: C(N, k) k / N of them. By path and group: the
 * number of the split.
 */
export function combinatorialPaths(splits: readonly Pick<PurgedSplit, 'testGroups'>[], groups: number): number[][] {
  const byGroup = Array.from({ length: groups }, (_, group) =>
    [...splits.keys()].filter((split) => splits[split]!.testGroups.includes(group)),
  )
  return byGroup[0]!.map((_, path) => byGroup.map((own) => own[path]!))
}
