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
