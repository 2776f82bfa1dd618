import type { StudyItem } from '@tradewright/contract/studies'
import { defaultRange, type NumberRange, rangeLength, type TreeNumber } from '@tradewright/core/rules/numbers'
import { STUDY_LIMITS, type StudyMeasure, type StudyMethod } from '@tradewright/core/rules/study'
import { formatCount } from '../../../lib/format.ts'
import type { BacktestForm } from '../form/form.ts'
import { toRequest } from '../form/form-request.ts'

/** What is asked before a study starts. Numbers as they are typed. */
export interface StudyForm {
  readonly ranges: readonly RangeText[]
  readonly method: StudyMethod
  readonly count: string
  readonly measure: StudyMeasure
  readonly holdOutPct: string
}

export interface RangeText {
  readonly path: string
  readonly from: string
  readonly to: string
  readonly step: string
}

export const rangeText = (number: TreeNumber): RangeText => {
  const { path, from, to, step } = defaultRange(number)
  return { path, from: String(from), to: String(to), step: String(step) }
}

/** The first two numbers: those of the outermost block. */
export const newStudyForm = (numbers: readonly TreeNumber[]): StudyForm => ({
  ranges: numbers.slice(0, 2).map(rangeText),
  method: 'grid',
  count: '500',
  measure: 'sharpe',
  holdOutPct: String(STUDY_LIMITS.holdOutPct.default),
})

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

const toRange = ({ path, from, to, step }: RangeText): NumberRange => ({
  path,
  from: numberOf(from),
  to: numberOf(to),
  step: numberOf(step),
})

export const valuesOf = (range: RangeText): number => rangeLength(toRange(range))

interface VariantCount {
  readonly variants: number
  /** `9 × 9 = 81 variants`. */
  readonly words: string
  /** Why it cannot be started. */
  readonly problem: string | null
}

export function countVariants(form: StudyForm, numbers: readonly TreeNumber[]): VariantCount {
  const lengths = form.ranges.map(valuesOf)
  const all = lengths.reduce((product, length) => product * length, 1)
  const wanted = numberOf(form.count)
  const variants = form.method === 'grid' ? all : Math.min(all, wanted)
  const product = lengths.length > 1 ? `${lengths.join(' × ')} = ` : ''
  const words =
    form.method === 'grid' || wanted >= all
      ? `${product}${formatCount(all)} variants`
      : `${formatCount(wanted)} of ${formatCount(all)} combinations`
  return { variants, words, problem: problemOf(form, numbers, { lengths, all, variants }) }
}

interface Counted {
  readonly lengths: readonly number[]
  readonly all: number
  readonly variants: number
}

function problemOf(
  form: StudyForm,
  numbers: readonly TreeNumber[],
  { lengths, all, variants }: Counted,
): string | null {
  if (form.ranges.length === 0) return 'Add a number to vary.'
  const wrong = form.ranges.findIndex((_, i) => !(lengths[i]! > 0))
  if (wrong >= 0) {
    const { label } = numbers.find(({ path }) => path === form.ranges[wrong]!.path) ?? { label: 'A number' }
    return `${label}: the range must go up, with a step above 0.`
  }
  if (form.method === 'random' && !Number.isInteger(numberOf(form.count))) return 'Enter how many variants to try.'
  if (!(variants >= 2)) return 'A study needs at least 2 variants.'
  if (variants > STUDY_LIMITS.variants) {
    return `At most ${formatCount(STUDY_LIMITS.variants)} variants are allowed: use larger steps, or a random search.`
  }
  if (all > STUDY_LIMITS.combinations) return 'The ranges have too many combinations.'
  return null
}

/** Seconds of one variant over one year, until a study of this user has been measured. */
const SECONDS_PER_VARIANT_YEAR = 0.002
const YEAR_MS = 365.25 * 86_400_000
const yearsOf = (from: string, to: string): number => Math.max(0.1, (Date.parse(to) - Date.parse(from)) / YEAR_MS)

/** A smaller study says little about speed: the start of the threads is most of its time. */
const MEASURABLE_VARIANTS = 100

/** About how long it will take, by the newest study that was long enough. */
export function estimatedSeconds(
  variants: number,
  period: Pick<BacktestForm, 'startDate' | 'endDate'>,
  studies: readonly StudyItem[],
): number {
  const known = studies.find(
    ({ status, evaluated, seconds }) => status === 'completed' && evaluated >= MEASURABLE_VARIANTS && seconds > 0,
  )
  const rate = known
    ? known.seconds / known.evaluated / yearsOf(known.start_date, known.end_date)
    : SECONDS_PER_VARIANT_YEAR
  return variants * rate * yearsOf(period.startDate, period.endDate)
}

export function durationWords(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s`
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min`
  return `about ${Math.round(seconds / 3600)} h`
}

/** The body of `POST /api/parameter-studies`. */
export const toStudyRequest = (form: StudyForm, backtest: BacktestForm) => ({
  backtest: Object.fromEntries(
    [...toRequest(backtest, 'study')].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  ),
  numbers: form.ranges.map(toRange),
  method: form.method,
  ...(form.method === 'random' && { count: numberOf(form.count) }),
  measure: form.measure,
  hold_out_pct: numberOf(form.holdOutPct),
})
