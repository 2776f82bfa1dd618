import { rangeValue } from '@tradewright/core/rules/numbers'
import { cellOf, placesOf, type StudyMeasure } from '@tradewright/core/rules/study'
import { Problem } from '@tradewright/core/problem'
import type { EpochDay } from '@tradewright/core/time'
import { deflatedVariant, type DeflatedVariant } from './deflated-variant.ts'
import { quantileOfSorted } from '../performance/quantile.ts'
import type { Judgement } from '../optimizer/verdicts.ts'
import type { StudyMarket } from './study-market.ts'
import { evaluateVariant, figuresOf, type VariantFigures, type VariantResult, variantAccount } from './evaluate.ts'
import { adjacentCells, stepCells } from './neighbours.ts'
import { type StudyPlan, variantOf } from './plan.ts'
import { judgeHoldOut, judgeLuck, judgeNeighbourhood, judgeStudy } from './verdicts.ts'

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
