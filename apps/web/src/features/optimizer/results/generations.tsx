import { VisuallyHidden, Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { GenerationEntry, OptimizationRun, IndividualDetails } from '@tradewright/contract/optimization-run'
import { Fragment, useState, type PointerEvent } from 'react'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { Pagination, numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { formatFitness, formatPerformance } from '../form/form.ts'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { useGeneration } from '../queries.ts'
import classes from './individuals-table.module.css'
import evolutionChartClasses from './evolution-chart.module.css'

interface IndividualsTableProps {
  runId: number
  entry: GenerationEntry
  measure: string
}

const FIRST = 10

/** The best of a generation first; the rest on demand. */
function IndividualsTable({ runId, entry, measure }: IndividualsTableProps) {
  const [isWhole, setWhole] = useState(false)
  const isPartial = entry.population_details.length < entry.population_size
  const whole = useGeneration(runId, entry.generation, isWhole && isPartial)
  const known = whole.data?.population_details ?? entry.population_details
  const shown = isWhole ? known : known.slice(0, FIRST)
  return (
    <div className={classes.individuals}>
      <Table label={`Individuals of generation ${entry.generation}`}>
        <thead>
          <tr>
            <th className={numeric}>Rank</th>
            <th className={numeric}>Fitness</th>
            <th>Target</th>
            <th className={numeric}>Accuracy</th>
            <th className={`${numeric} ${secondary}`}>Sharpe</th>
            <th className={`${numeric} ${secondary}`}>CAGR</th>
            <th className={secondary}>Features</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((individual) => (
            <IndividualRow key={individual.rank} individual={individual} measure={measure} />
          ))}
        </tbody>
      </Table>
      {shown.length < entry.population_size && (
        <Button variant="default" size="compact-sm" loading={isWhole && whole.isLoading} onClick={() => setWhole(true)}>
          Show all {formatCount(entry.population_size)}
        </Button>
      )}
    </div>
  )
}

function IndividualRow({ individual, measure }: { individual: IndividualDetails; measure: string }) {
  const { rank, fitness, target_label, target_asset, performance, features, is_seed } = individual
  const featuresText = features.map(({ label }) => label).join(', ')
  return (
    <tr>
      <td className={numeric}>{rank}</td>
      <td className={numeric}>{formatFitness(measure, fitness)}</td>
      <td className={classes.target}>
        {target_label || target_asset} {is_seed && <Tag tone="accent">Seeded</Tag>}
        <small className={classes.rest}>{featuresText}</small>
      </td>
      <td className={numeric}>{formatPerformance('accuracy', performance.accuracy)}</td>
      <td className={`${numeric} ${secondary}`}>{formatPerformance('sharpe', performance.sharpe)}</td>
      <td className={`${numeric} ${secondary}`}>{formatPerformance('cagr', performance.cagr)}</td>
      <td className={`${classes.features} ${secondary}`}>{featuresText}</td>
    </tr>
  )
}

const COLUMNS = 7
const PAGE_SIZE = 25

/** Newest first; each row opens into the individuals of its generation. */
export function GenerationsCard({ run, measure }: { run: OptimizationRun; measure: string }) {
  const [open, setOpen] = useState<number | null>(null)
  const [page, setPage] = useState(1)
  const history = run.generation_history
  if (history.length === 0) return null
  const shown = history.toReversed().slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return (
    <Card title="Generation details" hint="Open a generation to see its individuals">
      <Table label="Generation details">
        <thead>
          <tr>
            <th>
              <VisuallyHidden>Individuals</VisuallyHidden>
            </th>
            <th className={numeric}>Generation</th>
            <th className={numeric}>Best fitness</th>
            <th className={numeric}>Average fitness</th>
            <th className={`${numeric} ${secondary}`}>Features of the best</th>
            <th className={`${numeric} ${secondary}`} title="Mean share of features in which two individuals differ">
              Diversity
            </th>
            <th className={`${numeric} ${secondary}`} title="Individuals that had not been tried before">
              New trials
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((entry) => (
            <Fragment key={entry.generation}>
              <GenerationRow
                entry={entry}
                measure={measure}
                isOpen={open === entry.generation}
                onToggle={() => setOpen(open === entry.generation ? null : entry.generation)}
              />
              {open === entry.generation && (
                <tr>
                  <td colSpan={COLUMNS}>
                    <IndividualsTable runId={run.id} entry={entry} measure={measure} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </Table>
      <Pagination
        page={page}
        pageSize={PAGE_SIZE}
        total={history.length}
        onChange={setPage}
        label="Pages of generations"
      />
    </Card>
  )
}

interface GenerationRowProps {
  entry: GenerationEntry
  measure: string
  isOpen: boolean
  onToggle: () => void
}

function GenerationRow({ entry, measure, isOpen, onToggle }: GenerationRowProps) {
  const verb = isOpen ? 'Hide' : 'Show'
  return (
    <tr>
      <td>
        <IconButton
          icon={isOpen ? IconChevronDown : IconChevronRight}
          label={`${verb} individuals of generation ${entry.generation}`}
          onClick={onToggle}
        />
      </td>
      <td className={numeric}>{entry.generation}</td>
      <td className={numeric}>{formatFitness(measure, entry.best_fitness)}</td>
      <td className={numeric}>{formatFitness(measure, entry.avg_fitness)}</td>
      <td className={`${numeric} ${secondary}`}>{formatCount(entry.best_features_count)}</td>
      <td className={`${numeric} ${secondary}`}>{formatPercent(entry.diversity, 0)}</td>
      <td className={`${numeric} ${secondary}`}>{formatCount(entry.new_evaluations)}</td>
    </tr>
  )
}

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
  if (history.length === 0)
    return <p className={evolutionChartClasses.waiting}>The first generation is being computed.</p>
  const { best, average, ticks, xOf } = evolutionOf(history, generations)
  const last = Math.max(generations, history.length)
  const entry = history[hovered ?? history.length - 1]

  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const generation = Math.round(((event.clientX - left) / width) * (last - 1))
    setHovered(Math.max(0, Math.min(history.length - 1, generation)))
  }

  return (
    <div className={evolutionChartClasses.chart}>
      {entry && <Legend entry={entry} measure={measure} />}
      <VisuallyHidden>{summaryOf(history, measure)}</VisuallyHidden>
      <div className={evolutionChartClasses.frame} aria-hidden>
        <div className={evolutionChartClasses.plot} onPointerMove={follow} onPointerLeave={() => setHovered(null)}>
          {ticks.map(({ value, y }) => (
            <span key={value} className={evolutionChartClasses.tick} style={{ top: `${y}%` }}>
              <span>{formatFitness(measure, value)}</span>
            </span>
          ))}
          <svg viewBox="0 0 100 100" preserveAspectRatio="none">
            <path className={evolutionChartClasses.average} d={pathOf(average)} />
            <path className={evolutionChartClasses.best} d={pathOf(best)} />
          </svg>
          {entry && <span className={evolutionChartClasses.at} style={{ left: `${xOf(entry.generation)}%` }} />}
          {best.length === 1 && (
            <span className={evolutionChartClasses.dot} style={{ left: `${best[0]?.x}%`, top: `${best[0]?.y}%` }} />
          )}
          {bestGeneration !== undefined && (
            <span
              className={evolutionChartClasses.mark}
              data-side={sideOf(xOf(bestGeneration))}
              style={{ left: `${xOf(bestGeneration)}%` }}
            >
              Best
            </span>
          )}
        </div>
        <div className={evolutionChartClasses.axis}>
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
    <p className={`${evolutionChartClasses.legend} tabular`}>
      <span>Generation {entry.generation}</span>
      <span className={evolutionChartClasses.bestKey}>
        Best <b>{formatFitness(measure, entry.best_fitness)}</b>
      </span>
      <span className={evolutionChartClasses.averageKey}>
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
