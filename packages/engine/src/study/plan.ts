import { Problem } from '@tradewright/core/problem'
import { Random } from '@tradewright/core/random'
import {
  rangeLength,
  rangeValue,
  type TreeNumber,
  treeNumbers,
  withNumbers,
  type NumberRange,
} from '@tradewright/core/rules/numbers'
import { placesOf, STUDY_LIMITS, type StudyMeasure, type StudyMethod } from '@tradewright/core/rules/study'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { type BacktestPlan, planBacktest } from '../backtest/plan.ts'
import { type RequiredSeries, requiredSeries } from '../backtest/required-series.ts'
import { featureName } from '../features/catalogue.ts'
import type { BacktestSettings, RulesStrategy } from '../backtest/request.ts'

/** The backtest of a rule strategy, many times, each time with other numbers. */
export interface StudyRequest {
  readonly backtest: BacktestSettings & { readonly strategy: RulesStrategy }
  readonly numbers: readonly NumberRange[]
  readonly method: StudyMethod
  /** Trials of a random search. */
  readonly count: number
  readonly seed: number
  /** The last part of the bars, which the choice of the best never sees. */
  readonly holdOutPct: number
  readonly measure: StudyMeasure
}

export interface StudyPlan {
  readonly request: StudyRequest
  /** What varies, as it is in the user's tree. */
  readonly numbers: readonly TreeNumber[]
  /** How many values each of them takes. */
  readonly lengths: readonly number[]
  /** The combinations to evaluate, by their places among all, in ascending order. */
  readonly cells: readonly number[]
}

/** Reads a request; a Problem says what is wrong with it. */
export function planStudy(request: StudyRequest): StudyPlan {
  const { tree } = request.backtest.strategy
  planBacktest(request.backtest)
  const { numbers: limit, variants, combinations } = STUDY_LIMITS
  if (request.numbers.length === 0) throw invalid('Choose at least one number to vary.')
  if (request.numbers.length > limit) throw invalid(`At most ${limit} numbers can vary in one study.`)
  const known = new Map(treeNumbers(tree, featureName).map((number) => [number.path, number]))
  const numbers = request.numbers.map((range, i) => {
    const number = known.get(range.path)
    if (!number) throw invalid(`The rules have no number at ${range.path}.`)
    if (request.numbers.findIndex(({ path }) => path === range.path) < i) {
      throw invalid(`“${number.label}” is named twice.`)
    }
    return number
  })
  const lengths = numbers.map((number, i) => lengthOf(number, request.numbers[i]!))
  const all = lengths.reduce((product, length) => product * length, 1)
  if (all > combinations) {
    throw invalid(`The ranges have ${thousands(all)} combinations; at most ${thousands(combinations)} are allowed.`)
  }
  const wanted = request.method === 'grid' ? all : Math.min(all, request.count)
  if (!(wanted >= 2)) throw invalid('A study needs at least 2 variants.')
  if (wanted > variants) {
    throw invalid(
      `${thousands(wanted)} variants are too many: at most ${thousands(variants)} are allowed. ` +
        'Use larger steps, fewer numbers, or a random search.',
    )
  }
  const cells = wanted === all ? Array.from({ length: all }, (_, cell) => cell) : drawn(wanted, all, request.seed)
  return { request, numbers, lengths, cells }
}

/** A larger count says nothing more. */
const MAX_SAID = 1_000_000

function lengthOf({ label, min, max, isWhole }: TreeNumber, range: StudyRequest['numbers'][number]): number {
  const { from, to, step } = range
  const length = rangeLength(range)
  if (length === 0) throw invalid(`“${label}”: the range must go up, with a step above 0.`)
  if (length > STUDY_LIMITS.valuesEach) {
    const many = length > MAX_SAID ? `more than ${thousands(MAX_SAID)}` : thousands(length)
    throw invalid(`“${label}” has ${many} values; at most ${STUDY_LIMITS.valuesEach} are allowed.`)
  }
  if (from < min || to > max) throw invalid(`“${label}” must be from ${min} to ${max}.`)
  if (isWhole && !(Number.isInteger(from) && Number.isInteger(step))) {
    throw invalid(`“${label}” is a whole number: its range needs a whole start and a whole step.`)
  }
  return length
}

/** Distinct ones, each set of them equally likely (Floyd; Bentley, "Programming pearls", 1987). */
function drawn(count: number, all: number, seed: number): number[] {
  const random = new Random(seed)
  const chosen = new Set<number>()
  for (let last = all - count; last < all; last++) {
    const cell = Math.floor(random.float() * (last + 1))
    chosen.add(chosen.has(cell) ? last : cell)
  }
  return [...chosen].sort((a, b) => a - b)
}

/** The values of a combination, by number. */
export const valuesOf = ({ request, lengths }: StudyPlan, cell: number): number[] =>
  placesOf(cell, lengths).map((place, i) => rangeValue(request.numbers[i]!, place))

export const variantOf = (plan: StudyPlan, cell: number): RulesTree => withValues(plan, valuesOf(plan, cell))

const withValues = ({ request }: StudyPlan, values: readonly number[]): RulesTree =>
  withNumbers(
    request.backtest.strategy.tree,
    request.numbers.map(({ path }, i) => [path, values[i]!] as const),
  )

/**
 * The series of all variants. Which tickers are read does not depend on numbers; how much history is, so the ends of all
 * ranges are asked, together and one by one.
 */
export function studySeries(plan: StudyPlan): RequiredSeries[] {
  const { request, lengths } = plan
  const present = plan.numbers.map(({ value }) => value)
  const first = request.numbers.map(({ from }) => from)
  const last = request.numbers.map((range, i) => rangeValue(range, lengths[i]! - 1))
  const alone = (values: readonly number[]) => values.map((value, i) => present.with(i, value))
  const asked = [present, first, last, ...alone(first), ...alone(last)]
  return asked.flatMap((values) => {
    const variant = plannedVariant(plan, withValues(plan, values))
    return variant instanceof Problem ? [] : requiredSeries(variant)
  })
}

/** A combination may make no sense (percentages above 100): its problem is its result. */
export function plannedVariant({ request }: Pick<StudyPlan, 'request'>, tree: RulesTree): BacktestPlan | Problem {
  try {
    return planBacktest({ ...request.backtest, strategy: { kind: 'rules', tree } })
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

const thousands = (count: number): string => count.toLocaleString('en-US')

const invalid = (message: string) => new Problem('invalid', 'study.request', message)
