import { Problem } from '@tradewright/core/problem'
import type { WalkForwardWindow } from './walk-forward.ts'

/** The first part of the rows to learn from, the rest to be tested on, without the rows whose labels reach into it. */
export function trainTestSplit(rowCount: number, trainPct: number, horizon: number): WalkForwardWindow {
  if (!(trainPct > 0 && trainPct < 100)) {
    throw invalid(`The train size must be above 0% and below 100%, was ${trainPct}%.`)
  }
  const boundary = Math.floor((rowCount * trainPct) / 100)
  const train = { from: 0, to: boundary - horizon }
  if (train.to < 2 || boundary >= rowCount) {
    throw invalid(`${rowCount} rows of data are too few for a train size of ${trainPct}%.`)
  }
  return { train, test: { from: boundary, to: rowCount } }
}

const invalid = (message: string) => new Problem('invalid', 'backtest.train-size', message)
