import { Problem } from '@tradewright/core/problem'
import type { RowSpan, WalkForwardWindow } from './walk-forward.ts'

export interface PurgeRules {
  /** Rows dropped on both sides of a test block: labels that overlap its own. */
  readonly purge: number
  /** Rows dropped after a test block only. Pure forward testing needs none. */
  readonly embargo?: number
}

/** The rows outside all test blocks whose labels do not overlap them (López de Prado, "Advances …", 7.4). */
export function purgedTrainRows(
  rowCount: number,
  tests: readonly RowSpan[],
  { purge, embargo = 0 }: PurgeRules,
): number[] {
  const isTouched = (row: number) =>
    tests.some(({ from, to }) => row >= from - purge && row < to + Math.max(purge, embargo))
  return Array.from({ length: rowCount }, (_, row) => row).filter((row) => !isTouched(row))
}

/** The first part of the rows to learn from, the rest to be tested on, without the rows whose labels reach into it. */
export function trainTestSplit(rowCount: number, trainPct: number, horizon: number): WalkForwardWindow {
  if (!(trainPct > 0 && trainPct < 100)) {
    throw invalid(`The train size must be above 0 % and below 100 %, was ${trainPct} %.`)
  }
  const boundary = Math.floor((rowCount * trainPct) / 100)
  const train = { from: 0, to: boundary - horizon }
  if (train.to < 2 || boundary >= rowCount) {
    throw invalid(`${rowCount} rows of data are too few for a train size of ${trainPct} %.`)
  }
  return { train, test: { from: boundary, to: rowCount } }
}

const invalid = (message: string) => new Problem('invalid', 'backtest.train-size', message)
