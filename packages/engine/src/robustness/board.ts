import { isFixed } from '@tradewright/core/strategy-kinds'
import { deriveSeed } from '@tradewright/core/random'
import { type Check, type CheckOutcome, contextOf, isSkipped, signedPercent } from './check.ts'
import { type BoardEffort, type BoardMaterial, FULL_EFFORT } from './material.ts'
import type { CurveFigures } from './replay.ts'
import { assetsCheck, neighbourhoodCheck } from './checks/neighbourhood.ts'
import { bestDaysCheck, startDatesCheck, halvesCheck } from './checks/periods.ts'
import { bootstrapCheck, permutedCheck, futureCheck } from './checks/resampled.ts'
import { costsCheck, delayCheck, rebalanceDaysCheck, holdingCheck } from './checks/execution.ts'
import { crisesCheck, regimesCheck } from './checks/regimes.ts'
import { crossValidationCheck } from './checks/cross-validation.ts'
import { type Judgement, reasonOf, SUMMARY_WORDS } from '../optimizer/verdicts.ts'

interface BoardVerdict extends Omit<Judgement, 'value'> {
  readonly passed: number
  readonly cautions: number
  readonly failed: number
}

/** The fraction of the judged checks that may be cautions: with more, the result is not called genuine. */
const MAX_CAUTION_SHARE = 1 / 3

/**
 * One verdict in the words of the optimizer. Luck weighs most: without a pass of every test against luck that applies,
 * nothing looks genuine, and without the test itself nothing can be told. A strategy that times the market and earned no
 * more than holding is a caution at most; one whose future is likely to be ruin is not to be trusted.
 */
export function judgeBoard(outcomes: readonly CheckOutcome[], { kind }: Pick<BoardMaterial, 'kind'>): BoardVerdict {
  const verdictOf = (key: string) => outcomes.find((one) => one.key === key)?.judgement?.verdict
  const count = (verdict: Judgement['verdict']) =>
    outcomes.filter(({ judgement }) => judgement?.verdict === verdict).length
  const counts = { passed: count('good'), cautions: count('caution'), failed: count('bad') }
  const luckKeys = ['bootstrap', ...(isFixed({ kind }) ? [] : ['permuted'])]
  const luck = luckKeys.map(verdictOf)
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
        ? notMoreThanChance(outcomes)
        : `The result does not hold under other conditions. Failed: ${failedLabels(outcomes)}.`,
    }
  }
  if (verdictOf('future') === 'bad') {
    return {
      ...counts,
      verdict: 'bad',
      words: SUMMARY_WORDS.bad,
      sentence: 'On too many paths of the future the account is nearly used up, cash flows included.',
    }
  }
  const [untested] = outcomes.filter(({ key }) => luckKeys.includes(key)).flatMap(whyUntested)
  if (whyUntested(outcomes.find(({ key }) => key === 'bootstrap')).length > 0) {
    return {
      ...counts,
      verdict: 'unknown',
      words: SUMMARY_WORDS.unknown,
      sentence: `Whether it is more than chance could not be tested because ${untested}.`,
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
    sentence: `${untested === undefined ? divided(outcomes) : `Whether its timing is more than chance could not be tested because ${untested}.`} ${planWith(outcomes)}Try more data, or fewer settings that were chosen by their result.`,
  }
}

/** As the end of "could not be tested because …"; empty where it was tested. */
function whyUntested(outcome: CheckOutcome | undefined): string[] {
  if (!outcome) return []
  if (outcome.notAvailable !== null) return [outcome.notAvailable]
  return outcome.judgement?.verdict === 'unknown' ? [reasonOf(outcome.judgement)] : []
}

function notMoreThanChance(outcomes: readonly CheckOutcome[]): string {
  const nothing = outcomes.find(({ key }) => key === 'bootstrap')?.judgement?.value ?? 0
  return nothing >= 0.5
    ? 'It earned no more than the risk-free return in at least half of the resampled histories.'
    : 'The result looks good, but the checks do not show that it is more than chance.'
}

const failedLabels = (outcomes: readonly CheckOutcome[]): string =>
  outcomes.flatMap(({ label, judgement }) => (judgement?.verdict === 'bad' ? [label] : [])).join(', ')

function divided(outcomes: readonly CheckOutcome[]): string {
  const failed = failedLabels(outcomes)
  return failed === ''
    ? 'Some checks support the result and some do not.'
    : `Some checks support the result and one does not: ${failed}.`
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

export interface Board {
  readonly seed: number
  readonly verdict: BoardVerdict
  readonly figures: CurveFigures
  readonly outcomes: readonly CheckOutcome[]
}

/** A part of a check. The list of all parts depends on the material and the effort alone. */
export interface BoardPart {
  readonly key: string
  readonly part: number
  readonly seed: number
}

/** Everything there is to compute, in pieces of bounded time, each with its own seed. */
export function boardParts(material: BoardMaterial, seed: number, effort: BoardEffort = FULL_EFFORT): BoardPart[] {
  return checks.flatMap((check, place) => {
    if (check.whyNot?.(material) !== undefined) return []
    const parts = check.parts?.(effort) ?? 1
    return Array.from({ length: parts }, (_, part) => ({ key: check.key, part, seed: deriveSeed(seed, place, part) }))
  })
}

export function runBoardPart(
  material: BoardMaterial,
  { key, part, seed }: BoardPart,
  effort: BoardEffort = FULL_EFFORT,
): unknown {
  return checkOf(key).run(contextOf(material, effort, seed), part)
}

function checkOf(key: string): Check {
  const check = checks.find((one) => one.key === key)
  if (!check) throw new Error(`there is no check ${key}`)
  return check
}

/** Puts the results of all parts together. `results` are in the order of `parts`. */
export function joinBoard(
  material: BoardMaterial,
  seed: number,
  parts: readonly BoardPart[],
  results: readonly unknown[],
  effort: BoardEffort = FULL_EFFORT,
): Board {
  const context = contextOf(material, effort, seed)
  const outcomes = checks.map((check): CheckOutcome => {
    const why = check.whyNot?.(material)
    if (why !== undefined) return absent(check, why)
    const own = results.filter((_, i) => parts[i]!.key === check.key)
    const found = check.join(context, own)
    if (isSkipped(found)) return absent(check, found.skipped)
    const { judgement = null, summary, figures = [], details } = found
    const { key, label, explain } = check
    return { key, label, explain, judgement, notAvailable: null, summary, figures, details }
  })
  return { seed, verdict: judgeBoard(outcomes, material), figures: context.figures, outcomes }
}

const absent = ({ key, label, explain }: Check, why: string): CheckOutcome => ({
  key,
  label,
  explain,
  judgement: null,
  notAvailable: why,
  summary: '',
  figures: [],
  details: null,
})

/** The whole board on one thread. */
export function runBoard(material: BoardMaterial, seed: number, effort: BoardEffort = FULL_EFFORT): Board {
  const parts = boardParts(material, seed, effort)
  const results = parts.map((part) => runBoardPart(material, part, effort))
  return joinBoard(material, seed, parts, results, effort)
}

/** Every check of the board, in the order of the screen. One more is one more entry. */
export const checks: readonly Check[] = [
  futureCheck,
  bootstrapCheck,
  permutedCheck,
  holdingCheck,
  crossValidationCheck,
  costsCheck,
  startDatesCheck,
  rebalanceDaysCheck,
  neighbourhoodCheck,
  delayCheck,
  bestDaysCheck,
  crisesCheck,
  regimesCheck,
  halvesCheck,
  assetsCheck,
] as readonly Check[]
