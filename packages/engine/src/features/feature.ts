import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import { isObservation } from '@tradewright/core/ticker-kind'
import { barCategories, observationCategory } from '@tradewright/core/category'
import { lagParameter, type ParameterDefinition, type ParameterValues, tickerParameter } from './parameters.ts'
import { asOf } from '../market/align.ts'
import { endsOfNextPeriods, isValueSeries, knownAtOf } from '../market/known-at.ts'
import type { CategoryColumns, SeriesTable } from '../market/series.ts'

/**
 * A pure function of series and parameters to a column on the rows of its ticker. NaN while it warms up and where a
 * value is missing; the value of a row never depends on later rows.
 */
export interface Feature {
  /** Stands on the wire and in saved strategies: never changed, never used again. */
  readonly id: number
  readonly key: string
  readonly name: string
  readonly description: string
  /** Where the formula comes from, and where we depart from it. */
  readonly source: string
  readonly parameters: readonly ParameterDefinition[]
  /** Rows of the ticker that pass before there is a value. */
  readonly warmUp: (values: ParameterValues) => number
  readonly compute: (input: FeatureInput, values: ParameterValues) => Column
}

interface FeatureDefinition extends Feature {
  /** Shown in the form; most features are about stocks. */
  readonly exampleTicker?: string
  readonly defaultLag?: number
}

/** Adds what every feature has: its ticker and its lag. */
export function defineFeature({ exampleTicker = 'SPY', defaultLag = 0, ...definition }: FeatureDefinition): Feature {
  return {
    ...definition,
    parameters: [tickerParameter(exampleTicker), ...definition.parameters, lagParameter(defaultLag)],
    warmUp: (values) => definition.warmUp(values) + values.number('lag'),
    compute: (input, values) => lagged(definition.compute(input, values), values.number('lag')),
  }
}

function lagged(column: Column, lag: number): Column {
  if (lag === 0) return column
  const shifted = new Float64Array(column.length).fill(Number.NaN)
  if (lag < column.length) shifted.set(column.subarray(0, column.length - lag), lag)
  return shifted
}

/**
 * A pure function of columns to a column. The value of a row depends on that row and the ones before it, never on
 * later ones; it is NaN while there is too little history, and where a value it needs is missing.
 */
export interface Indicator<Parameters extends Readonly<Record<string, number>>> {
  readonly id: string
  readonly defaults: Parameters
  /** Rows at the start that cannot have a value. */
  readonly warmUp: (parameters: Parameters) => number
  /** One column per input, all of the same length. */
  readonly compute: (inputs: readonly Column[], parameters: Parameters) => Column
}

export interface WindowParameters extends Readonly<Record<string, number>> {
  /** The window, in rows. */
  readonly window: number
}

export function assertWholeNumber(name: string, value: number, atLeast: number): void {
  if (!Number.isInteger(value) || value < atLeast) {
    throw new RangeError(`${name} must be a whole number of at least ${atLeast}, was ${value}`)
  }
}

export function inputAt(inputs: readonly Column[], index: number): Column {
  const column = inputs[index]
  if (!column) throw new RangeError(`input ${index + 1} is missing`)
  return column
}

/**
 * Calls `compute` on each full window. A window is summed afresh instead of being carried along: that way a value does
 * not depend on where the history begins, and live trading gets the digits of the backtest.
 */
export function overWindows(length: number, window: number, compute: (from: number, to: number) => number): Column {
  const out = new Float64Array(length).fill(Number.NaN)
  for (let row = window - 1; row < length; row++) out[row] = compute(row - window + 1, row + 1)
  return out
}

/** NaN when the window holds one. */
export function meanOf(column: Column, from: number, to: number): number {
  let sum = 0
  for (let row = from; row < to; row++) sum += column[row]!
  return sum / (to - from)
}

/**
 * `meanOf` of each full window, to the last digit: each sum is added up in its own order, and four of neighbouring windows
 * go side by side, since one addition waits for the one before it and not for those of others.
 */
export function windowMeans(column: Column, window: number): Column {
  const { length } = column
  const out = new Float64Array(length).fill(Number.NaN)
  let row = window - 1
  for (; row + 3 < length; row += 4) {
    let [first, second, third, fourth] = [0, 0, 0, 0]
    for (let i = row - window + 1; i <= row; i++) {
      first += column[i]!
      second += column[i + 1]!
      third += column[i + 2]!
      fourth += column[i + 3]!
    }
    out[row] = first / window
    out[row + 1] = second / window
    out[row + 2] = third / window
    out[row + 3] = fourth / window
  }
  for (; row < length; row++) out[row] = meanOf(column, row - window + 1, row + 1)
  return out
}

/** The rows of one ticker, adjusted, as a feature sees them. */
export interface FeatureBars {
  readonly ticker: string
  readonly timestamps: Float64Array
  readonly columns: CategoryColumns
  /** Has a single value per row instead of a bar. */
  readonly isObservation: boolean
}

/** The rows of the feature's ticker and, on the same rows, those of the ticker beside it. */
interface FeatureInput {
  readonly bars: FeatureBars
  readonly other: FeatureBars | undefined
}

export const barsOf = (table: SeriesTable): FeatureBars => ({
  ticker: table.ticker,
  timestamps: table.timestamps,
  columns: table.columns,
  isObservation: isObservation(table.type) || isValueSeries(table),
})

