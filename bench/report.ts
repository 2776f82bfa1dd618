import type { BenchRow } from './bench.ts'

const KEYS = [
  'bench',
  'ours',
  'unit',
  'peer',
  'peer_value',
  'ratio',
  'goal',
  'holds',
] as const satisfies (keyof BenchRow)[]

/** For programs: one line, the keys in their order, whatever else the object carries. */
export function jsonLine(row: BenchRow): string {
  return JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, row[key]])))
}

/** The rows as a table for people. */
export function table(rows: readonly BenchRow[]): string {
  const head = ['', 'ours', '', 'peer', 'theirs', 'ratio', 'goal', '']
  const lines = [head, ...rows.map(cells)]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column]!, column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cells(row: BenchRow): string[] {
  const verdict = row.holds === null ? '' : row.holds ? 'holds' : 'MISSED'
  return [
    row.bench,
    figure(row.ours),
    row.unit,
    row.peer ?? '',
    row.peer_value === null ? '' : figure(row.peer_value),
    row.ratio === null ? '' : `${figure(row.ratio)}x`,
    row.goal ?? '',
    verdict,
  ]
}

const NUMERIC_COLUMNS = new Set([1, 4, 5])
const pad = (cell: string, width: number, column: number) =>
  NUMERIC_COLUMNS.has(column) ? cell.padStart(width) : cell.padEnd(width)

function figure(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: value >= 1000 ? 6 : 3 })
}

/** The last word: which goals were missed, if any. */
export function verdict(rows: readonly BenchRow[]): string {
  const judged = rows.filter(({ holds }) => holds !== null)
  const missed = judged.filter(({ holds }) => holds === false)
  if (judged.length === 0) return 'No goals were set.'
  if (missed.length === 0) return `All ${judged.length} goals hold.`
  return `${missed.length} of ${judged.length} goals missed: ${missed.map(({ bench }) => bench).join(', ')}.`
}
