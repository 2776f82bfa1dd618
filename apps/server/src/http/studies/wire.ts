import type { Study as WireStudy, StudyItem as WireItem } from '@tradewright/contract/studies'
import { rangeValues } from '@tradewright/core/rules/numbers'
import { studyMeasureKeys, type StudyMeasure } from '@tradewright/core/rules/study'
import { formatDate } from '@tradewright/core/time'
import { quantileOfSorted } from '@tradewright/engine/performance/statistics'
import type { StudyFigures, VariantFigures, VariantResult } from '@tradewright/engine/study/evaluate'
import { planStudy, type StudyPlan } from '@tradewright/engine/study/plan'
import type { StudyReport } from '@tradewright/engine/study/report'
import { errorOf, statusOf } from '../../jobs/job.ts'
import type { Study, StudyItem } from '../../studies/study.ts'

export function itemToWire(study: StudyItem): WireItem {
  return { ...commonToWire(study), numbers: [...study.settings.labels] }
}

function commonToWire(study: StudyItem): Omit<WireItem, 'numbers'> {
  const { request, strategyName, variants } = study.settings
  const status = statusOf(study)
  return {
    id: study.id,
    status,
    strategy_name: strategyName,
    start_date: formatDate(request.backtest.from),
    end_date: formatDate(request.backtest.to),
    method: request.method,
    variants,
    evaluated: study.evaluated,
    seconds: study.seconds,
    progress:
      status === 'running'
        ? {
            fraction: study.job?.progress?.fraction ?? 0,
            note: study.job?.progress?.note ?? 'Waiting for its turn',
          }
        : null,
    error_message: status === 'failed' ? errorOf(study) : null,
    created_at: study.createdAt.toISOString(),
    finished_at: study.finishedAt?.toISOString() ?? null,
  }
}

export function toWire(study: Study, results: readonly VariantResult[]): WireStudy {
  const { request, config } = study.settings
  const plan = planStudy(request)
  return {
    ...commonToWire(study),
    numbers: plan.numbers.map(({ path, label, value }, i) => {
      const { from, to, step } = request.numbers[i]!
      return { path, label, present: value, from, to, step, values: rangeValues(request.numbers[i]!) }
    }),
    measure: request.measure,
    hold_out_pct: request.holdOutPct,
    config: config as WireStudy['config'],
    results: study.outcome && resultsToWire(plan, study.outcome.report, results, study.outcome.notes),
  }
}

function resultsToWire(
  plan: StudyPlan,
  report: StudyReport,
  results: readonly VariantResult[],
  notes: readonly string[],
): NonNullable<WireStudy['results']> {
  const { luck, period, neighbours } = report
  const figures = results.map((result) => ('problem' in result ? null : result))
  return {
    cells: [...plan.cells],
    in_sample: columnsOf(figures, (one) => one.inSample),
    hold_out: period.holdOutFrom === null ? null : columnsOf(figures, (one) => one.holdOut),
    trials: report.trials,
    failed: report.failed,
    failure: report.failure,
    best: report.best,
    present_cell: report.presentCell,
    present: 'problem' in report.present ? null : partsToWire(report.present),
    holding: report.holding && partsToWire(report.holding),
    holding_tickers: [...report.holdingTickers],
    median: report.median,
    above_holding: report.aboveHolding,
    neighbours: [...neighbours.cells],
    neighbourhood:
      neighbours.values.length === 0
        ? null
        : {
            median: quantileOfSorted(Float64Array.from(neighbours.values), 0.5),
            least: neighbours.values[0]!,
            most: neighbours.values.at(-1)!,
            count: neighbours.values.length,
          },
    effects: report.effects.map(({ path, least, most }) => ({ path, least, most })),
    deflated_sharpe: luck.deflated.value,
    summary: luck.summary,
    deflated: luck.deflated,
    hold_out_verdict: luck.holdOut,
    neighbourhood_verdict: luck.neighbourhood,
    actual_start: formatDate(period.from),
    actual_end: formatDate(period.to),
    hold_out_start: period.holdOutFrom === null ? null : formatDate(period.holdOutFrom),
    bars: period.bars,
    risk_free: report.riskFree,
    synthetic: report.synthetic,
    notes: [...notes],
  }
}

const partsToWire = ({ inSample, holdOut }: Omit<VariantFigures, 'activeSharpe'>) => ({
  in_sample: inSample,
  hold_out: holdOut,
})

function columnsOf(
  figures: readonly (VariantFigures | null)[],
  part: (one: VariantFigures) => StudyFigures | null,
): Record<StudyMeasure, (number | null)[]> {
  const columns = studyMeasureKeys.map(
    (measure) => [measure, figures.map((one) => (one ? (part(one)?.[measure] ?? null) : null))] as const,
  )
  return Object.fromEntries(columns) as Record<StudyMeasure, (number | null)[]>
}
