import type { Column } from '@tradewright/core/column'
import { downsampledPositions } from '@tradewright/core/downsample'
import { civilDate, type EpochDay } from '@tradewright/core/time'
import { isRegression, regress, type Regression } from '../performance/regression.ts'
import { simpleReturns } from '../performance/returns.ts'
import type { FactorTable } from './factor-file.ts'

/** A series that a result may depend on: its price by day (returns count), or its level by day (changes count). */
export interface FactorSeries {
  readonly name: string
  readonly kind: 'return' | 'change'
  readonly days: Int32Array
  readonly values: Column
}

/** Columns of a factor file that were chosen. */
interface FactorColumns {
  readonly table: FactorTable
  readonly chosen: readonly string[]
}

export interface FactorRequest {
  /** What is explained: its growth by day. */
  readonly days: Int32Array
  readonly growth: Column
  /** Return of each step that was free of risk; undefined counts as none. */
  readonly riskFree: Column | undefined
  readonly riskFreeName: string
  readonly periodsPerYear: number
  readonly series: readonly FactorSeries[]
  readonly file: FactorColumns | undefined
  /** The window of the rolling loadings. */
  readonly windowMonths: number
}

interface NamedTerm {
  readonly name: string
  /**
   * How the coefficient reads: `return` is per return of the factor, one for one; `per point` is return per percentage
   * point of its change.
   */
  readonly unit: 'return' | 'per point'
  readonly coefficient: number
  readonly error: number
  readonly t: number | null
  readonly pValue: number | null
}

export interface FactorReport {
  readonly frequency: 'daily' | 'monthly'
  readonly from: EpochDay
  readonly to: EpochDay
  readonly n: number
  readonly lags: number
  readonly rSquared: number
  readonly adjustedRSquared: number
  /** What is left, a year. */
  readonly alpha: Omit<NamedTerm, 'name' | 'unit'>
  readonly loadings: readonly NamedTerm[]
  /** A year. */
  readonly residualVolatility: number
  readonly riskFree: string
  /** Over windows that end on these days; null with the reason. */
  readonly rolling:
    | {
        readonly days: readonly EpochDay[]
        readonly alpha: readonly number[]
        readonly loadings: readonly (readonly number[])[]
      }
    | { readonly notAvailable: string }
}

/** The name of the column that is no factor but the return free of risk, in small or capital letters. */
const RISK_FREE_COLUMN = 'RF'
const isRiskFree = (name: string): boolean => name.toUpperCase() === RISK_FREE_COLUMN
const ROLLING_POINTS = 150
const MONTHS_PER_YEAR = 12

interface Rows {
  readonly ends: readonly EpochDay[]
  readonly y: number[]
  readonly factors: number[][]
}

/** Least squares of the excess returns on the factors, prices by their excess returns too, over the days or months that all of them have. */
export function factorReport(request: FactorRequest): FactorReport | { readonly notAvailable: string } {
  const names = [...request.series.map(({ name }) => name), ...chosenOf(request.file)]
  if (names.length === 0) return { notAvailable: 'no factor was chosen' }
  const rare = request.series.find((one) => gapOf(one) > MAX_MONTHLY_GAP)
  if (rare) return { notAvailable: `${rare.name} has fewer than twelve values a year` }
  const byMonth = request.series.find((one) => gapOf(one) > MAX_DAILY_GAP)
  if (byMonth && request.file?.table.frequency === 'daily') {
    return { notAvailable: `${byMonth.name} has one value a month and the file has daily returns` }
  }
  const isMonthly = byMonth !== undefined || request.file?.table.frequency === 'monthly'
  const rows = rowsOf(request, isMonthly)
  const [y, factors] = [
    Float64Array.from(rows.y),
    names.map((_, k) => Float64Array.from(rows.factors, (row) => row[k]!)),
  ]
  const fit = regress(y, factors)
  if (!isRegression(fit)) return named(fit.notAvailable, names)
  const perYear = isMonthly ? MONTHS_PER_YEAR : request.periodsPerYear
  const yearly = ({ coefficient, error, t, pValue }: Regression['alpha']) => ({
    coefficient: coefficient * perYear,
    error: error * perYear,
    t,
    pValue,
  })
  return {
    frequency: isMonthly ? 'monthly' : 'daily',
    from: rows.ends[0]!,
    to: rows.ends.at(-1)!,
    n: fit.n,
    lags: fit.lags,
    rSquared: fit.rSquared,
    adjustedRSquared: fit.adjustedRSquared,
    alpha: yearly(fit.alpha),
    loadings: fit.loadings.map((term, k) => ({
      name: names[k]!,
      unit: request.series[k]?.kind === 'change' ? 'per point' : 'return',
      coefficient: term.coefficient,
      error: term.error,
      t: term.t,
      pValue: term.pValue,
    })),
    residualVolatility: fit.residualDeviation * Math.sqrt(perYear),
    riskFree: hasOwnRiskFree(request.file) ? `${RISK_FREE_COLUMN} of the file` : request.riskFreeName,
    rolling: rollingOf(rows, y, factors, Math.round((request.windowMonths / MONTHS_PER_YEAR) * perYear), perYear),
  }
}

