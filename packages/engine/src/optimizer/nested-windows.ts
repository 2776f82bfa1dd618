import { Problem } from '@tradewright/core/problem'
import type { EpochDay } from '@tradewright/core/time'
import type { EvaluationRules } from './evaluate.ts'
import type { Individual } from './individual.ts'
import type { SearchRequest } from './request.ts'
import type { SearchData } from './search-data.ts'
import { type Generation, knownEvaluations, winnerOf } from './search.ts'
import { predictHoldOut } from './winner.ts'

/**
 * A window of nested walk-forward, first and last day: everything before it is searched as if the run had ended there,
 * and what was found is traded in it.
 */
export interface NestedWindow {
  readonly from: EpochDay
  readonly to: EpochDay
}

/** The fraction of the days that is searched before the first window. */
const FIRST_SEARCH_SHARE = 0.5
const MIN_DAYS_PER_WINDOW = 10

/** Equal windows over the second half of the days that every target has, one right after the other. */
export function nestedWindows(searches: readonly SearchData[], count: number): NestedWindow[] {
  const spans = searches.map(({ prices, usableRows }) => ({
    from: prices.days[usableRows[0]!]!,
    to: prices.days[usableRows.at(-1)!]!,
  }))
  const from = Math.max(...spans.map((span) => span.from))
  const to = Math.min(...spans.map((span) => span.to))
  const [{ prices, usableRows }] = searches as [SearchData]
  const own = Array.from(usableRows, (bar) => prices.days[bar]!)
  const days = [...new Set(own)].filter((day) => day >= from && day <= to)
  const first = Math.floor(FIRST_SEARCH_SHARE * days.length)
  const length = (days.length - first) / count
  if (length < MIN_DAYS_PER_WINDOW) throw tooShort(days.length, count)
  const begins = Array.from({ length: count + 1 }, (_, i) => first + Math.round(i * length))
  return Array.from({ length: count }, (_, i) => ({ from: days[begins[i]!]!, to: days[begins[i + 1]! - 1]! }))
}

/** The run's own search as it would have been at the window's beginning: nothing from there on is seen. */
export const nestedRequest = (request: SearchRequest, { from, to }: NestedWindow): SearchRequest => ({
  ...request,
  to,
  holdOutFrom: from,
  nestedWindows: 0,
})

/** What the search before a window chose, and what that predicted in the window. Plain data. */
export interface NestedChoice {
  readonly window: NestedWindow
  readonly winner: Individual
  readonly fitness: number
  readonly generations: number
  /** Distinct individuals that were evaluated. */
  readonly trials: number
  /** The bars with a prediction. */
  readonly stamps: readonly number[]
  readonly signals: readonly number[]
}

/** Chooses as the run itself does; `searches` are those of the window's own search. */
export async function chooseForWindow(
  searches: readonly SearchData[],
  rules: EvaluationRules,
  history: readonly Generation[],
  window: NestedWindow,
  isCancelled: () => boolean = () => false,
): Promise<NestedChoice> {
  const { member } = winnerOf(history)
  const searchData = searches[member.target]!
  const predicted = await predictHoldOut(searchData, rules, member, isCancelled)
  const bars = predicted ? [...predicted.signals.keys()].filter((bar) => predicted.signals[bar] !== -1) : []
  return {
    window,
    winner: { target: member.target, genes: member.genes },
    fitness: member.evaluation.fitness,
    generations: history.length,
    trials: knownEvaluations(history).size,
    stamps: bars.map((bar) => searchData.prices.timestamps[bar]!),
    signals: bars.map((bar) => predicted!.signals[bar]!),
  }
}

const tooShort = (days: number, count: number) =>
  new Problem(
    'invalid',
    'optimizer.nested',
    `${count} nested windows are too many for the ${days} days with data: each needs at least ${MIN_DAYS_PER_WINDOW} ` +
      'in the second half of the period. Use fewer windows or a longer range.',
  )
