import { type Judgement, SUMMARY_WORDS } from '../optimizer/verdicts.ts'
import { type CheckOutcome, signedPercent } from './check.ts'
import type { BoardMaterial } from './material.ts'

export interface BoardVerdict extends Omit<Judgement, 'value'> {
  readonly passed: number
  readonly cautions: number
  readonly failed: number
}

/** Of the checks that were judged: more cautions than this share, and it is not called genuine. */
const MAX_CAUTION_SHARE = 1 / 3

/**
 * One verdict in the words of the optimizer. Luck weighs most: without a pass of every test against luck that applies,
 * nothing looks genuine. A strategy that times the market and earned no more than holding is a caution at most.
 */
export function judgeBoard(outcomes: readonly CheckOutcome[], { kind }: Pick<BoardMaterial, 'kind'>): BoardVerdict {
  const verdictOf = (key: string) => outcomes.find((one) => one.key === key)?.judgement?.verdict
  const count = (verdict: Judgement['verdict']) =>
    outcomes.filter(({ judgement }) => judgement?.verdict === verdict).length
  const counts = { passed: count('good'), cautions: count('caution'), failed: count('bad') }
  const luck = [verdictOf('bootstrap'), ...(kind === 'allocation' ? [] : [verdictOf('permuted')])]
  const isLucky = luck.includes('bad')
  const holding = verdictOf('holding')
  if (holding === 'caution' || holding === 'bad') {
    return {
      ...counts,
      verdict: holding === 'caution' && !isLucky ? 'caution' : 'bad',
      words: SUMMARY_WORDS.noMoreThanHolding,
      sentence: 'Always holding what it trades earned as much as the strategy or more over the same days.',
    }
  }
  if (isLucky || counts.failed > 1) {
    return {
      ...counts,
      verdict: 'bad',
      words: SUMMARY_WORDS.bad,
      sentence: isLucky
        ? 'The result looks good, but the checks do not show that it is more than chance.'
        : 'The result does not survive small changes of its conditions.',
    }
  }
  const judged = counts.passed + counts.cautions + counts.failed
  const isProven = luck.every((verdict) => verdict === 'good')
  if (isProven && counts.failed === 0 && counts.cautions <= MAX_CAUTION_SHARE * judged) {
    return {
      ...counts,
      verdict: 'good',
      words: SUMMARY_WORDS.good,
      sentence: `The result is unlikely to be chance and survives changed conditions. ${planWith(outcomes)}Watch it on paper before you risk money on it.`,
    }
  }
  return {
    ...counts,
    verdict: 'caution',
    words: SUMMARY_WORDS.caution,
    sentence: `Some checks support the result and some do not. ${planWith(outcomes)}Try more data, or fewer settings that were chosen by their result.`,
  }
}

/** Less than this a year is not worth a sentence. */
const WORTH_TELLING = 0.003

/** Where the run had a lucky day, the median of all days is what to expect. */
function planWith(outcomes: readonly CheckOutcome[]): string {
  const days = outcomes.find(({ key }) => key === 'rebalance-days')
  if (days?.details?.kind !== 'dots') return ''
  const own = days.details.dots.find(({ isBase }) => isBase)?.value ?? null
  const { median } = days.details
  if (own === null || own - median < WORTH_TELLING) return ''
  return `Plan with about ${signedPercent(median)} a year rather than ${signedPercent(own)}: the rebalance day was a lucky one. `
}
