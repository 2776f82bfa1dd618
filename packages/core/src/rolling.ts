/**
 * Figures of the last `window` steps at each value of a curve of growth, NaN (no value) before there are as many. In one
 * pass over sums, so that a page can draw any window of a long run at once.
 */
type Curve = ArrayLike<number>

export function rollingReturn(growth: Curve, window: number): Float64Array {
  return eachFrom(growth, window, (at) => growth[at]! / growth[at - window]! - 1)
}

/** How far each value lies below the highest of the window. */
export function rollingDrawdown(growth: Curve, window: number): Float64Array {
  // Places of values, falling: the first is the highest of the window, and no later one is higher than one before it.
  const highs: number[] = []
  let first = 0
  const depths = new Float64Array(growth.length).fill(Number.NaN)
  for (let at = 0; at < growth.length; at++) {
    while (highs.length > first && growth[highs.at(-1)!]! <= growth[at]!) highs.pop()
    highs.push(at)
    if (highs[first]! < at - window) first += 1
    if (at >= window) depths[at] = growth[at]! / growth[highs[first]!]! - 1
  }
  return depths
}

/** Sample standard deviation of the returns, per year. */
export function rollingVolatility(growth: Curve, window: number, periodsPerYear: number): Float64Array {
  const { sumOf } = runningSums(growth, growth, window)
  return eachFrom(growth, window, (at) => {
    const { x, xx } = sumOf(at)
    return window < 2 ? Number.NaN : Math.sqrt((Math.max(0, xx - (x * x) / window) / (window - 1)) * periodsPerYear)
  })
}

/** Below this the variance of a window is rounding and not movement. */
const STILL = 1e-16

/** The slope of the returns on those of the reference; NaN where that does not move or has no value. */
export function rollingBeta(growth: Curve, reference: Curve, window: number): Float64Array {
  const { sumOf } = runningSums(reference, growth, window)
  return eachFrom(growth, window, (at) => {
    if (!Number.isFinite(reference[at - window])) return Number.NaN
    const { x, y, xx, xy } = sumOf(at)
    const variance = xx - (x * x) / window
    return variance > STILL * window ? (xy - (x * y) / window) / variance : Number.NaN
  })
}

function eachFrom(curve: Curve, window: number, figureAt: (at: number) => number): Float64Array {
  const figures = new Float64Array(curve.length).fill(Number.NaN)
  for (let at = window; at < curve.length; at++) {
    const figure = figureAt(at)
    if (Number.isFinite(figure)) figures[at] = figure
  }
  return figures
}

/** Sums over the returns of the last `window` steps; a step from or to no value counts as none. */
function runningSums(xs: Curve, ys: Curve, window: number) {
  const columns = { x: sums(xs.length), y: sums(xs.length), xx: sums(xs.length), xy: sums(xs.length) }
  for (let at = 1; at < xs.length; at++) {
    const [x, y] = [stepOf(xs, at), stepOf(ys, at)]
    columns.x[at] = columns.x[at - 1]! + x
    columns.y[at] = columns.y[at - 1]! + y
    columns.xx[at] = columns.xx[at - 1]! + x * x
    columns.xy[at] = columns.xy[at - 1]! + x * y
  }
  const within = (column: Float64Array, at: number) => column[at]! - column[at - window]!
  return {
    sumOf: (at: number) => ({
      x: within(columns.x, at),
      y: within(columns.y, at),
      xx: within(columns.xx, at),
      xy: within(columns.xy, at),
    }),
  }
}

const sums = (length: number) => new Float64Array(length)

function stepOf(curve: Curve, at: number): number {
  const step = curve[at]! / curve[at - 1]! - 1
  return Number.isFinite(step) ? step : 0
}
