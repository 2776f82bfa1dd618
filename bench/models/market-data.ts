/** A seeded market with a weak, nonlinear predictable part, and features of it: the tables that all peers get. */
import { Random } from '@tradewright/core/random'

interface Market {
  readonly close: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly volume: Float64Array
  readonly returns: Float64Array
}

export interface Table {
  readonly columns: Float64Array<ArrayBuffer>[]
  readonly labels: Int8Array
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float())
}

/** Daily bars with volatility clusters; `strength` is the size of the predictable part in standard deviations. */
function simulateMarket(days: number, random: Random, strength: number): Market {
  const [close, high, low, volume, returns] = Array.from({ length: 5 }, () => new Float64Array(days))
  let price = 100
  let variance = 1.5e-4
  for (let day = 0; day < days; day++) {
    const deviation = Math.sqrt(variance)
    let week = 0
    for (let back = 1; back <= 5; back++) week += returns![day - back] ?? 0
    const yesterday = returns![day - 1] ?? 0
    const momentum = Math.tanh(week / (2 * deviation)) * (deviation < 0.0115 ? 1 : -1)
    const reversal = Math.tanh(yesterday / deviation) * ((volume![day - 1] ?? 0) > 1e6 ? 1 : 0.2)
    const change = deviation * (strength * (1.1 * momentum - 0.9 * reversal) + normal(random))
    const before = price
    price *= Math.exp(change)
    returns![day] = change
    close![day] = price
    high![day] = Math.max(before, price) * Math.exp(0.4 * deviation * Math.abs(normal(random)))
    low![day] = Math.min(before, price) * Math.exp(-0.4 * deviation * Math.abs(normal(random)))
    volume![day] = 1e6 * Math.exp(0.3 * normal(random) + 12 * Math.abs(change))
    variance = Math.min(2e-3, Math.max(3e-5, 4e-6 + 0.08 * change * change + 0.89 * variance))
  }
  return { close: close!, high: high!, low: low!, volume: volume!, returns: returns! }
}

type Feature = (market: Market, day: number, window: number) => number

const mean = (values: Float64Array, day: number, window: number) => {
  let sum = 0
  for (let back = 0; back < window; back++) sum += values[day - back]!
  return sum / window
}
const deviationOf = (values: Float64Array, day: number, window: number) => {
  const middle = mean(values, day, window)
  let sum = 0
  for (let back = 0; back < window; back++) sum += (values[day - back]! - middle) ** 2
  return Math.sqrt(sum / window) + 1e-12
}

const FEATURES: Record<string, Feature> = {
  change: ({ close }, day, window) => close[day]! / close[day - window]! - 1,
  lagged: ({ returns }, day, window) => returns[day - window]!,
  overAverage: ({ close }, day, window) => close[day]! / mean(close, day, window) - 1,
  volatility: ({ returns }, day, window) => deviationOf(returns, day, window),
  zScore: ({ close }, day, window) => (close[day]! - mean(close, day, window)) / deviationOf(close, day, window),
  volumeScore: ({ volume }, day, window) =>
    (volume[day]! - mean(volume, day, window)) / deviationOf(volume, day, window),
  range: ({ high, low }, day, window) => mean(high, day, window) / mean(low, day, window) - 1,
  stochastic: ({ close, high, low }, day, window) => {
    const top = Math.max(...high.subarray(day - window + 1, day + 1))
    const bottom = Math.min(...low.subarray(day - window + 1, day + 1))
    return (close[day]! - bottom) / (top - bottom + 1e-12)
  },
  strengthIndex: ({ returns }, day, window) => {
    let up = 0
    let all = 1e-12
    for (let back = 0; back < window; back++) {
      const change = returns[day - back]!
      all += Math.abs(change)
      if (change > 0) up += change
    }
    return up / all
  },
  upDays: ({ returns }, day, window) => {
    let up = 0
    for (let back = 0; back < window; back++) if (returns[day - back]! > 0) up += 1
    return up / window
  },
}

