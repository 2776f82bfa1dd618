import { type Figure, isAvailable } from '../performance/figure.ts'
import type { DeflatedWinner, Overfitting } from './overfitting.ts'
import type { FeatureStability } from './stability.ts'
import { earnsNoMore } from './holding.ts'
import type { HoldOutScores } from './winner.ts'

export type Verdict = 'good' | 'caution' | 'bad' | 'unknown'

/** A figure with its meaning for a reader who does not know it. */
export interface Judgement {
  readonly value: number | null
  readonly verdict: Verdict
  /** A few words. */
  readonly words: string
  readonly sentence: string
}

const NOT_COMPUTED = 'It could not be computed because '

/** Why an unknown judgement is one, as `unknown` was told. */
export const reasonOf = ({ sentence }: Judgement): string => sentence.slice(NOT_COMPUTED.length, -1)

/** What a verdict on all of it is called, here and on the robustness board. */
export const SUMMARY_WORDS = {
  unknown: 'Cannot be told',
  good: 'Looks genuine',
  caution: 'Promising, not proven',
  bad: 'Do not trust it yet',
  noMoreThanHolding: 'Earned no more than holding',
} as const

export const unknown = (why: string): Judgement => ({
  value: null,
  verdict: 'unknown',
  words: SUMMARY_WORDS.unknown,
  sentence: `${NOT_COMPUTED}${why}.`,
})

/** Verdicts of a test against luck. */
export const LUCK_WORDS: Grades = ['Unlikely to be luck', 'May be luck', 'Could well be luck']

export type Grades = readonly [good: string, caution: string, bad: string]

export const graded = (value: number, isGood: boolean, isFair: boolean, [good, caution, bad]: Grades) => ({
  value,
  verdict: isGood ? ('good' as const) : isFair ? ('caution' as const) : ('bad' as const),
  words: isGood ? good : isFair ? caution : bad,
})

/** What rounds to none or to all, and is not, says so. */
export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return 'less than 0.1%'
  if (share < 1 && share >= 0.9995) return 'more than 99.9%'
  return `${withMinus((100 * share).toFixed(1))}%`
}

/** As screens write it: a sentence has no hyphen before a figure. */
export const withMinus = (figure: string): string => figure.replace('-', '−')

export function judgeDeflated({ probability, trials }: DeflatedWinner): Judgement {
  if (!isAvailable(probability)) return unknown(probability.notAvailable)
  return {
    ...graded(probability, probability >= 0.95, probability >= 0.8, LUCK_WORDS),
    sentence:
      `${trials} feature sets were tried, and the best of so many looks good by chance alone. Taking that into account, ` +
      `the confidence that it beats always holding the buy allocation, by timing that is more than chance, is ` +
      `${percent(probability)}; 95% is the usual mark.`,
  }
}

export function judgeOverfitting({ probability }: Overfitting): Judgement {
  if (!isAvailable(probability)) return unknown(probability.notAvailable)
  return {
    ...graded(probability, probability <= 0.2, probability <= 0.5, [
      'Low risk of overfitting',
      'Some risk of overfitting',
      'High risk of overfitting',
    ]),
    sentence:
      'The test time was cut into 16 parts and the search repeated on every half of them: in ' +
      `${percent(probability)} of the cases the best feature set of one half was below average in the other.`,
  }
}

export function judgeStability(features: readonly FeatureStability[], stability: Figure): Judgement {
  if (!isAvailable(stability)) return unknown(stability.notAvailable)
  const steady = features.filter(
    ({ generationShare, windowShare }) => generationShare >= 0.5 && (windowShare ?? 1) >= 0.5,
  )
  return {
    ...graded(stability, stability >= 0.7, stability >= 0.4, [
      'Stable features',
      'Partly stable features',
      'Features come and go',
    ]),
    sentence:
      `${steady.length} of ${features.length} features were in the best set of most generations and mattered in most ` +
      'windows. Features that matter only now and then are likely to be chance finds.',
  }
}

interface Judgements {
  readonly holdOut: Judgement
  readonly deflated: Judgement
  readonly overfitting: Judgement
  readonly stability: Judgement
}

/**
 * All of it in one. The hold-out and luck weigh most: without both of them nothing looks genuine. A winner that earned
 * no more than holding on the hold-out is never more than a caution, and that only when it also risked less.
 */
export function judgeAll(parts: Judgements, holdOut: HoldOutScores | undefined): Omit<Judgement, 'value'> {
  if (holdOut && earnsNoMore(holdOut)) {
    const risksLess = parts.holdOut.verdict === 'caution' && parts.deflated.verdict !== 'bad'
    return {
      verdict: risksLess ? 'caution' : 'bad',
      words: SUMMARY_WORDS.noMoreThanHolding,
      sentence:
        'On the data that no generation saw, always holding the buy allocation earned as much as the winner or more.',
    }
  }
  const verdicts = Object.values(parts).map(({ verdict }) => verdict)
  const bad = verdicts.filter((verdict) => verdict === 'bad').length
  const good = verdicts.filter((verdict) => verdict === 'good').length
  if (parts.holdOut.verdict === 'bad' || parts.deflated.verdict === 'bad' || bad > 1) {
    return {
      verdict: 'bad',
      words: SUMMARY_WORDS.bad,
      sentence:
        'The search found something that looks good, but the checks do not show that it beats holding by more than chance.',
    }
  }
  const isGood = parts.holdOut.verdict === 'good' && parts.deflated.verdict === 'good'
  if (isGood && bad === 0 && good >= 3) {
    return {
      verdict: 'good',
      words: SUMMARY_WORDS.good,
      sentence:
        'The winner earned more than holding, and passes the checks against chance. Watch it on paper before you risk ' +
        'money on it.',
    }
  }
  return {
    verdict: 'caution',
    words: SUMMARY_WORDS.caution,
    sentence: 'Some checks support the winner and some do not. Try more data, or fewer features and fewer trials.',
  }
}
