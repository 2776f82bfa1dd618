type Cell = string | number

/** Rows of cells as a CSV file has them, the header first. */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return `${rows.map((cells) => cells.map(cellOf).join(',')).join('\r\n')}\r\n`
}

/** Quoted where needed. A text that a spreadsheet would take for a formula is made plain. */
function cellOf(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
