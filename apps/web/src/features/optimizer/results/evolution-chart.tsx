import { VisuallyHidden } from '@mantine/core'
import type { GenerationEntry } from '@tradewright/contract/optimization-run'
import { type PointerEvent, useState } from 'react'
import { formatFitness } from '../form/fitness.ts'
import classes from './evolution-chart.module.css'

interface EvolutionChartProps {
  history: readonly GenerationEntry[]
  /** Where the axis ends: the planned ones while the run goes on. */
  generations: number
  measure: string
  bestGeneration?: number | undefined
}

/**
 * Best and average fitness per generation. The table of generations carries the same values. Drawn by hand, since its axis
 * counts generations and that of the chart library is time.
 */
export function EvolutionChart({ history, generations, measure, bestGeneration }: EvolutionChartProps) {
  const [hovered, setHovered] = useState<number | null>(null)
  if (history.length === 0) return <p className={classes.waiting}>The first generation is being computed.</p>
  const { best, average, ticks, xOf } = evolutionOf(history, generations)
  const last = Math.max(generations, history.length)
  const entry = history[hovered ?? history.length - 1]

  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const generation = Math.round(((event.clientX - left) / width) * (last - 1))
    setHovered(Math.max(0, Math.min(history.length - 1, generation)))
  }

  return (
    <div className={classes.chart}>
      {entry && <Legend entry={entry} measure={measure} />}
      <VisuallyHidden>{summaryOf(history, measure)}</VisuallyHidden>
      <div className={classes.frame} aria-hidden>
        <div className={classes.plot} onPointerMove={follow} onPointerLeave={() => setHovered(null)}>
          {ticks.map(({ value, y }) => (
            <span key={value} className={classes.tick} style={{ top: `${y}%` }}>
              <span>{formatFitness(measure, value)}</span>
            </span>
          ))}
          <svg viewBox="0 0 100 100" preserveAspectRatio="none">
            <path className={classes.average} d={pathOf(average)} />
            <path className={classes.best} d={pathOf(best)} />
          </svg>
          {entry && <span className={classes.at} style={{ left: `${xOf(entry.generation)}%` }} />}
          {best.length === 1 && (
            <span className={classes.dot} style={{ left: `${best[0]?.x}%`, top: `${best[0]?.y}%` }} />
          )}
          {bestGeneration !== undefined && (
            <span
              className={classes.mark}
              data-side={sideOf(xOf(bestGeneration))}
              style={{ left: `${xOf(bestGeneration)}%` }}
            >
              Best
            </span>
          )}
        </div>
        <div className={classes.axis}>
          {labelledGenerations(last).map((generation) => (
            <span key={generation} style={{ left: `${xOf(generation)}%` }}>
              {generation}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}

/** Follows the pointer, else shows the last generation. */
function Legend({ entry, measure }: { entry: GenerationEntry; measure: string }) {
  return (
    <p className={`${classes.legend} tabular`}>
      <span>Generation {entry.generation}</span>
      <span className={classes.bestKey}>
        Best <b>{formatFitness(measure, entry.best_fitness)}</b>
      </span>
      <span className={classes.averageKey}>
        Average <b>{formatFitness(measure, entry.avg_fitness)}</b>
      </span>
    </p>
  )
}

function summaryOf(history: readonly GenerationEntry[], measure: string): string {
  const [first, last] = [history[0], history.at(-1)]
  if (!first || !last) return ''
  return (
    `Best fitness per generation: from ${formatFitness(measure, first.best_fitness)} in generation ${first.generation} ` +
    `to ${formatFitness(measure, last.best_fitness)} in generation ${last.generation}.`
  )
}

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

const pathOf = (points: readonly Point[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`).join('')

/** On which side of its line a word has room; `x` as in a point. */
export const sideOf = (x: number): 'left' | 'right' => (x > 85 ? 'left' : 'right')