/** The other ticker's columns on the rows of the first: at each of them the last values that were known by then. */
export function besideRows(table: SeriesTable, other: SeriesTable): FeatureBars {
  const instants = knownAtOf(table)
  const columns = Object.entries(other.columns).map(
    ([category, column]) => [category, asOf(other, column, instants)] as const,
  )
  return { ...barsOf(other), timestamps: table.timestamps, columns: Object.fromEntries(columns) }
}

/** A column by name; a series without bars gives its one value for every column of a bar. */
export function fieldOf({ ticker, columns, isObservation }: FeatureBars, field: string): Column {
  const column = columns[isObservation && barCategories.includes(field) ? observationCategory : field]
  // Beside prices nothing tells when a value was published.
  if (!column || (field === observationCategory && !isObservation && columns['close']))
    throw new Problem('invalid', 'feature.field', `${ticker} has no ${field}.`)
  return column
}

/** The key of features and targets that read a column which a file was imported with. */
export const columnParameter: ParameterDefinition = {
  name: 'column',
  label: 'Column',
  type: 'string',
  default: 'volume',
  description: 'Name that the column was given when the file was imported.',
}

export function ownColumnOf({ ticker, columns }: FeatureBars, name: string): Column {
  const column = columns[name]
  if (!column) {
    const sentence = `${ticker} has no column ${name}. Import a file with it under this ticker, and give the column that name.`
    throw new Problem('invalid', 'feature.field', sentence)
  }
  return column
}

const published = new WeakMap<SeriesTable, SeriesTable>()

/**
 * A series as its own columns may be read: from the publication of each row on. Beside prices nothing tells when a value was
 * published, so that it is used from the end of the period after its own on, and never at the close of its own bar.
 */
function publishedColumns(table: SeriesTable): SeriesTable {
  const known = published.get(table)
  if (known) return known
  const { timestamps, granularity, columns } = table
  const knownAt = columns['close'] ? endsOfNextPeriods(timestamps, granularity) : knownAtOf(table)
  const { close: _, open: _o, high: _h, low: _l, ...own } = columns
  const made = { ...table, columns: own, knownAt }
  published.set(table, made)
  return made
}

/** The series that a feature or target reads, as it may read it. */
export const readableBy = (
  { definition }: { readonly definition: { readonly parameters: readonly ParameterDefinition[] } },
  table: SeriesTable,
): SeriesTable => (definition.parameters.includes(columnParameter) ? publishedColumns(table) : table)

/** The bars beside, for features that were defined with another ticker. */
export function otherOf({ other }: FeatureInput): FeatureBars {
  if (!other) throw new Error('a feature of two tickers was computed with one')
  return other
}

/** 1 when it happened, 0 when not, null while it cannot be known yet. Never 0 for unknown. */
export type Label = 0 | 1 | null

interface TargetInput {
  /** The bars of the simulation's rows. */
  readonly bars: FeatureBars
  readonly other: FeatureBars | undefined
}

/** A prediction target. Targets look ahead by design: the label of row t is known at row t + horizon. */
export interface Target {
  /** Stands on the wire and in saved strategies: never changed, never used again. */
  readonly id: number
  readonly key: string
  readonly name: string
  readonly description: string
  readonly parameters: readonly ParameterDefinition[]
  readonly horizon: (values: ParameterValues) => number
  /** Bars from one label to the first that shares no price change with it; left out, the horizon. */
  readonly overlap?: (values: ParameterValues) => number
  readonly knownBefore?: KnownBefore
  readonly compute: (input: TargetInput, values: ParameterValues) => Label[]
}

/**
 * A predictor of the label without any model, for targets that are predictable by construction: the higher the value,
 * the likelier a 1. The significance of an accuracy is about what the model adds to it.
 */
interface KnownBefore {
  readonly kind: KnownBeforeKind
  readonly compute: (input: TargetInput, values: ParameterValues) => Column
}
export type KnownBeforeKind = 'volatility_level'

export const defineTarget = (target: Target): Target => ({
  ...target,
  parameters: [tickerParameter('SPY'), ...target.parameters],
})

export const horizonParameter = (bars: number): ParameterDefinition => ({
  name: 'horizon',
  label: 'Horizon',
  type: 'int',
  default: bars,
  min: 1,
  max: 100_000,
  step: 1,
  description: 'How many bars ahead.',
})

export const percentParameter = (
  name: string,
  label: string,
  pct: number,
  description: string,
): ParameterDefinition => ({
  name,
  label,
  type: 'float',
  default: pct,
  min: -1000,
  max: 1000,
  step: 0.1,
  description,
})

/** Growth over the horizon from each row; NaN where it ends after the data, a price is missing, or nothing can grow. */
export const growthAhead = (price: Column, horizon: number): Column =>
  price.map((now, row) => (row + horizon < price.length && now > 0 ? price[row + horizon]! / now - 1 : Number.NaN))

/** 1 where the test holds, 0 where not, null where the value is missing. */
export const labelWhere = (values: Column, holds: (value: number, row: number) => boolean): Label[] =>
  Array.from(values, (value, row) => (Number.isNaN(value) ? null : holds(value, row) ? 1 : 0))
