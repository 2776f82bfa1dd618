import { type Category, isCategory } from '@tradewright/core/category'
import { Problem } from '@tradewright/core/problem'
import { mainCategory, type TickerKind } from '@tradewright/core/ticker-kind'
import { dateReader } from './dates.ts'
import { shortened } from './faults.ts'
import { readNumber } from './numbers.ts'

export interface CsvColumns {
  readonly dateColumn: number
  /** Beside the date in some files. */
  readonly timeColumn: number | undefined
  readonly categories: ReadonlyMap<Category, number>
  /** Headers that name no known category. */
  readonly ignored: readonly string[]
  readonly hasHeader: boolean
  /** Cells of a whole row. */
  readonly count: number
}

/** A choice made by the user: header to category, or to `date`. */
export type ColumnChoice = Readonly<Record<string, string>>

const MEANINGS: Readonly<Record<string, readonly string[]>> = {
  date: ['date', 'datetime', 'date time', 'timestamp', 'time utc', 'observation date', 'day', 't'],
  time: ['time'],
  open: ['open', 'o', 'opening price'],
  high: ['high', 'h', 'max'],
  low: ['low', 'l', 'min'],
  close: ['close', 'c', 'last', 'close last', 'closing price', 'price'],
  volume: ['volume', 'vol', 'v'],
  adj_close: ['adj close', 'adjusted close', 'adjclose'],
  dividend: ['dividend', 'dividends', 'dividend amount'],
  split: ['split', 'splits', 'stock splits', 'split coefficient'],
  value: ['value'],
}

const plain = (header: string): string =>
  header
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

const meaningOf = (header: string): string | undefined =>
  Object.keys(MEANINGS).find((meaning) => MEANINGS[meaning]!.includes(plain(header)))

/** By the first row of a file: its header, or its first bar where it has none. */
export function readColumns(
  first: readonly string[],
  delimiter: string,
  kind: TickerKind,
  choice: ColumnChoice = {},
): CsvColumns {
  return isHeader(first, delimiter) ? namedColumns(first, kind, choice) : unnamedColumns(first.length, kind)
}

/** A header has a cell that is neither a number nor a date. */
function isHeader(cells: readonly string[], delimiter: string): boolean {
  const readDate = dateReader('month-first')
  return cells.some(
    (cell) => cell !== '' && readNumber(cell, delimiter) === undefined && !/\d{4}/.test(cell) && !readDate(cell),
  )
}

function namedColumns(headers: readonly string[], kind: TickerKind, choice: ColumnChoice): CsvColumns {
  const unknown = Object.keys(choice).filter((header) => !headers.includes(header))
  if (unknown.length > 0) throw invalid(`The file has no column "${shortened(unknown[0]!)}". It has ${list(headers)}.`)
  const chosen = new Map(Object.entries(choice))
  const meanings = headers.map((header) => chosen.get(header) ?? meaningOf(header))
  // A time of day stands beside a date; alone it is the date.
  let [dateColumn, timeColumn] = [meanings.indexOf('date'), meanings.indexOf('time')]
  if (dateColumn === -1) [dateColumn, timeColumn] = [timeColumn, -1]
  if (dateColumn === -1) throw invalid(`The file has no column of dates. It has ${list(headers)}.`)
  const categories = new Map<Category, number>()
  meanings.forEach((meaning, column) => {
    if (meaning === undefined || meaning === 'date' || meaning === 'time' || meaning === '') return
    if (!isCategory(meaning)) throw invalid(`"${shortened(meaning)}" is not the name of a category.`)
    if (categories.has(meaning)) throw invalid(`Two columns of the file are ${shortened(meaning)}.`)
    categories.set(meaning, column)
  })
  const rest = headers.flatMap((header, column) => (meanings[column] === undefined ? [{ header, column }] : []))
  // FRED names the one column of values after the series.
  if (categories.size === 0 && rest.length === 1) categories.set(mainCategory(kind), rest.pop()!.column)
  if (categories.size === 0) throw invalid(`No column of the file was recognised. It has ${list(headers)}.`)
  return {
    dateColumn,
    timeColumn: timeColumn === -1 ? undefined : timeColumn,
    categories,
    ignored: rest.map(({ header }) => header),
    hasHeader: true,
    count: headers.length,
  }
}

/** Without a header the usual orders are taken: date and value, or date and a bar. */
function unnamedColumns(count: number, kind: TickerKind): CsvColumns {
  const bar = ['open', 'high', 'low', 'close', 'volume']
  const names = count === 2 ? [mainCategory(kind)] : bar.slice(0, count - 1)
  if (count < 2 || (count > 2 && count < 5) || count > 6) {
    throw invalid(`The file has ${count} columns and no header that says what they are.`)
  }
  return {
    dateColumn: 0,
    timeColumn: undefined,
    categories: new Map(names.map((name, i) => [name, i + 1])),
    ignored: [],
    hasHeader: false,
    count,
  }
}

const SHOWN_HEADERS = 20

/** Headers inside a sentence. */
export function list(headers: readonly string[]): string {
  const shown = headers.slice(0, SHOWN_HEADERS).map(shortened).join(', ')
  return headers.length > SHOWN_HEADERS ? `${shown} and more` : shown
}

const invalid = (message: string) => new Problem('invalid', 'csv.columns', message)
