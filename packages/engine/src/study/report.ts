import { rangeValue } from '@tradewright/core/rules/numbers'
import { cellOf, placesOf, type StudyMeasure, studyMeasures } from '@tradewright/core/rules/study'
import { Problem } from '@tradewright/core/problem'
import type { EpochDay } from '@tradewright/core/time'
import { quantileOfSorted, sampleDeviation } from '../performance/statistics.ts'
import { type Judgement, graded, percent, unknown } from '../optimizer/verdicts.ts'
import {
  type StudyMarket,
  evaluateVariant,
  figuresOf,
  type VariantFigures,
  type VariantResult,
  variantAccount,
  activeRecord,
} from './evaluate.ts'
import { type StudyPlan, variantOf, type StudyRequest } from './plan.ts'
import { isAvailable, type Figure, notAvailable } from '../performance/figure.ts'
import type { AccountRun } from '../backtest/account-run.ts'
import { deflatedSharpe } from '../performance/risk-adjusted-return.ts'

/** How much one number matters: the least and the most of the medians over each of its values. */
interface NumberEffect {
  readonly path: string
  readonly least: number
  readonly most: number
}

export interface StudyReport {
  /** Variants that were tried, and those of them that could not be run. */
  readonly trials: number
  readonly failed: number
  /** Why the first of them could not be run. */
  readonly failure: string | null
  /** The best cell by the measure, in-sample; null where no variant has one. */
  readonly best: number | null
  /** Where the user's own numbers lie; null beside the grid. */
  readonly presentCell: number | null
  readonly present: VariantResult
  readonly holding: Omit<VariantFigures, 'activeSharpe'> | null
  /** What is held by it. */
  readonly holdingTickers: readonly string[]
  /** The median of the measure over all trials, in-sample, then its least and its most. */
  readonly median: number | null
  readonly least: number | null
  readonly most: number | null
  /** Trials whose measure is above that of holding, in-sample; null where holding has none. */
  readonly aboveHolding: number | null
  readonly neighbours: Neighbours
  readonly effects: readonly NumberEffect[]
  readonly luck: {
    readonly deflated: Judgement
    readonly holdOut: Judgement
    readonly neighbourhood: Judgement
    readonly summary: Omit<Judgement, 'value'>
  }
  readonly period: {
    readonly from: EpochDay
    readonly to: EpochDay
    readonly holdOutFrom: EpochDay | null
    readonly bars: number
  }
  readonly riskFree: string
  readonly synthetic: boolean
}

interface Neighbours {
  /** Cells one step away from the best. */
  readonly cells: readonly number[]
  /** The measures of the cells that could be run, ascending. */
  readonly values: readonly number[]
}

/** By cell, in the order of the plan. */
type StudyResults = readonly VariantResult[]

/** Chooses the best variant in-sample, and judges how much of it is luck. */
export function reportStudy(plan: StudyPlan, market: StudyMarket, results: StudyResults): StudyReport {
  const { request, cells } = plan
  const { measure } = request
  const valueOf = measured(measure)
  const values = results.map(valueOf)
  const known = values.filter((value) => value !== null).sort((a, b) => a - b)
  const median = medianOf(known)
  const bestPlace = values.reduce<number>(
    (best, value, place) => (value !== null && (best < 0 || value > values[best]!) ? place : best),
    -1,
  )
  const best = bestPlace < 0 ? null : cells[bestPlace]!
  const placeOf = new Map(cells.map((cell, place) => [cell, place]))
  const neighbours = neighboursOf(plan, market, best, (cell) => values[placeOf.get(cell) ?? -1])
  const bestFigures = bestPlace < 0 ? null : (results[bestPlace] as VariantFigures)
  const holding = market.holding ? figuresOf(market, market.holding) : null
  const present = evaluateVariant(market, request.backtest.strategy.tree)
  const deflated = best === null ? null : deflatedBest(plan, market, results, best)
  const parts = {
    deflated: judgeLuck(deflated),
    holdOut: judgeHoldOut({ best: bestFigures, present, holding }, request),
    neighbourhood: judgeNeighbourhood(
      {
        best: bestPlace < 0 ? null : values[bestPlace]!,
        median,
        least: known[0] ?? null,
        neighbours: neighbours.values,
      },
      measure,
    ),
  }
  const heldValue = holding?.inSample[measure] ?? null
  const { days, tickers } = market.conditions.table.prices
  const failed = results.filter((result) => 'problem' in result)
  return {
    trials: results.length,
    failed: failed.length,
    failure: failed[0]?.problem ?? null,
    best,
    presentCell: presentCell(plan),
    present,
    holding,
    holdingTickers: tickers,
    median,
    least: known[0] ?? null,
    most: known.at(-1) ?? null,
    aboveHolding: heldValue === null ? null : known.filter((value) => value > heldValue).length,
    neighbours,
    effects: effectsOf(plan, values),
    luck: { ...parts, summary: judgeStudy(parts) },
    period: {
      from: days[0]!,
      to: days.at(-1)!,
      holdOutFrom: market.holdOutBar < days.length ? days[market.holdOutBar]! : null,
      bars: days.length,
    },
    riskFree: market.riskFreeName,
    synthetic: market.isSynthetic,
  }
}

