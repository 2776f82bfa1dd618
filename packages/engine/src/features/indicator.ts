import type { Column } from '@tradewright/core/column'

/**
 * A pure function of columns to a column. The value of a row depends on that row and the ones before it, never on
 * later ones; it is NaN while there is too little history, and where a value it needs is missing.
 */
export interface Indicator<Parameters extends Readonly<Record<string, number>>> {
  readonly id: string
  readonly defaults: Parameters
  /** Rows at the start that cannot have a value. */
  readonly warmUp: (parameters: Parameters) => number
  /** One column per input, all of the same length. */
  readonly compute: (inputs: readonly Column[], parameters: Parameters) => Column
}

export interface WindowParameters extends Readonly<Record<string, number>> {
  /** The window, in rows. */
  readonly window: number
}

export function assertWholeNumber(name: string, value: number, atLeast: number): void {
  if (!Number.isInteger(value) || value < atLeast) {
    throw new RangeError(`${name} must be a whole number of at least ${atLeast}, was ${value}`)
  }
}

export function inputAt(inputs: readonly Column[], index: number): Column {
  const column = inputs[index]
  if (!column) throw new RangeError(`input ${index + 1} is missing`)
  return column
}

/**
 * Calls `compute` on each full window. A window is summed afresh instead of being carried along: that way a value does
 * not depend on where the history begins, and live trading gets the digits of the backtest.
 */
export function overWindows(length: number, window: number, compute: (from: number, to: number) => number): Column {
  const out = new Float64Array(length).fill(Number.NaN)
  for (let row = window - 1; row < length; row++) out[row] = compute(row - window + 1, row + 1)
  return out
}

/** NaN when the window holds one. */
export function meanOf(column: Column, from: number, to: number): number {
  let sum = 0
  for (let row = from; row < to; row++) sum += column[row]!
  return sum / (to - from)
}

/**
 * `meanOf` of each full window, to the last digit: each sum is added up in its own order, and four of neighbouring windows
 * go side by side, since one addition waits for the one before it and not for those of others.
 */
export function windowMeans(column: Column, window: number): Column {
  const { length } = column
  const out = new Float64Array(length).fill(Number.NaN)
  let row = window - 1
  for (; row + 3 < length; row += 4) {
    let [first, second, third, fourth] = [0, 0, 0, 0]
    for (let i = row - window + 1; i <= row; i++) {
      first += column[i]!
      second += column[i + 1]!
      third += column[i + 2]!
      fourth += column[i + 3]!
    }
    out[row] = first / window
    out[row + 1] = second / window
    out[row + 2] = third / window
    out[row + 3] = fourth / window
  }
  for (; row < length; row++) out[row] = meanOf(column, row - window + 1, row + 1)
  return out
}
