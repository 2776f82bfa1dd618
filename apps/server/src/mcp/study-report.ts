import { studyMeasureKeys, studyMeasures, type StudyMeasure } from '@tradewright/core/rules/study'
import { formatDate } from '@tradewright/core/time'
import type { StudyFigures, VariantFigures, VariantResult } from '@tradewright/engine/study/evaluate'
import { planStudy, type StudyPlan, valuesOf } from '@tradewright/engine/study/plan'
import { paragraphs, plain, ratio, signedPercent, SYNTHETIC_NOTE, table } from '../assistant/words.ts'
import { errorOf, statusOf } from '../jobs/job-item.ts'
import type { Study, StudyItem } from '../studies/study.ts'

export const studyFacts = (study: StudyItem) => ({
  study_id: study.id,
  status: statusOf(study),
  strategy: study.settings.strategyName,
  varied: study.settings.labels,
  method: study.settings.request.method,
  start_date: formatDate(study.settings.request.backtest.from),
  end_date: formatDate(study.settings.request.backtest.to),
  variants: study.settings.variants,
  evaluated: study.evaluated,
  progress: statusOf(study) === 'running' ? (study.job?.progress?.note ?? 'Waiting for its turn') : null,
  error: statusOf(study) === 'failed' ? errorOf(study) : null,
  created: study.createdAt.toISOString(),
})

/** How it stands and what came out, without the figures of each variant. */
export function studyOutcome(study: Study, results: readonly VariantResult[]) {
  if (!study.outcome) return { ...studyFacts(study), result: null }
  const { report, notes } = study.outcome
  const plan = planStudy(study.settings.request)
  const { luck, period } = report
  const best = resultAt(plan, results, report.best)
  return {
    ...studyFacts(study),
    result: {
      measure: plan.request.measure,
      best: best && { numbers: numbersOf(plan, report.best!), ...parts(best) },
      present: 'problem' in report.present ? null : parts(report.present),
      holding: report.holding && { tickers: report.holdingTickers, ...parts(report.holding) },
      median: report.median,
      above_holding: report.aboveHolding,
      trials: report.trials,
      failed: report.failed,
      failure: report.failure,
      luck: luck.summary,
      checks: { deflated: luck.deflated, hold_out: luck.holdOut, neighbourhood: luck.neighbourhood },
      actual_start_date: formatDate(period.from),
      actual_end_date: formatDate(period.to),
      hold_out_from: period.holdOutFrom === null ? null : formatDate(period.holdOutFrom),
      synthetic: report.synthetic,
      notes,
    },
  }
}

export function studySummary(study: Study, results: readonly VariantResult[]): string {
  const { status, evaluated, variants, progress, error } = studyFacts(study)
  const name = `Parameter study ${study.id} of “${plain(study.settings.strategyName)}”`
  if (status === 'running')
    return `${name} is under way: ${evaluated} of ${variants} variants. ${progress ?? ''}`.trim()
  if (status === 'failed') return `${name} failed. ${error ?? ''}`.trim()
  if (!study.outcome) return `${name} was cancelled after ${evaluated} of ${variants} variants.`
  const { report, notes } = study.outcome
  const plan = planStudy(study.settings.request)
  const best = resultAt(plan, results, report.best)
  const rows: [string, Omit<VariantFigures, 'activeSharpe'> | null][] = [
    ['Best variant', best],
    ['Your numbers', 'problem' in report.present ? null : report.present],
    [`Always holding ${plain(report.holdingTickers.join(', '))}`, report.holding],
  ]
  const { summary, deflated, holdOut, neighbourhood } = report.luck
  return paragraphs(
    `${name}: ${report.trials} variants, best by ${studyMeasures[plan.request.measure].label} in-sample.`,
    report.synthetic && SYNTHETIC_NOTE,
    `**${summary.words}.** ${summary.sentence}`,
    best !== null &&
      table(
        ['Number', 'Best', 'Yours'],
        numbersOf(plan, report.best!).map(({ label, value }, i) => [
          plain(label),
          String(value),
          String(plan.numbers[i]!.value),
        ]),
      ),
    ...(['inSample', 'holdOut'] as const).map(
      (part) =>
        rows.some(([, figures]) => figures?.[part]) &&
        table(
          [part === 'inSample' ? 'In-sample' : 'Hold-out', ...studyMeasureKeys.map((key) => studyMeasures[key].label)],
          rows.map(([label, figures]) => [label].concat(studyMeasureKeys.map((key) => figure(key, figures?.[part])))),
        ),
    ),
    [deflated, holdOut, neighbourhood].map(({ words, sentence }) => `- **${words}.** ${sentence}`).join('\n'),
    report.failure !== null && `${report.failed} variants could not be run: ${plain(report.failure)}`,
    notes.map((note) => `- ${plain(note)}`).join('\n'),
  )
}

/** A head and a line for each variant, in the order of the plan. */
export function variantLines(study: Study, results: readonly VariantResult[]): { head: string; lines: string[] } {
  const plan = planStudy(study.settings.request)
  const columns = studyMeasureKeys.flatMap((key) => [`in_sample_${key}`, `hold_out_${key}`])
  return {
    head: [...plan.numbers.map(({ path }) => path), ...columns].join(','),
    lines: results.map((result, place) => {
      const figures = 'problem' in result ? null : result
      const values = studyMeasureKeys.flatMap((key) => [figures?.inSample[key], figures?.holdOut?.[key]])
      return [...valuesOf(plan, plan.cells[place]!), ...values.map((value) => value ?? '')].join(',')
    }),
  }
}

const numbersOf = (plan: StudyPlan, cell: number) => {
  const values = valuesOf(plan, cell)
  return plan.numbers.map(({ path, label }, i) => ({ path, label, value: values[i]! }))
}

function resultAt({ cells }: StudyPlan, results: readonly VariantResult[], cell: number | null): VariantFigures | null {
  const result = cell === null ? undefined : results[cells.indexOf(cell)]
  return result === undefined || 'problem' in result ? null : result
}

const parts = ({ inSample, holdOut }: Omit<VariantFigures, 'activeSharpe'>) => ({
  in_sample: inSample,
  hold_out: holdOut,
})

const figure = (key: StudyMeasure, figures: StudyFigures | null | undefined): string =>
  (studyMeasures[key].isPercent ? signedPercent : ratio)(figures?.[key])
