import { VisuallyHidden } from '@mantine/core'
import type { GenerationEntry } from '@tradewright/contract/optimization-run'
import { type PointerEvent, useState } from 'react'
import { formatFitness } from '../form/fitness.ts'
import classes from './evolution-chart.module.css'
import { evolutionOf, labelledGenerations, pathOf, sideOf } from './evolution-points.ts'

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
