import type { Decimal } from './decimal.ts'

/** A text is guarded against formulas; figures are written as they are. */
export type CsvCell = string | number | Decimal | null | undefined

/** Rows of cells as a CSV file has them (RFC 4180), the header first. */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string => rows.map(csvLine).join('')

export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** Quoted where needed. A text that a spreadsheet would take for a formula is made plain. */
function cellOf(value: CsvCell): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
