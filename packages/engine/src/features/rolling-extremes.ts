import type { Column } from '@tradewright/core/column'
import { runningPeak } from './drawdown.ts'

/** The highest of the last n values; NaN before there are n rows. */
export const rollingHigh = (values: Column, window: number): Column => withWarmUp(runningPeak(values, window), window)

export const rollingLow = (values: Column, window: number): Column =>
  withWarmUp(
    runningPeak(
      values.map((value) => -value),
      window,
    ).map((value) => -value),
    window,
  )

const withWarmUp = (column: Column, window: number): Column => column.fill(Number.NaN, 0, window - 1)
