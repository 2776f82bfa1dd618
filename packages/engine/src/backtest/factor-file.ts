import { Problem } from '@tradewright/core/problem'
import { parseDate, type EpochDay } from '@tradewright/core/time'

/** A file of factor returns: one column per factor, as fractions, stamped with the day, or with the first day of the month. */
export interface FactorTable {
  readonly frequency: 'daily' | 'monthly'
  readonly days: readonly EpochDay[]
  readonly columns: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
}

const MAX_FACTORS = 30
const MAX_ROWS = 40_000
const MIN_ROWS = 12
/** What Kenneth French's files have in place of a value. */
const MISSING = new Set([-99.99, -999])

/**
 * Reads a CSV of returns in percent, as the data library of Kenneth French has them: any lines of text, a header whose first cell is
 * empty or says date, rows of YYYYMMDD or YYYYMM (or YYYY-MM-DD), and whatever follows the first block of them, such as yearly
 * returns and a copyright line, left out where it is set off by an empty line or a line of text.
 */
export function readFactorFile(text: string): FactorTable {
  const lines = text.split(/\r\n|\n|\r/)
  const first = lines.findIndex((line) => STAMP.test(firstCell(line)))
  if (first < 1) throw refused('The file has no rows that begin with a date such as 19260701, 192607 or 1926-07-01.')
  const names = headerOf(lines.slice(0, first))
  const { frequency } = dayOf(firstCell(lines[first]!), first + 1)!
  const days: EpochDay[] = []
  const rows: (number | null)[][] = []
  for (let at = first; at < lines.length; at++) {
    const cells = lines[at]!.split(',').map((cell) => cell.trim())
    const stamp = dayOf(cells[0]!, at + 1)
    if (stamp?.frequency !== frequency) {
      refuseRow(cells, at + 1)
      break
    }
    if (days.length > 0 && stamp.day <= days.at(-1)!)
      throw refused(`Line ${at + 1} is not later than the line before it.`)
    if (cells.length !== names.length + 1) {
      throw refused(`Line ${at + 1} has ${cells.length - 1} values, and the header names ${names.length}.`)
    }
    days.push(stamp.day)
    rows.push(cells.slice(1).map((cell) => valueOf(cell, at + 1)))
    if (days.length > MAX_ROWS) throw refused(`The file has more than ${MAX_ROWS} rows.`)
  }
  if (days.length < MIN_ROWS)
    throw refused(`The file has ${days.length} rows of returns: at least ${MIN_ROWS} are needed.`)
  refuseFractions(rows, frequency)
  return {
    frequency,
    days,
    columns: names.map((name, column) => ({ name, values: rows.map((row) => row[column]!) })),
  }
}

/** No file of factors is so calm: in fractions all loadings would come out a hundred times as large. */
const CALMEST_PERCENT = { daily: 0.3, monthly: 1 }

function refuseFractions(rows: readonly (readonly (number | null)[])[], frequency: FactorTable['frequency']): void {
  const largest = rows.reduce(
    (most, row) => row.reduce<number>((one, value) => Math.max(one, Math.abs(value ?? 0)), most),
    0,
  )
  if (100 * largest >= CALMEST_PERCENT[frequency]) return
  throw refused(
    `The largest ${frequency} return of the file is ${Number((100 * largest).toPrecision(3))}%: it seems to hold fractions. Returns must be in percent (2.5 for 2.5%).`,
  )
}

/** The block ends with an empty line, a line of text or a header. A row that cannot be read is none of them: what follows it would be lost. */
function refuseRow([first, ...values]: readonly string[], line: number): void {
  if (!values.some((value) => NUMBER.test(value.replaceAll('"', '')))) return
  throw refused(`Line ${line} begins with “${first!.slice(0, 20)}”, where a date like those above it should be.`)
}

const firstCell = (line: string): string => line.split(',', 1)[0]!.trim()

/** The last line of text before the rows that has cells after its first. */
function headerOf(before: readonly string[]): string[] {
  const header = before.findLast((line) => line.includes(','))
  const names = (header ?? '')
    .split(',')
    .slice(1)
    .map((name) => name.trim())
  if (names.length === 0 || names.some((name) => name === '')) {
    throw refused('The line before the first row must name each factor: ,Mkt-RF,SMB,HML,RF.')
  }
  if (names.length > MAX_FACTORS)
    throw refused(`The file has ${names.length} factors: at most ${MAX_FACTORS} are allowed.`)
  const long = names.find((name) => name.length > 40)
  if (long !== undefined) throw refused('The name of a factor may have at most 40 letters.')
  if (new Set(names).size < names.length) throw refused('Two factors of the file have the same name.')
  return names
}

const NUMBER = /^[+-]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[+-]?\d{1,2})?$/i

const STAMP = /^(\d{4})-?(\d{2})(-?(\d{2}))?$/

/** Undefined where the text does not look like a date. */
function dayOf(text: string, line: number): { day: EpochDay; frequency: FactorTable['frequency'] } | undefined {
  const [, year, month, , day] = STAMP.exec(text) ?? []
  if (year === undefined) return undefined
  const date = parseDate(`${year}-${month}-${day ?? '01'}`)
  if (date === undefined) throw refused(`Line ${line} begins with ${text}, which is not a date of the calendar.`)
  return { day: date, frequency: day === undefined ? 'monthly' : 'daily' }
}

/** A cell's percentage as a fraction; null where it is empty. */
function valueOf(cell: string, line: number): number | null {
  if (cell === '') return null
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN
  if (!Number.isFinite(value)) throw refused(`Line ${line} has “${cell.slice(0, 20)}” where a number should be.`)
  if (MISSING.has(value)) return null
  if (Math.abs(value) > 1000) throw refused(`Line ${line} has ${value}, which is not a return in percent.`)
  return value / 100
}

const refused = (sentence: string) => new Problem('invalid', 'factors.file', sentence)
