import type { Category } from '@tradewright/core/category'
import { type Granularity, isIntraday } from '@tradewright/core/granularity'
import { DAY, type UtcMillis } from '@tradewright/core/time'
import type { CsvColumns } from './columns.ts'
import { type DateReader, dateReader } from './dates.ts'
import { readNumber } from './numbers.ts'
import type { CsvRow, CsvTable } from './table.ts'

export interface RowFault {
  readonly line: number
  /** "close is "abc", which is not a number" */
  readonly what: string
}

export interface CsvRows {
  readonly lines: readonly number[]
  readonly timestamps: Float64Array
  readonly columns: Readonly<Record<Category, Float64Array>>
  readonly faults: readonly RowFault[]
}

/** Reads every row of the file, in its order, and remembers what is wrong with each. */
export function readCsvRows(table: CsvTable, columns: CsvColumns, granularity: Granularity): CsvRows {
  const rows = table.rows.slice(columns.firstDataRow)
  const dateCells = rows.map((row) => dateCell(row, columns))
  const stampOf = stampReader(dateReader(dateCells), granularity)
  const faults: RowFault[] = []
  const timestamps = new Float64Array(rows.length)
  const values = new Map([...columns.categories.keys()].map((category) => [category, new Float64Array(rows.length)]))
  rows.forEach((row, i) => {
    const stamp = stampOf(dateCells[i]!)
    if (typeof stamp === 'string') faults.push({ line: row.line, what: stamp })
    else timestamps[i] = stamp
    for (const [category, column] of columns.categories) {
      const value = readNumber(row.cells[column] ?? '', table.delimiter)
      if (value === undefined)
        faults.push({ line: row.line, what: `${category} is "${row.cells[column]}", which is not a number` })
      else values.get(category)![i] = value
    }
  })
  return { lines: rows.map(({ line }) => line), timestamps, columns: Object.fromEntries(values), faults }
}

function dateCell({ cells }: CsvRow, { dateColumn, timeColumn }: CsvColumns): string {
  const date = cells[dateColumn] ?? ''
  return timeColumn === undefined ? date : `${date} ${cells[timeColumn] ?? ''}`.trim()
}

/** Gives the stamp, or the sentence that says why there is none. */
function stampReader(readDate: DateReader, granularity: Granularity): (cell: string) => UtcMillis | string {
  return (cell) => {
    const read = readDate(cell)
    if (!read) return cell === '' ? 'the date is missing' : `"${cell}" is not a date`
    if (isIntraday(granularity)) return read.hasTime ? read.stamp : `"${cell}" has no time of day`
    // A daily row belongs to the date as it is written.
    return Math.floor(read.stamp / DAY) * DAY
  }
}
