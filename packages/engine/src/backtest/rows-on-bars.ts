import type { Column } from '@tradewright/core/column'
import type { SeriesTable } from '../market/series.ts'

/** For each stamp the row that has it, or -1; both ascend, so one walk finds them all. */
export function rowsAt(own: Float64Array, stamps: Float64Array): Int32Array {
  const rows = new Int32Array(stamps.length).fill(-1)
  for (let i = 0, row = 0; i < stamps.length; i++) {
    while (row < own.length && own[row]! < stamps[i]!) row++
    if (own[row] === stamps[i]) rows[i] = row
  }
  return rows
}

/** The values of some rows; NaN for -1 and where there is no such column. */
export function gather(column: Column | undefined, rows: Int32Array): Column {
  const gathered = new Float64Array(rows.length).fill(Number.NaN)
  if (column) for (let i = 0; i < rows.length; i++) if (rows[i]! >= 0) gathered[i] = column[rows[i]!]!
  return gathered
}

/** A column on the bars of a run, where the series has a row of its own for each of them; else undefined. */
export function rowsOnBars(table: SeriesTable, column: Column, stamps: Float64Array): Column | undefined {
  const rows = rowsAt(table.timestamps, stamps)
  return rows.includes(-1) ? undefined : gather(column, rows)
}
