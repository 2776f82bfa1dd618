import { Button } from '@mantine/core'
import {
  IconArrowRight,
  IconDatabase,
  IconDownload,
  IconRefresh,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
} from '@tabler/icons-react'
import type { OptimizationResults, LuckReport } from '@tradewright/contract/optimization-results'
import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { exportOptimizationRun } from '@tradewright/contract/optimizer'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { pathOf } from '../../../lib/http.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { FetchedData } from '../../../strategy-form/data/fetched-data.tsx'
import { ResultSource } from '../../../strategy-form/data/result-source.tsx'
import { SeriesSources } from '../../../strategy-form/data/series-sources.tsx'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { statusWord } from '../queries.ts'
import classes from './results.module.css'
import { formatCount } from '../../../lib/format.ts'
import { Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import { formatFitness, formatPerformance, measureWord } from '../form/form.ts'
import { HOW, howSharpe } from './explanations.ts'
import { Card } from '../../../ui/layout/card.tsx'
import dataSplitCardClasses from './data-split-card.module.css'

interface ResultHeadProps {
  run: OptimizationRunItem
  results: OptimizationResults
  onRerun: () => void
  isRerunning: boolean
}

export function ResultHead({ run, results, onRerun, isRerunning }: ResultHeadProps) {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  return (
    <header className={classes.head}>
      <div>
        <h2 className={classes.title} id="optimizer-result-title">
          Run #{run.id}: {results.best_target_asset}
        </h2>
        <p className={classes.facts}>
          <Tag tone={run.status === 'completed' ? 'accent' : 'plain'}>{statusWord(run)}</Tag>
          <span>{run.ml_config.model}</span>
          <span>{periodOf(run, results)}</span>
          <ResultSource result={results} otherwise={[results.data_sources]} />
        </p>
      </div>
      <div className={classes.actions}>
        <Button variant="default" leftSection={<IconDatabase size={16} aria-hidden />} onClick={() => setOpen(true)}>
          Data Sources
        </Button>
        <Button
          variant="default"
          component="a"
          href={pathOf(exportOptimizationRun.path, { id: run.id })}
          download={`optimization_run_${run.id}.json`}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          JSON
        </Button>
        <Button
          variant="default"
          title="The same request and seed; on the same data it finds the same winner"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={isRerunning}
          onClick={onRerun}
        >
          Rerun
        </Button>
        <Button
          rightSection={<IconArrowRight size={16} aria-hidden />}
          onClick={() => void navigate('/backtest', { state: { optimizedStrategy: results.optimized_strategy } })}
        >
          Load into Backtest
        </Button>
      </div>
      <ContentModal opened={isOpen} onClose={() => setOpen(false)} title="Data Sources">
        <SeriesSources series={results.series_sources} />
        <FetchedData title="Features and simulation prices fetch" sources={results.data_sources} />
      </ContentModal>
    </header>
  )
}

/** The days that were tested, which may be fewer than asked for. */
function periodOf({ date_range }: OptimizationRunItem, { actual_period }: OptimizationResults): string {
  const { start_date, end_date } = actual_period ?? date_range
  return formatDateRange(start_date, end_date)
}

interface HeadlineProps {
  run: OptimizationRunItem
  results: OptimizationResults
  measure: string
}

const ICONS = { good: IconCircleCheck, caution: IconAlertTriangle, bad: IconCircleX, unknown: IconHelpCircle }

/** The score of the search stands beside the one that no generation has seen; the verdict says how to take both. */
export function Headline({ run, results, measure }: HeadlineProps) {
  const { best_performance: performance, luck } = results
  const metric = run.ga_parameters.evaluation_metric
  return (
    <>
      <MetricsStrip>
        <Figure
          label="Best fitness"
          how={HOW.bestFitness}
          note={`${measureWord(measure)}, best of ${formatCount(results.total_evaluations)} trials`}
        >
          {formatFitness(measure, results.best_fitness)}
        </Figure>
        <Figure label="Hold-out score" how={HOW.holdOut} note={holdOutNote(results, metric)}>
          {luck.hold_out.value === null ? 'n/a' : formatFitness(metric, luck.hold_out.value)}
        </Figure>
        <Figure label="Accuracy" rank="second" how={HOW.accuracy}>
          {formatPerformance('accuracy', performance.accuracy)}
        </Figure>
        <Figure label="F1 score" rank="second" how={HOW.f1}>
          {formatPerformance('f1_score', performance.f1_score)}
        </Figure>
        <Figure
          label="Sharpe"
          rank="second"
          note={
            results.buy_and_hold &&
            `buy and hold ${formatPerformance('sharpe', results.buy_and_hold.performance.sharpe)}`
          }
          how={howSharpe(results)}
        >
          {formatPerformance('sharpe', performance.sharpe)}
        </Figure>
        <Figure
          label="CAGR"
          rank="second"
          how={HOW.cagr}
          note={
            results.buy_and_hold && `buy and hold ${formatPerformance('cagr', results.buy_and_hold.performance.cagr)}`
          }
        >
          {formatPerformance('cagr', performance.cagr)}
        </Figure>
      </MetricsStrip>
      <Verdict {...luck.summary} />
    </>
  )
}

export function Verdict({ verdict, verdict_text, sentence }: LuckReport['summary']) {
  const Glyph = ICONS[verdict]
  return (
    <p className={classes.verdict} data-tone={verdict}>
      <Glyph size={18} stroke={1.8} aria-hidden />
      <span>
        <b>{verdict_text}.</b> {sentence}
      </span>
    </p>
  )
}

/** Beside a profit stands what holding earned there; an accuracy has nothing to hold. */
function holdOutNote({ luck: { hold_out: holdOut } }: OptimizationResults, metric: string): string {
  const inSearch = `${measureWord(metric)}; in search ${formatFitness(metric, holdOut.in_search)}`
  const held = metric === 'sharpe' || metric === 'cagr' ? holdOut.buy_and_hold?.[metric] : undefined
  return held === undefined || held === null ? inSearch : `${inSearch}, buy and hold ${formatFitness(metric, held)}`
}

/** Parts that overlap get a line each, and a word why that is no peeking. */
export function DataSplitCard({ results }: { results: OptimizationResults }) {
  const parts = splitParts(results)
  const places = placesOf(parts)
  const isRolling = doOverlap(parts)
  return (
    <Card
      title="Data split"
      hint={
        isRolling &&
        'Each walk-forward model learned from rows before its own test only; the train period is that of the newest one'
      }
    >
      <div className={dataSplitCardClasses.bar} data-rolling={isRolling} aria-hidden>
        {parts.map(({ name, kind }, index) => (
          <span
            key={name}
            data-kind={kind}
            style={{ marginLeft: `${places[index]?.left}%`, width: `${places[index]?.width}%` }}
          />
        ))}
      </div>
      <dl className={dataSplitCardClasses.parts}>
        {parts.map(({ name, kind, from, to, rows }) => (
          <div key={name}>
            <dt data-kind={kind}>{name}</dt>
            <dd className="tabular">
              {formatDateRange(from, to)}
              {rows !== undefined && <small>{formatCount(rows)} rows</small>}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

interface SplitPart {
  name: string
  kind: 'train' | 'test' | 'hold-out'
  from: string
  to: string
  /** The rows of the hold-out; other parts have none. */
  rows?: number
}

/** The dates that the models were trained on, those that scored them, and the hold-out that the search did not see. */
export function splitParts({ train_period: train, test_period: test, luck }: OptimizationResults): SplitPart[] {
  const { period, rows } = luck.hold_out
  const parts: SplitPart[] = [
    { name: 'Train period', kind: 'train', from: train.start_date, to: train.end_date },
    { name: 'Test period', kind: 'test', from: test.start_date, to: test.end_date },
  ]
  if (period) parts.push({ name: 'Hold-out', kind: 'hold-out', from: period.start_date, to: period.end_date, rows })
  return parts
}

interface Place {
  /** The part's left edge and its width, in percent of the whole time. */
  left: number
  width: number
}

/** Where each part lies in time. */
export function placesOf(parts: readonly Pick<SplitPart, 'from' | 'to'>[]): Place[] {
  const spans = parts.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }))
  const first = Math.min(...spans.map(({ from }) => from))
  const whole = Math.max(...spans.map(({ to }) => to)) - first || 1
  return spans.map(({ from, to }) => ({ left: (100 * (from - first)) / whole, width: (100 * (to - from)) / whole }))
}

/** The windows of walk-forward overlap: the last model learns from what earlier ones were tested on. */
export const doOverlap = (parts: readonly Pick<SplitPart, 'from' | 'to'>[]): boolean =>
  parts.some(({ from }, index) => index > 0 && from <= parts[index - 1]!.to)
