import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { adjustPrices } from '../market/adjust.ts'
import { atStamps } from '../market/align.ts'
import { calendarOf } from '../market/calendar/calendar-of.ts'
import { nyse } from '../market/calendar/nyse.ts'
import { actionsOf } from '../market/corporate-actions.ts'
import type { CategoryColumns, SeriesTable } from '../market/series.ts'
import { periodsPerYear } from '../market/periods-per-year.ts'
import type { StarterTransform } from './starter-transform.ts'

/** Pivoted: one row per ticker and stamp, one column per category and computed value. NaN is an empty cell. */
export interface TransformTable {
  readonly tickers: readonly string[]
  readonly timestamps: readonly UtcMillis[]
  /** Categories first, in their own order, then what was computed. */
  readonly columns: readonly { readonly name: string; readonly values: Column }[]
}

/** The user compares with this one when it is there, else with the first ticker. */
const BENCHMARK = 'SPY'

/** Applies a transform to every ticker that has its categories; a Problem says which are missing when none has. */
export function applyTransform(transform: StarterTransform, tables: readonly SeriesTable[]): TransformTable {
  const usable = tables.filter(({ columns }) => transform.requiredCategories.every((name) => columns[name]))
  if (usable.length === 0) throw missingCategories(transform)
  const benchmark = usable.find(({ ticker }) => ticker === BENCHMARK) ?? usable[0]!
  const parts = usable.map((table) => columnsOf(transform, table, benchmark))
  const names = [...new Set(parts.flatMap(({ columns }) => [...columns.keys()]))]
  return {
    tickers: parts.flatMap(({ table }) => Array.from(table.timestamps, () => table.ticker)),
    timestamps: parts.flatMap(({ table }) => Array.from(table.timestamps)),
    columns: names.map((name) => ({ name, values: joinColumn(name, parts) })),
  }
}

interface Part {
  readonly table: SeriesTable
  readonly columns: ReadonlyMap<string, Column>
}

function columnsOf(transform: StarterTransform, table: SeriesTable, benchmark: SeriesTable): Part {
  const input = {
    columns: splitAdjusted(table),
    benchmark: atStamps(benchmark, splitAdjusted(benchmark)['close'] ?? new Float64Array(), table.timestamps),
    periodsPerYear: periodsPerYear(
      calendarOf(table.type) ?? nyse,
      table.granularity,
      Int32Array.from(table.timestamps, epochDayOf),
    ),
  }
  const computed = transform.computedColumns.map(({ name, compute }) => [name, compute(input)] as const)
  return { table, columns: new Map([...Object.entries(table.columns), ...computed]) }
}

/** A split is no return; the table itself shows prices as they were traded. */
const splitAdjusted = (table: SeriesTable): CategoryColumns => adjustPrices(table, actionsOf(table), 'split').columns

/** The column of all tickers one after the other; a ticker that lacks it has empty cells. */
function joinColumn(name: string, parts: readonly Part[]): Column {
  const joined = new Float64Array(parts.reduce((sum, { table }) => sum + table.timestamps.length, 0)).fill(Number.NaN)
  let at = 0
  for (const { table, columns } of parts) {
    const column = columns.get(name)
    if (column) joined.set(column, at)
    at += table.timestamps.length
  }
  return joined
}

const missingCategories = ({ name, requiredCategories }: StarterTransform) =>
  new Problem(
    'invalid',
    'transform.missing-categories',
    `"${name}" needs the ${requiredCategories.length === 1 ? 'category' : 'categories'} ${requiredCategories.join(', ')}, which none of the selected tickers has.`,
  )