const chosenOf = (file: FactorColumns | undefined): readonly string[] =>
  file?.chosen.filter((name) => !isRiskFree(name)) ?? []
const hasOwnRiskFree = (file: FactorColumns | undefined): boolean =>
  file?.table.columns.some(({ name }) => isRiskFree(name)) ?? false

/** Calendar days. A series of months on daily bars would stand still on nearly all of them. */
const MAX_DAILY_GAP = 15
const MAX_MONTHLY_GAP = 45

/** The median of days between two values. */
function gapOf({ days }: FactorSeries): number {
  const gaps = days.subarray(1).map((day, i) => day - days[i]!)
  return gaps.sort()[gaps.length >> 1] ?? 0
}

/** A reason that counts factors names them. */
const named = (reason: string, names: readonly string[]) => ({
  notAvailable: reason.replace(/^factor (\d+)/, (_, place: string) => names[Number(place) - 1] ?? place),
})

function rowsOf({ days, growth, riskFree, series, file }: FactorRequest, isMonthly: boolean): Rows {
  // Bars at which a period ends: every one, or the last of each month. The first is only what others grow from.
  const ends = [...days.keys()].filter(
    (bar) => !isMonthly || bar === days.length - 1 || monthOf(days[bar]!) !== monthOf(days[bar + 1]!),
  )
  const own = simpleReturns(Float64Array.from(ends, (bar) => growth[bar]!))
  const free = Float64Array.from(own, (_, i) => grown(riskFree, ends[i]!, ends[i + 1]!))
  const changes = series.map(({ days: known, values, kind }) => {
    const at = Float64Array.from(ends, (bar) => lastAtOrBefore(known, values, days[bar]!))
    return kind === 'return' ? simpleReturns(at) : at.subarray(1).map((value, i) => value - at[i]!)
  })
  const rowOf = new Map(file?.table.days.map((day, row) => [isMonthly ? monthOf(day) : day, row]))
  const columnOf = (isIt: (name: string) => boolean) => file?.table.columns.find(({ name }) => isIt(name))?.values
  const columns = chosenOf(file).map((chosen) => columnOf((name) => name === chosen))
  const fileFree = columnOf(isRiskFree)
  const rows: Rows = { ends: [], y: [], factors: [] }
  own.forEach((earned, i) => {
    const day = days[ends[i + 1]!]!
    const row = file ? rowOf.get(isMonthly ? monthOf(day) : day) : undefined
    const rate = fileFree ? (row === undefined ? Number.NaN : (fileFree[row] ?? Number.NaN)) : free[i]!
    const values = [
      // Else the part of a mix that is in cash, or borrowed, would count as alpha. Columns of a file are taken as they are.
      ...changes.map((column, k) => column[i]! - (series[k]!.kind === 'return' ? rate : 0)),
      ...columns.map((column) => (row === undefined ? Number.NaN : (column?.[row] ?? Number.NaN))),
    ]
    if (![earned, rate, ...values].every(Number.isFinite)) return
    ;(rows.ends as EpochDay[]).push(day)
    rows.y.push(earned - rate)
    rows.factors.push(values)
  })
  return rows
}

function monthOf(day: EpochDay): number {
  const { year, month } = civilDate(day)
  return year * 12 + month - 1
}

/** What the steps between two bars earned together. */
function grown(steps: Column | undefined, from: number, to: number): number {
  let value = 1
  for (let step = from; step < to; step++) value *= 1 + (steps?.[step] ?? 0)
  return value - 1
}

function lastAtOrBefore(days: Int32Array, values: Column, day: EpochDay): number {
  let [low, high] = [0, days.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (days[middle]! <= day) low = middle + 1
    else high = middle
  }
  return low === 0 ? Number.NaN : values[low - 1]!
}

function rollingOf(
  { ends }: Rows,
  y: Column,
  factors: readonly Column[],
  window: number,
  perYear: number,
): FactorReport['rolling'] {
  const count = y.length - window + 1
  if (count < 2) return { notAvailable: `the period is no longer than a window of ${window} observations` }
  const found = downsampledPositions(count, ROLLING_POINTS).flatMap((from) => {
    const cut = (column: Column) => column.subarray(from, from + window)
    const fit = regress(cut(y), factors.map(cut))
    return isRegression(fit) ? [{ day: ends[from + window - 1]!, fit }] : []
  })
  if (found.length < 2) return { notAvailable: 'the windows have too few observations, or factors that do not vary' }
  return {
    days: found.map(({ day }) => day),
    alpha: found.map(({ fit }) => fit.alpha.coefficient * perYear),
    loadings: factors.map((_, k) => found.map(({ fit }) => fit.loadings[k]!.coefficient)),
  }
}