const measured =
  (measure: StudyMeasure) =>
  (result: VariantResult): number | null =>
    'problem' in result ? null : result.inSample[measure]

const medianOf = (sorted: readonly number[]): number | null =>
  sorted.length === 0 ? null : quantileOfSorted(Float64Array.from(sorted), 0.5)

function deflatedBest(
  plan: StudyPlan,
  market: StudyMarket,
  results: StudyResults,
  best: number,
): DeflatedVariant | null {
  const account = variantAccount(market, variantOf(plan, best))
  return account instanceof Problem ? null : deflatedVariant(market, account, results)
}

/**
 * All adjacent cells of a grid. Of the many that a random search left out, those one step away in one number are evaluated
 * here: they say how the best stands, and are no candidates themselves.
 */
function neighboursOf(plan: StudyPlan, market: StudyMarket, best: number | null, valueAt: CellValue): Neighbours {
  if (best === null) return { cells: [], values: [] }
  const { cells, lengths } = plan
  const isGrid = cells.length === lengths.reduce((product, length) => product * length, 1)
  const adjacent = isGrid ? adjacentCells(best, lengths) : stepCells(best, lengths)
  const value = (cell: number) =>
    valueAt(cell) ?? measured(plan.request.measure)(evaluateVariant(market, variantOf(plan, cell)))
  const known = adjacent.flatMap((cell) => value(cell) ?? [])
  return { cells: adjacent, values: known.sort((a, b) => a - b) }
}

/** The measure of a cell that was tried. */
type CellValue = (cell: number) => number | null | undefined

/** The cell whose values are the tree's own. */
function presentCell({ request, numbers, lengths }: StudyPlan): number | null {
  const places = numbers.map(({ value }, i) => {
    const range = request.numbers[i]!
    return Array.from({ length: lengths[i]! }, (_, place) => rangeValue(range, place)).findIndex(
      (one) => Math.abs(one - value) <= 1e-9 * Math.max(1, Math.abs(value)),
    )
  })
  return places.includes(-1) ? null : cellOf(places, lengths)
}

function effectsOf({ request, lengths, cells }: StudyPlan, values: readonly (number | null)[]): NumberEffect[] {
  const places = cells.map((cell) => placesOf(cell, lengths))
  return request.numbers.flatMap(({ path }, number) => {
    const byValue = Array.from({ length: lengths[number]! }, (): number[] => [])
    values.forEach((value, i) => {
      if (value !== null) byValue[places[i]![number]!]!.push(value)
    })
    const medians = byValue.flatMap((own) => medianOf(own.sort((a, b) => a - b)) ?? [])
    return medians.length < 2 ? [] : [{ path, least: Math.min(...medians), most: Math.max(...medians) }]
  })
}

/** The cells one step away in one of the numbers: two for each, fewer at an edge. */
export function stepCells(cell: number, lengths: readonly number[]): number[] {
  const places = placesOf(cell, lengths)
  return places.flatMap((place, number) =>
    [place - 1, place + 1]
      .filter((one) => one >= 0 && one < lengths[number]!)
      .map((one) => cellOf(places.with(number, one), lengths)),
  )
}

/** The adjacent cells: those at most one step away in every number, without the cell itself. */
export function adjacentCells(cell: number, lengths: readonly number[]): number[] {
  const around = placesOf(cell, lengths).reduce<number[][]>(
    (begun, place, number) =>
      [place - 1, place, place + 1]
        .filter((one) => one >= 0 && one < lengths[number]!)
        .flatMap((one) => begun.map((places) => [...places, one])),
    [[]],
  )
  return around
    .map((places) => cellOf(places, lengths))
    .filter((one) => one !== cell)
    .sort((a, b) => a - b)
}

const told = (measure: StudyMeasure, value: number): string =>
  studyMeasures[measure].isPercent ? percent(value) : value.toFixed(2)

/** Mid-sentence: `Sharpe ratio`, but `maximum drawdown`. */
const nameOf = (measure: StudyMeasure): string =>
  measure === 'maxDrawdown' ? 'maximum drawdown' : studyMeasures[measure].label

function judgeLuck(best: DeflatedVariant | null): Judgement {
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
function judgeHoldOut({ best, present, holding }: Compared, { measure, holdOutPct }: StudyRequest): Judgement {
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
function judgeStudy({ deflated, holdOut, neighbourhood }: Parts): Omit<Judgement, 'value'> {
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

interface DeflatedVariant {
  /** The probability that the best has a better Sharpe ratio than holding, the number of trials taken into account. */
  readonly probability: Figure
  readonly trials: number
}

/** Everything that was tried counts: the best variant is the best of all of them. */
function deflatedVariant(market: StudyMarket, best: AccountRun, results: readonly VariantResult[]): DeflatedVariant {
  const record = activeRecord(market, best)
  const sharpes = results.flatMap((result) => ('problem' in result ? [] : [result.activeSharpe ?? 0]))
  const count = sharpes.length
  return {
    probability: record
      ? deflatedSharpe(record, { count, sharpeDeviation: count < 2 ? 0 : sampleDeviation(sharpes) })
      : notAvailable('the best variant never differed from holding, or held cash only'),
    trials: count,
  }
}
