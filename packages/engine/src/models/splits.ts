import { Problem } from '@tradewright/core/problem'

/** Half-open: rows from `from` up to and without `to`. */
export interface RowSpan {
  readonly from: number
  readonly to: number
}

export interface WalkForwardWindow {
  readonly train: RowSpan
  readonly test: RowSpan
}

/** In rows. */
export interface WindowSizes {
  readonly train: number
  /** Dropped between train and test: a label that looks h rows ahead would otherwise leak its answer. */
  readonly gap: number
  readonly test: number
  readonly step: number
  /** Train windows that all begin at the first row instead of rolling forward. */
  readonly anchored?: boolean
  /** A last test window may be shorter than the others. */
  readonly partial?: boolean
}

export function walkForwardWindows(rowCount: number, sizes: WindowSizes): WalkForwardWindow[] {
  const { test, step, partial = false } = sizes
  if (step < 1) throw new RangeError(`step must be at least 1 row, was ${step}`)
  const windows: WalkForwardWindow[] = []
  const lastStart = rowCount - (partial ? 1 : test)
  for (let number = 0; firstTestRow(sizes, number) <= lastStart; number++) {
    const window = windowNumber(sizes, number)
    windows.push({ ...window, test: { from: window.test.from, to: Math.min(window.test.to, rowCount) } })
  }
  return windows
}

/** Windows are counted from 0, and there is always a next one. */
export function windowNumber(sizes: WindowSizes, number: number): WalkForwardWindow {
  const { train, gap, test, anchored = false } = sizes
  const start = firstTestRow(sizes, number)
  const trainEnd = start - gap
  return {
    train: { from: anchored ? 0 : trainEnd - train, to: trainEnd },
    test: { from: start, to: start + test },
  }
}

const firstTestRow = ({ train, gap, step }: WindowSizes, number: number): number => train + gap + number * step

/** The window whose model predicts a row: the newest that begins at it or before. Below 0, there is none. */
export const windowOfRow = ({ train, gap, step }: WindowSizes, row: number): number =>
  Math.floor((row - train - gap) / step)

/** In percent of the usable rows, as the form has them. */
export interface WindowPercentages {
  readonly trainPct: number
  readonly testPct: number
  /** Undefined: automatic, a quarter of the test window, at least 1 %. */
  readonly stepPct: number | undefined
}

export const defaultWindowPercentages: WindowPercentages = { trainPct: 50, testPct: 10, stepPct: undefined }

/** Percentages to rows; a Problem says which of them does not fit. */
export function windowSizes(rowCount: number, percentages: WindowPercentages, horizon: number): WindowSizes {
  checkPercentages(percentages)
  const { trainPct, testPct, stepPct = Math.max(1, testPct / 4) } = percentages
  const rows = (pct: number) => Math.floor((rowCount * pct) / 100)
  // The purged rows come out of the train window, so that 50 % and 10 % always mean the same test rows.
  const train = rows(trainPct) - horizon
  const sizes = { train, gap: horizon, test: rows(testPct), step: Math.max(1, rows(stepPct)) }
  if (train < 2 || sizes.test < 1) {
    throw invalid(
      `A train window of ${trainPct}% and a test window of ${testPct}% are too small for ${rowCount} rows of data.`,
    )
  }
  return sizes
}

const isShare = (pct: number): boolean => pct > 0 && pct < 100

function checkPercentages({ trainPct, testPct, stepPct }: WindowPercentages): void {
  if (!isShare(trainPct)) throw invalid(`The train window must be above 0% and below 100%, was ${trainPct}%.`)
  if (!isShare(testPct)) throw invalid(`The test window must be above 0% and below 100%, was ${testPct}%.`)
  if (trainPct + testPct > 100) {
    throw invalid(`Train and test window together are ${trainPct + testPct}% of the data: at most 100% are allowed.`)
  }
  if (stepPct !== undefined && !(stepPct >= 1 && stepPct <= 100)) {
    throw invalid(`The step size must be from 1% to 100%, was ${stepPct}%.`)
  }
}

const invalid = (message: string) => new Problem('invalid', 'backtest.walk-forward', message)

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

/** The first part of the rows to learn from, the rest to be tested on, without the rows whose labels reach into it. */
export function trainTestSplit(rowCount: number, trainPct: number, horizon: number): WalkForwardWindow {
  if (!(trainPct > 0 && trainPct < 100)) {
    throw invalidSplit(`The train size must be above 0% and below 100%, was ${trainPct}%.`)
  }
  const boundary = Math.floor((rowCount * trainPct) / 100)
  const train = { from: 0, to: boundary - horizon }
  if (train.to < 2 || boundary >= rowCount) {
    throw invalidSplit(`${rowCount} rows of data are too few for a train size of ${trainPct}%.`)
  }
  return { train, test: { from: boundary, to: rowCount } }
}

const invalidSplit = (message: string) => new Problem('invalid', 'backtest.train-size', message)

/** Every row of [from, to), as the list that fits take. */
export function rowRange(from: number, to: number): Int32Array {
  const rows = new Int32Array(new SharedArrayBuffer(4 * Math.max(0, to - from)))
  for (let i = 0; i < rows.length; i++) rows[i] = from + i
  return rows
}

/** Are they a range, as the rows of a window are? Then columns can be copied as wholes. */
export function isRange(rows: Int32Array): boolean {
  const first = rows[0]!
  for (let i = 1, count = rows.length; i < count; i++) if (rows[i] !== first + i) return false
  return rows.length > 0
}
