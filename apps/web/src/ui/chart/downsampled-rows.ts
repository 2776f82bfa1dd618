type Values = ArrayLike<number | null>

/**
 * Which rows of long columns to draw. Up to `most` it is every row; beyond, equal stretches of rows give equally many:
 * where each column is lowest and highest, and others spread evenly, so that no peak is lost and time stays in scale.
 */
export function downsampledRows(columns: readonly Values[], rowCount: number, most: number): number[] {
  if (rowCount <= most) return Array.from({ length: rowCount }, (_, row) => row)
  const perStretch = 2 * columns.length + 2
  const stretches = Math.floor(most / perStretch)
  const rows: number[] = []
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * rowCount) / stretches)
    const to = Math.floor(((stretch + 1) * rowCount) / stretches)
    rows.push(...rowsOf(columns, from, to, Math.min(perStretch, to - from)))
  }
  if (rows.at(-1) !== rowCount - 1) rows.push(rowCount - 1)
  return rows
}

function rowsOf(columns: readonly Values[], from: number, to: number, count: number): number[] {
  const chosen = new Set([from])
  for (const column of columns) for (const row of extremesOf(column, from, to)) chosen.add(row)
  for (let at = 1; chosen.size < count; at++) {
    const row = from + Math.floor((at * (to - from)) / count)
    chosen.add(row < to ? row : firstFree(chosen, from))
  }
  return [...chosen].sort((a, b) => a - b)
}

function extremesOf(column: Values, from: number, to: number): number[] {
  let lowest = -1
  let highest = -1
  for (let row = from; row < to; row++) {
    const value = column[row]
    if (value === null || value === undefined) continue
    if (lowest < 0 || value < column[lowest]!) lowest = row
    if (highest < 0 || value > column[highest]!) highest = row
  }
  return lowest < 0 ? [] : [lowest, highest]
}

function firstFree(chosen: ReadonlySet<number>, from: number): number {
  let row = from
  while (chosen.has(row)) row += 1
  return row
}
