import { toTick } from './daily-bars.ts'
import type { Noise } from './noise.ts'

/** One day's bar, to be told minute by minute. */
interface DayBar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

interface MinuteBars {
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/** Minutes that together are exactly the day's bar: its open, high, low, close and volume. */
export function minutesOf(day: DayBar, count: number, noise: Noise): MinuteBars {
  const path = pricePath(day, count, noise)
  const open = path.subarray(0, count)
  const close = path.subarray(1)
  const column = () => new Float64Array(count)
  const [high, low] = [column(), column()]
  for (let i = 0; i < count; i++) {
    const [top, bottom] = [Math.max(open[i]!, close[i]!), Math.min(open[i]!, close[i]!)]
    // A little beyond the ends of the minute, but never beyond those of the day.
    high[i] = toTick(top + 0.02 * noise.uniform() * (day.high - top))
    low[i] = toTick(bottom - 0.02 * noise.uniform() * (bottom - day.low))
  }
  return { open, high, low, close, volume: spreadOver(day.volume, count, noise) }
}

/** A bridge from open to close whose highest and lowest points are those of the day; `count` + 1 points. */
function pricePath(day: DayBar, count: number, noise: Noise): Float64Array {
  const path = bridge(day, count, noise)
  const [top, bottom] = [Math.max(day.open, day.close), Math.min(day.open, day.close)]
  const [highest, lowest] = extremesInside(path)
  const stretchUp = stretch(path[highest]! - top, day.high - top)
  const stretchDown = stretch(bottom - path[lowest]!, bottom - day.low)
  for (let i = 1; i < count; i++) {
    const price = path[i]!
    if (price > top) path[i] = top + (price - top) * stretchUp
    else if (price < bottom) path[i] = bottom - (bottom - price) * stretchDown
    path[i] = Math.min(day.high, Math.max(day.low, toTick(path[i]!)))
  }
  if (day.high > top) path[highest] = day.high
  if (day.low < bottom) path[lowest] = day.low
  return path
}

const stretch = (reached: number, wanted: number): number => (reached > 0 ? wanted / reached : 0)

function bridge({ open, close, high, low }: DayBar, count: number, noise: Noise): Float64Array {
  const walk = new Float64Array(count + 1)
  for (let i = 1; i <= count; i++) walk[i] = walk[i - 1]! + noise.roughNormal()
  // The range of a random walk of n steps is about 1.6 times the root of n.
  const scale = (high - low) / (1.6 * Math.sqrt(count))
  const path = walk.map(
    (value, i) => open + ((close - open) * i) / count + scale * (value - (walk[count]! * i) / count),
  )
  path[0] = open
  path[count] = close
  return path
}

/** Where the path is highest and lowest, its ends left out; two different places. */
function extremesInside(path: Float64Array): [highest: number, lowest: number] {
  let [highest, lowest] = [1, 2]
  for (let i = 1; i < path.length - 1; i++) {
    if (path[i]! > path[highest]!) highest = i
    if (path[i]! < path[lowest]!) lowest = i
  }
  if (highest !== lowest) return [highest, lowest]
  return [highest, highest === 1 ? 2 : 1]
}

/** Whole parts of a whole amount, more at both ends of the day; they add up exactly. */
export function spreadOver(total: number, count: number, noise: Noise): Float64Array {
  const weights = new Float64Array(count)
  let sum = 0
  for (let i = 0; i < count; i++) {
    const middle = (2 * i) / count - 1
    weights[i] = (0.5 + middle * middle) * (0.4 + 1.2 * noise.uniform())
    sum += weights[i]!
  }
  let [done, reached] = [0, 0]
  return weights.map((weight, i) => {
    reached += weight
    const until = i === count - 1 ? total : Math.floor((total * reached) / sum)
    const part = until - done
    done = until
    return part
  })
}

/** A level that wanders from yesterday's value to today's and arrives there in the last minute. */
export function levelPath(before: number, after: number, count: number, noise: Noise): Float64Array {
  const width = (0.3 * Math.abs(after - before) + 0.002 * Math.abs(after)) / Math.sqrt(count)
  const walk = new Float64Array(count + 1)
  for (let i = 1; i <= count; i++) walk[i] = walk[i - 1]! + width * noise.roughNormal()
  return Float64Array.from({ length: count }, (_, i) => {
    if (i === count - 1) return after
    const share = (i + 1) / count
    return before + (after - before) * share + walk[i + 1]! - walk[count]! * share
  })
}
