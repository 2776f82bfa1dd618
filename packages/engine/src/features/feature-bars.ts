import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import { isObservation } from '@tradewright/core/ticker-kind'
import { barCategories, observationCategory } from '@tradewright/core/category'
import { asOf } from '../market/align.ts'
import { endsOfNextPeriods, isValueSeries, knownAtOf } from '../market/known-at.ts'
import type { CategoryColumns, SeriesTable } from '../market/series.ts'
import type { ParameterDefinition } from './parameters.ts'

/** The rows of one ticker, adjusted, as a feature sees them. */
export interface FeatureBars {
  readonly ticker: string
  readonly timestamps: Float64Array
  readonly columns: CategoryColumns
  /** Has a single value per row instead of a bar. */
  readonly isObservation: boolean
}

/** The rows of the feature's ticker and, on the same rows, those of the ticker beside it. */
export interface FeatureInput {
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
