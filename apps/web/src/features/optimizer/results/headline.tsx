import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react'
import type { LuckReport, OptimizationResults } from '@tradewright/contract/optimization-results'
import type { OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { formatCount } from '../../../lib/format.ts'
import { Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import { formatFitness, formatPerformance, measureWord } from '../form/fitness.ts'
import { HOW, howSharpe } from './explanations.ts'
import classes from './results.module.css'

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
