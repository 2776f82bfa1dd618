import type { StudyJudgement } from '@tradewright/contract/studies'
import { formatPercent } from '../../../lib/format.ts'
import type { CheckEntry } from '../../../ui/form/check-list.tsx'
import { type CompletedStudy, formatMeasure } from './study-cells.ts'

const entry = (title: string, { verdict, words, sentence }: StudyJudgement): CheckEntry => ({
  title,
  tone: verdict,
  word: words,
  sentence,
})

/** The verdicts of a study, the one in all first. */
export function checksOf(study: CompletedStudy): CheckEntry[] {
  const { results } = study
  const { deflated_sharpe: probability } = results
  return [
    entry('All in all', results.summary),
    {
      ...entry('Deflated Sharpe', results.deflated),
      term: 'deflated Sharpe ratio',
      ...(probability !== null && { figure: formatPercent(probability) }),
    },
    { ...entry('Hold-out', results.hold_out_verdict), term: 'hold-out' },
    entry('Neighbourhood', results.neighbourhood_verdict),
    ...effectChecks(study),
  ]
}

/** Less than this part of the range of all variants hardly matters, nor does less than that part of the figure itself. */
const HARDLY = { ofRange: 0.2, ofValue: 0.05 }

/** How much each number matters, where there are several. */
function effectChecks({ results, numbers, measure }: CompletedStudy): CheckEntry[] {
  const values = results.in_sample[measure].filter((value) => value !== null)
  if (numbers.length < 2 || values.length === 0) return []
  const [least, most] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)] as const, [
    Infinity,
    -Infinity,
  ] as const)
  return results.effects.map((effect) => {
    const difference = effect.most - effect.least
    const hardly = difference <= Math.max(HARDLY.ofRange * (most - least), HARDLY.ofValue * Math.abs(effect.most))
    const [from, to] = [formatMeasure(measure, effect.least), formatMeasure(measure, effect.most)]
    return {
      title: numbers.find(({ path }) => path === effect.path)?.label ?? effect.path,
      tone: hardly ? 'good' : 'caution',
      word: hardly ? 'Hardly matters' : 'Matters',
      sentence: hardly
        ? `Whatever its value, the median of the variants stays between ${from} and ${to}.`
        : `The median of the variants goes from ${from} to ${to} with its value.`,
    }
  })
}
