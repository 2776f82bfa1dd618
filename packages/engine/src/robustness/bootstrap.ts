import { Random } from '@tradewright/core/random'

/**
 * Stationary block bootstrap (Politis and Romano, "The stationary bootstrap", 1994): blocks of geometric length, on a
 * circle, so that every row is drawn as often as any other and neighbours mostly stay neighbours.
 */
export function drawRows(random: Random, rows: number, meanBlock: number, into: Int32Array): void {
  // The chance to leave a block, out of 2^32 as a whole number: no draw depends on the rounding of a processor.
  const leaves = Math.floor(0x100000000 / meanBlock)
  let row = 0
  for (let i = 0; i < into.length; i++) {
    if (i === 0 || random.uint32() < leaves) row = random.below(rows)
    else row = row + 1 === rows ? 0 : row + 1
    into[i] = row
  }
}

interface Resampled {
  /** Per period. */
  readonly sharpe: number
  /** Mean of the logarithms of the growth, per period. */
  readonly logGrowth: number
}

/** Figures of the rows that were drawn. `excess` is over the risk-free return, `logs` of one plus the whole return. */
export function resampledFigures(drawn: Int32Array, excess: Float64Array, logs: Float64Array): Resampled {
  let [sum, squares, growth] = [0, 0, 0]
  for (let i = 0; i < drawn.length; i++) {
    const value = excess[drawn[i]!]!
    sum += value
    squares += value * value
    growth += logs[drawn[i]!]!
  }
  const n = drawn.length
  const mean = sum / n
  const deviation = Math.sqrt((squares - n * mean * mean) / (n - 1))
  return { sharpe: deviation > 0 ? mean / deviation : 0, logGrowth: growth / n }
}
