import type { OptimizationRun, OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import { SplicedMark } from '../../strategy-form/data/spliced-days.tsx'
import { CheckField } from '../../ui/form/fields.tsx'
import { ContentModal } from '../../ui/layout/content-modal.tsx'
import { SourceBadge } from '../../ui/feedback/source-badge.tsx'
import { numeric, Table } from '../../ui/table/table.tsx'
import classes from './compare-modal.module.css'
import { runOptions, isInProgress, runLabel, formatDuration, statusWord } from './queries.ts'
import { formatCount, formatPercent, MISSING } from '../../lib/format.ts'
import { formatDateRange } from '../../lib/format-time.ts'
import { formatFitness, formatPerformance, measureOf, measureWord } from './form/form.ts'

interface ComparedRow {
  label: string
  /** One per run. */
  cells: string[]
}

type Said = (run: OptimizationRun) => string

/** A run that found nothing says so in every row of figures. */
const found =
  (said: (results: OptimizationResults, run: OptimizationRun) => string): Said =>
  (run) =>
    run.results ? said(run.results, run) : MISSING

const judged = ({ value, verdict_text }: { value: number | null; verdict_text: string }): string =>
  value === null ? verdict_text : `${formatPercent(value)}, ${verdict_text}`

const ROWS: readonly (readonly [label: string, said: Said])[] = [
  ['Status', statusWord],
  ['Verdict', found(({ luck }) => luck.summary.verdict_text)],
  [
    'Best fitness',
    found(({ best_fitness }, run) => `${formatFitness(measure(run), best_fitness)} ${measureWord(measure(run))}`),
  ],
  ['Hold-out score', found(({ luck }, run) => formatFitness(run.ga_parameters.evaluation_metric, luck.hold_out.value))],
  ['Accuracy', found(({ best_performance }) => formatPerformance('accuracy', best_performance.accuracy))],
  ['Sharpe', found(({ best_performance }) => formatPerformance('sharpe', best_performance.sharpe))],
  ['CAGR', found(({ best_performance }) => formatPerformance('cagr', best_performance.cagr))],
  [
    'Buy and hold CAGR',
    found(({ buy_and_hold: held }) => (held ? formatPerformance('cagr', held.performance.cagr) : MISSING)),
  ],
  ['Deflated Sharpe', found(({ luck }) => judged(luck.deflated_sharpe))],
  ['Probability of overfitting', found(({ luck }) => judged(luck.overfitting_probability))],
  ['Feature stability', found(({ luck }) => judged(luck.feature_stability))],
  ['Optimal features', found(({ best_features }) => best_features.map(({ label }) => label).join(', '))],
  ['Best target', found(({ best_target }) => best_target.target_label)],
  ['Period', ({ date_range }) => formatDateRange(date_range.start_date, date_range.end_date)],
  ['Model', ({ ml_config }) => ml_config.model],
  ['Walk-forward', ({ optimization_config }) => (optimization_config.walk_forward_enabled ? 'On' : 'Off')],
  ['Population × generations', ({ ga_parameters: ga }) => `${ga.population_size} × ${ga.generations}`],
  ['Evaluations', found(({ total_evaluations }) => formatCount(total_evaluations))],
  ['Runtime', found(({ runtime_seconds }) => formatDuration(runtime_seconds))],
  ['Seed', ({ optimization_config }) => String(optimization_config.seed)],
]

const measure = (run: OptimizationRun) => measureOf({ ...run.ga_parameters, ...run.optimization_config })

export const comparedRows = (runs: readonly OptimizationRun[]): ComparedRow[] =>
  ROWS.map(([label, said]) => ({ label, cells: runs.map(said) }))

/** The initial choice of compared runs: the two newest that found anything. */
export function firstCompared(ended: readonly Pick<OptimizationRunItem, 'id' | 'best_fitness'>[]): number[] {
  const found = ended.filter(({ best_fitness }) => best_fitness !== null)
  return found.slice(0, 2).map(({ id }) => id)
}

interface CompareModalProps {
  opened: boolean
  runs: readonly OptimizationRunItem[]
  onClose: () => void
}

const AT_MOST = 4

/** Up to four runs side by side. */
export function CompareModal({ opened, runs, onClose }: CompareModalProps) {
  const ended = runs.filter((run) => !isInProgress(run))
  const [chosen, setChosen] = useState<readonly number[] | null>(null)
  const ids = (chosen ?? firstCompared(ended)).filter((id) => ended.some((run) => run.id === id))
  return (
    <ContentModal opened={opened} title="Compare runs" size={1080} onClose={onClose}>
      <fieldset className={classes.choice}>
        <legend>Up to {AT_MOST} runs</legend>
        {ended.map((run) => (
          <CheckField
            key={run.id}
            label={runLabel(run)}
            checked={ids.includes(run.id)}
            disabled={!ids.includes(run.id) && ids.length >= AT_MOST}
            onChange={(isIn) => setChosen(isIn ? [...ids, run.id] : ids.filter((id) => id !== run.id))}
          />
        ))}
      </fieldset>
      {opened && <Comparison ids={ids} />}
    </ContentModal>
  )
}

function Comparison({ ids }: { ids: readonly number[] }) {
  const queries = useQueryClient()
  const loaded = useQueries({ queries: ids.map((id) => runOptions(queries, String(id))) })
  const runs = loaded.map(({ data }) => data).filter((run): run is OptimizationRun => run !== undefined)
  if (ids.length === 0) return <p className={classes.hint}>Choose the runs to compare.</p>
  if (loaded.some(({ isError }) => isError)) return <p className={classes.hint}>Failed to load optimization run</p>
  if (runs.length < ids.length) return <p className={classes.hint}>Loading...</p>
  return (
    <div className={classes.side}>
      <Table label="Comparison of runs">
        <thead>
          <tr>
            <th className={classes.label}>Figure</th>
            {runs.map((run) => (
              <th key={run.id} className={numeric}>
                <span className={classes.run}>
                  #{run.id} {run.target_asset} {run.synthetic && <SourceBadge synthetic />}
                  {run.spliced_tickers && <SplicedMark spliced={run.spliced_tickers} />}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparedRows(runs).map(({ label, cells }) => (
            <tr key={label}>
              <td className={classes.label}>{label}</td>
              {cells.map((cell, position) => (
                <td key={runs[position]?.id} className={`${numeric} ${classes.cell}`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