const WARM_UP = 200
const WINDOWS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30, 40, 50, 60, 80]

function tableOf(features: [Feature, number][], rows: number, blocks: number, seed: number, strength: number): Table {
  const random = new Random(seed)
  const columns = features.map(() => new Float64Array(rows))
  const labels = new Int8Array(rows)
  const perBlock = rows / blocks
  for (let block = 0; block < blocks; block++) {
    const market = simulateMarket(WARM_UP + perBlock + 1, random, strength)
    for (let i = 0; i < perBlock; i++) {
      const row = block * perBlock + i
      features.forEach(([feature, window], column) => {
        columns[column]![row] = feature(market, WARM_UP + i, window)
      })
      labels[row] = market.returns[WARM_UP + i + 1]! > 0 ? 1 : 0
    }
  }
  return { columns, labels }
}

const named = (list: [string, number][]) => list.map(([name, window]): [Feature, number] => [FEATURES[name]!, window])

const TEN = named([
  ['change', 5],
  ['lagged', 0],
  ['strengthIndex', 14],
  ['overAverage', 50],
  ['volatility', 20],
  ['zScore', 20],
  ['stochastic', 14],
  ['volumeScore', 20],
  ['range', 14],
  ['upDays', 10],
])

/** The same ten features of a market given from outside: its last 1,260 days whose next day is known. */
export function studioTableOf(market: Market): Table {
  const first = market.close.length - 1 - 1260
  const columns = TEN.map(([feature, window]) =>
    Float64Array.from({ length: 1260 }, (_, row) => feature(market, first + row, window)),
  )
  const labels = Int8Array.from({ length: 1260 }, (_, row) => (market.returns[first + row + 1]! > 0 ? 1 : 0))
  return { columns, labels }
}

/** W1, W4, W5: five years of one ticker, ten features. */
export const studioTable = (seed: number, strength = 0.35) => tableOf(TEN, 1260, 1, seed, strength)

/** W2: two years, a pool of 200 features. */
export const poolTable = (seed: number, strength = 0.35) => {
  const pool = Object.keys(FEATURES).flatMap((name) => WINDOWS.map((window): [string, number] => [name, window]))
  return tableOf(named(pool), 504, 1, seed, strength)
}

/** W2: which features each evaluation of the optimizer uses, 5 to 10 of the pool. */
export function poolPicks(count: number, seed: number): Int32Array[] {
  const random = new Random(seed)
  return Array.from({ length: count }, () => {
    const picked = new Set<number>()
    const size = 5 + random.below(6)
    while (picked.size < size) picked.add(random.below(200))
    return Int32Array.from(picked)
  })
}

const TWENTY = [
  ...TEN,
  ...named([
    ['change', 2],
    ['change', 20],
    ['lagged', 1],
    ['strengthIndex', 5],
    ['overAverage', 10],
    ['volatility', 5],
    ['zScore', 5],
    ['volumeScore', 5],
    ['stochastic', 5],
    ['range', 3],
  ]),
]

/** W3: 500 markets, 600,000 rows, 20 features. */
export const largeTable = (seed: number) => tableOf(TWENTY, 600_000, 500, seed, 0.35)

/** Large enough for every tier of the kernels, small enough to be fitted for many seeds: 25 markets, 30,000 rows. */
export const middleTable = (seed: number) => tableOf(TWENTY, 30_000, 25, seed, 0.35)

/** [first training row, first test row, end]. */
export type Window = readonly [number, number, number]

export const studioWindow: Window = [0, 882, 1260]
export const studioWindows = Array.from({ length: 10 }, (_, k): Window => [
  0,
  504 + 75 * k,
  Math.min(579 + 75 * k, 1260),
])
export const poolWindow: Window = [0, 353, 504]
export const poolWindows = Array.from({ length: 6 }, (_, k): Window => [42 * k, 252 + 42 * k, 294 + 42 * k])
export const largeWindow: Window = [0, 500_000, 600_000]
export const middleWindow: Window = [0, 20_000, 30_000]
