/** From values to percent of a plot's height or width. */
interface Scale {
  readonly low: number
  readonly high: number
  /** 0 at the low end, 100 at the high end. */
  readonly at: (value: number) => number
}

/** Around all values with a little air; `zero`: from or through zero. */
export function scaleOf(values: readonly number[], { zero = false }: { zero?: boolean } = {}): Scale {
  let [low, high] = [Math.min(...values), Math.max(...values)]
  if (zero) [low, high] = [Math.min(0, low), Math.max(0, high)]
  const air = (high - low || Math.abs(high) || 1) * 0.06
  const [from, to] = [zero && low === 0 ? 0 : low - air, zero && high === 0 ? 0 : high + air]
  return { low: from, high: to, at: (value) => (100 * (value - from)) / (to - from) }
}

const STEPS = [1, 2, 2.5, 5, 10]

/** Round values inside the scale, at most so many. */
export function ticksOf({ low, high }: Pick<Scale, 'low' | 'high'>, most = 4): number[] {
  const rough = (high - low) / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * STEPS.find((one) => one * power >= rough)!
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => {
    const tick = (first + i) * step
    // Multiples of a tenth have long tails.
    return Number(tick.toPrecision(12))
  })
}

/** A line through points of a plot 100 wide and high. */
export const lineThrough = (points: readonly (readonly [x: number, y: number])[]): string =>
  points.map(([x, y]) => `${x.toFixed(2)},${(100 - y).toFixed(2)}`).join(' ')
