import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import { barsOf, besideRows, type FeatureBars, readableBy } from '../features/feature-bars.ts'
import type { DecisionRows, SeriesSource } from '../features/feature-matrix.ts'
import type { PlannedFeature } from '../features/planned-feature.ts'
import type { SeriesTable } from '../market/series.ts'
import { sharedRows } from '@tradewright/core/shared-columns'

/** Columns of some candidates on the rows at which all of them have a value. */
interface ColumnPool {
  /** The gene of each column, ascending. */
  readonly genes: readonly number[]
  readonly usableRows: Int32Array
  /** Column after column, on shared memory. */
  readonly values: Float64Array
  readonly leftOut: readonly number[]
}

/** Each candidate computed once, on the rows of its own series, for however many targets join it to theirs. */
export interface CandidateColumns {
  onRows(genes: readonly number[], decisions: DecisionRows): ColumnPool
}

/** Share of rows that a candidate may miss, at its start above all; beyond that it is left out rather than the rows. */
const MAX_MISSING = 0.1

export function candidateColumns(
  candidates: readonly PlannedFeature[],
  seriesOf: SeriesSource,
  stop: () => void,
): CandidateColumns {
  const beside = new Map<string, FeatureBars>()
  const otherBars = (table: SeriesTable, { ticker, otherTicker }: PlannedFeature): FeatureBars | undefined => {
    if (otherTicker === undefined) return undefined
    const key = `${ticker} ${otherTicker}`
    const known = beside.get(key) ?? besideRows(table, seriesOf(otherTicker))
    beside.set(key, known)
    return known
  }
  const own = candidates.map((planned) => {
    stop()
    const table = readableBy(planned, seriesOf(planned.ticker))
    return { table, column: computed(planned, table, otherBars(table, planned)) }
  })
  return {
    onRows(genes, decisions) {
      const joined = genes.map((gene) => {
        stop()
        const { table, column } = own[gene]!
        return { gene, column: column && usable(decisions.join(table, column)) }
      })
      const kept = joined.flatMap(({ gene, column }) => (column ? [{ gene, column }] : []))
      kept.sort((a, b) => a.gene - b.gene)
      const usableRows = sharedRows(
        commonRows(
          kept.map(({ column }) => column),
          decisions.count,
        ),
      )
      return {
        genes: kept.map(({ gene }) => gene),
        usableRows,
        values: gathered(
          kept.map(({ column }) => column),
          usableRows,
        ),
        leftOut: joined.filter(({ column }) => !column).map(({ gene }) => gene),
      }
    },
  }
}

/** Undefined where the series does not have the feature's input, such as the volume of an index. */
function computed(
  { definition, values }: PlannedFeature,
  table: SeriesTable,
  other: FeatureBars | undefined,
): Column | undefined {
  try {
    return definition.compute({ bars: barsOf(table), other }, values)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** A column with too many holes is none; so is one that never changes, from which nothing can be learned. */
function usable(column: Column): Column | undefined {
  let missing = 0
  let first = Number.NaN
  let varies = false
  for (const value of column) {
    if (!Number.isFinite(value)) missing++
    else if (Number.isNaN(first)) first = value
    else if (value !== first) varies = true
  }
  return varies && missing <= MAX_MISSING * column.length ? column : undefined
}

function commonRows(columns: readonly Column[], count: number): number[] {
  const holes = new Uint8Array(count)
  for (const column of columns) for (let row = 0; row < count; row++) if (!Number.isFinite(column[row]!)) holes[row] = 1
  return Array.from({ length: count }, (_, row) => row).filter((row) => holes[row] === 0)
}

function gathered(columns: readonly Column[], rows: Int32Array): Float64Array {
  const values = new Float64Array(new SharedArrayBuffer(8 * columns.length * rows.length))
  columns.forEach((column, index) => {
    const from = index * rows.length
    for (let i = 0; i < rows.length; i++) values[from + i] = column[rows[i]!]!
  })
  return values
}
