import type { GenerationEntry } from '@tradewright/contract/optimization-run'

interface Point {
  /** From 0 (left) to 100. */
  x: number
  /** From 0 (top) to 100. */
  y: number
}

interface Evolution {
  best: Point[]
  average: Point[]
  /** Round values for the axis, lowest first, with their height. */
  ticks: { value: number; y: number }[]
  /** Where a generation stands. */
  xOf: (generation: number) => number
}

const PADDING = 0.08

/** Best and average fitness per generation, in percent of the plot. `generations` is where the axis ends. */
export function evolutionOf(history: readonly GenerationEntry[], generations: number): Evolution {
  const values = history.flatMap(({ best_fitness, avg_fitness }) => [best_fitness, avg_fitness])
  const [low, high] = spread(Math.min(...values), Math.max(...values))
  const last = Math.max(generations, history.at(-1)?.generation ?? 1, 2)
  const xOf = (generation: number) => ((generation - 1) / (last - 1)) * 100
  const yOf = (value: number) => ((high - value) / (high - low)) * 100
  const line = (of: (entry: GenerationEntry) => number) =>
    history.map((entry) => ({ x: xOf(entry.generation), y: yOf(of(entry)) }))
  return {
    best: line(({ best_fitness }) => best_fitness),
    average: line(({ avg_fitness }) => avg_fitness),
    ticks: roundValues(low, high).map((value) => ({ value, y: yOf(value) })),
    xOf,
  }
}

/** A little room above and below; a flat line gets some as well. */
function spread(low: number, high: number): [low: number, high: number] {
  const room = (high - low || Math.abs(high) || 1) * PADDING
  return [low - room, high + room]
}

/** At most six multiples of 1, 2, 2.5 or 5 times a power of ten. */
export function roundValues(low: number, high: number): number[] {
  const rough = (high - low) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** Fewer than this many generations are labelled one by one. */
const FEW = 12

/** Generations to write on the axis: first, last and some between. */
export function labelledGenerations(last: number): number[] {
  if (last <= FEW) return Array.from({ length: last }, (_, index) => index + 1)
  const step = Math.ceil(last / 5)
  const between = Array.from({ length: 4 }, (_, index) => (index + 1) * step).filter((one) => one < last - step / 2)
  return [1, ...between, last]
}

export const pathOf = (points: readonly Point[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`).join('')

/** On which side of its line a word has room; `x` as in a point. */
export const sideOf = (x: number): 'left' | 'right' => (x > 85 ? 'left' : 'right')
