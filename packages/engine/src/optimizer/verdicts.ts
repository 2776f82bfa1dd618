import { type Figure, isAvailable, notAvailable } from '../performance/figure.ts'
import { earnsNoMore } from './holding.ts'
import type { HoldOutScores, WinnerDetails } from './winner.ts'
import { deflatedSharpe, luckySharpe, type Trials, type TrackRecord } from '../performance/risk-adjusted-return.ts'
import { sampleDeviation, mean } from '../performance/statistics.ts'
import { type BlockSums, overfittingOfBlocks } from '../performance/overfitting-probability.ts'
import type { Evaluation } from './evaluate.ts'
import { type Generation, knownEvaluations, type Member, winnerOf } from './search.ts'

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

/** Comparing more than this many says nothing new and takes seconds. */
const MAX_COMPARED = 200

interface DeflatedWinner {
  readonly probability: Figure
  readonly trials: number
  /** Per bar, of returns minus those of holding: of the winner, and of the best of that many worthless trials. */
  readonly sharpePerBar: number | undefined
  readonly luckySharpePerBar: number
}

/**
 * Everything that was tried counts: the winner is the best of all of them. Two questions, and the lower answer: does it beat holding
 * the buy allocation, because what an asset earns by itself is no merit of the features; and is its timing more than
 * chance, because any time out of an asset that falls beats holding it.
 */
export function deflatedWinner(
  history: readonly Generation[],
  { activeRecord, timingRecord }: Pick<WinnerDetails, 'activeRecord' | 'timingRecord'>,
): DeflatedWinner {
  const evaluations = [...knownEvaluations(history).values()]
  const active = trialsOf(evaluations, ({ activeSharpePerBar }) => activeSharpePerBar)
  const timing = trialsOf(evaluations, (one) => one.timingSharpePerBar ?? one.activeSharpePerBar)
  const beats = confidenceOf(activeRecord, active, 'it never held anything but the buy allocation')
  const times = confidenceOf(timingRecord, timing, 'it never changed its position')
  return {
    probability: isAvailable(beats) && isAvailable(times) ? Math.min(beats, times) : isAvailable(beats) ? times : beats,
    trials: active.count,
    sharpePerBar: activeRecord?.sharpePerPeriod,
    luckySharpePerBar: luckySharpe(active),
  }
}

function trialsOf(evaluations: readonly Evaluation[], sharpeOf: (one: Evaluation) => number | null): Trials {
  const sharpes = evaluations.map((one) => sharpeOf(one) ?? 0)
  return { count: sharpes.length, sharpeDeviation: sharpes.length < 2 ? 0 : sampleDeviation(sharpes) }
}

const confidenceOf = (record: TrackRecord | undefined, trials: Trials, why: string): Figure =>
  record ? deflatedSharpe(record, trials) : notAvailable(why)

interface Overfitting {
  readonly probability: Figure
  /** The number of trials that were compared. */
  readonly trials: number
}

/** Trials of the winner's own target, since only those have the same bars; where there are many, an even choice. */
export function overfitting(history: readonly Generation[], winner: Member): Overfitting {
  const own = history.flatMap(({ members }) => members.filter(({ target }) => target === winner.target))
  const distinct = new Map(own.map((member) => [member.genes.join(','), member.evaluation]))
  const blocks = [...distinct.values()].map(blocksOf).filter((one) => one !== null)
  const compared = evenly(blocks, MAX_COMPARED)
  if (blocks.length === 0) return { probability: notAvailable('the test windows are too short'), trials: 0 }
  return { probability: overfittingOfBlocks(compared), trials: compared.length }
}

const blocksOf = ({ blocks }: Evaluation): BlockSums | null => blocks

function evenly<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]!)
}

/** How much one of the winner's features was relied on, by evolution and by the models. */
export interface FeatureStability {
  readonly gene: number
  /** Share of all generations whose best individual had it: what came in last has proved little. */
  readonly generationShare: number
  /** Share of the last generation's individuals that have it. */
  readonly populationShare: number
  /** Share of the windows in which the model relied on it at least half as much as on the average feature. */
  readonly windowShare: number | null
  readonly importance: number | null
}

export function featureStability(history: readonly Generation[], { windows }: WinnerDetails): FeatureStability[] {
  const { member } = winnerOf(history)
  const last = history.at(-1)!.members.filter(({ target }) => target === member.target)
  return member.genes.map((gene, place) => {
    const importances = windows.flatMap((window) => window.importances[place] ?? [])
    const least = 0.5 / member.genes.length
    return {
      gene,
      generationShare: share(
        history,
        ({ members: [best] }) => best!.target === member.target && best!.genes.includes(gene),
      ),
      populationShare: share(last, ({ genes }) => genes.includes(gene)),
      windowShare: importances.length === 0 ? null : share(importances, (one) => one >= least),
      importance: importances.length === 0 ? null : mean(importances),
    }
  })
}

/** Fewer than these have had no time to change their minds. */
const MIN_GENERATIONS = 3

/** One number of all features: the mean of what is known of each. */
export function stabilityOf(features: readonly FeatureStability[], generations: number): Figure {
  if (generations < MIN_GENERATIONS) return notAvailable('fewer than three generations were bred')
  return mean(
    features.map(({ generationShare, windowShare }) =>
      windowShare === null ? generationShare : (generationShare + windowShare) / 2,
    ),
  )
}

const share = <Item>(items: readonly Item[], holds: (item: Item) => boolean): number =>
  items.length === 0 ? 0 : items.filter(holds).length / items.length
