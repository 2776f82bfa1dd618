import { type StudyMeasure, studyMeasures } from '@tradewright/core/rules/study'
import { graded, type Judgement, percent, unknown } from '../optimizer/verdicts.ts'
import { isAvailable } from '../performance/figure.ts'
import { quantileOfSorted } from '../performance/quantile.ts'
import type { VariantFigures, VariantResult } from './evaluate.ts'
import type { DeflatedVariant } from './deflated-variant.ts'
import type { StudyRequest } from './request.ts'

const told = (measure: StudyMeasure, value: number): string =>
  studyMeasures[measure].isPercent ? percent(value) : value.toFixed(2)

/** Mid-sentence: `Sharpe ratio`, but `maximum drawdown`. */
const nameOf = (measure: StudyMeasure): string =>
  measure === 'maxDrawdown' ? 'maximum drawdown' : studyMeasures[measure].label

export function judgeLuck(best: DeflatedVariant | null): Judgement {
  if (!best) return unknown('no variant could be run')
  const { probability, trials } = best
  if (!isAvailable(probability)) return unknown(probability.notAvailable)
  return {
    ...graded(probability, probability >= 0.95, probability >= 0.8, [
      'Unlikely to be luck',
      'May be luck',
      'Could well be luck',
    ]),
    sentence:
      `${trials.toLocaleString('en-US')} variants were tried, and the best of so many looks good by chance alone. Taking ` +
      'that into account, the confidence that its Sharpe ratio is better than that of holding (deflated Sharpe) is ' +
      `${percent(probability)}; 95% is the usual mark.`,
  }
}

interface Compared {
  readonly best: VariantFigures | null
  readonly present: VariantResult
  readonly holding: Omit<VariantFigures, 'activeSharpe'> | null
}

/** Good is what beats holding on the hold-out by at least half of what it did before. */
export function judgeHoldOut({ best, present, holding }: Compared, { measure, holdOutPct }: StudyRequest): Judgement {
  if (!best) return unknown('no variant could be run')
  const value = best.holdOut?.[measure] ?? null
  if (!best.holdOut) return unknown('no part of the period was held back')
  if (value === null) return unknown(`the best variant has no ${nameOf(measure)} in the held-back part`)
  const held = holding?.holdOut?.[measure] ?? null
  const own = 'problem' in present ? null : (present.holdOut?.[measure] ?? null)
  const before = best.inSample[measure]
  const sentence =
    `On the last ${holdOutPct}% of the period, which the choice never saw, its ${nameOf(measure)} was ` +
    `${told(measure, value)}${before === null ? '' : `, against ${told(measure, before)} before`}.` +
    (held === null ? '' : ` Holding had ${told(measure, held)} there.`) +
    (own === null ? '' : ` Your present numbers had ${told(measure, own)}.`)
  if (held === null) return { ...unknown('holding has no figure to compare with'), value, sentence }
  const excess = value - held
  const promised = (before ?? 0) - (holding?.inSample[measure] ?? 0)
  return {
    ...graded(value, excess > 0 && excess >= promised / 2, excess > 0, [
      'Beats holding on unseen data',
      'Weaker on unseen data',
      'No better than holding on unseen data',
    ]),
    sentence,
  }
}

interface Neighbourhood {
  readonly best: number | null
  /** The median over all trials, then the least. */
  readonly median: number | null
  readonly least: number | null
  /** The measures of the adjacent cells that were evaluated, ascending. */
  readonly neighbours: readonly number[]
}

/** A step down of this part of the range of all variants is none: where all are about the same, no cell stands out. */
const NO_STEP = 0.1

/** How much of the best cell's lead over the median of all its neighbours keep: all of it on a plateau, none on an island. */
export function judgeNeighbourhood(
  { best, median, least, neighbours }: Neighbourhood,
  measure: StudyMeasure,
): Judgement {
  if (best === null || median === null || least === null) return unknown('no variant could be run')
  if (neighbours.length === 0) return unknown('none of the cells beside the best one could be run')
  const middle = quantileOfSorted(Float64Array.from(neighbours), 0.5)
  const lead = best - median
  const isLevel = best - middle <= NO_STEP * (best - least)
  const kept = lead > 0 && !isLevel ? Math.min(1, (middle - median) / lead) : 1
  return {
    ...graded(kept, kept >= 0.6, kept >= 0.3, [
      'The best cell has good neighbours',
      'The best cell has weak neighbours',
      'The best cell is an island',
    ]),
    sentence:
      `The best cell has ${told(measure, best)}; the median of the ${neighbours.length} adjacent ` +
      `${neighbours.length === 1 ? 'cell' : 'cells'} is ${told(measure, middle)} ` +
      `(${told(measure, neighbours[0]!)} to ${told(measure, neighbours.at(-1)!)}), the median of all ` +
      `${told(measure, median)}. ` +
      (kept >= 0.6
        ? 'Numbers close to the best do about as well.'
        : 'Numbers one step away lose much of the lead, which is how chance finds look.'),
  }
}

interface Parts {
  readonly deflated: Judgement
  readonly holdOut: Judgement
  readonly neighbourhood: Judgement
}

/** All of it in one. Without luck ruled out and the hold-out passed nothing looks genuine. */
export function judgeStudy({ deflated, holdOut, neighbourhood }: Parts): Omit<Judgement, 'value'> {
  const isGood = deflated.verdict === 'good' && holdOut.verdict === 'good' && neighbourhood.verdict !== 'bad'
  if (isGood) {
    return {
      verdict: 'good',
      words: 'Looks genuine',
      sentence:
        'The best variant passes the checks against chance, also on data that the choice never saw. Watch it on paper ' +
        'before you risk money on it.',
    }
  }
  if (deflated.verdict === 'bad' || holdOut.verdict === 'bad') {
    return {
      verdict: 'bad',
      words: 'Could well be luck',
      sentence:
        'The best of so many variants always looks good; the checks do not show that this one is more than luck.',
    }
  }
  return {
    verdict: 'caution',
    words: 'May be luck',
    sentence: 'Some checks support the best variant and some do not. Prefer numbers whose neighbours do well too.',
  }
}
