import { type Category, isCategory, observationCategory } from '@tradewright/core/category'
import { Problem } from '@tradewright/core/problem'
import { mainCategory, type TickerKind } from '@tradewright/core/ticker-kind'
import { dayStamp, MINUTE, parseDate, SECOND, type UtcMillis } from '@tradewright/core/time'
import { shortened } from './records.ts'

export interface CsvColumns {
  readonly dateColumn: number
  /** Beside the date in some files. */
  readonly timeColumn: number | undefined
  /** When each row was published. */
  readonly knownAtColumn: number | undefined
  /** Words of each row that say what its numbers are in, and where it was traded. */
  readonly currencyColumn: number | undefined
  readonly exchangeColumn: number | undefined
  /** Where a header names it, as `Close (EUR)` does. */
  readonly currency: string | undefined
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
  currency: ['currency', 'ccy', 'currency code', 'quote currency', 'price currency'],
  exchange: ['exchange', 'exchange code', 'mic', 'market', 'venue', 'exch'],
  known_at: ['known at', 'published', 'published at', 'publication date', 'release date', 'released', 'available at'],
}

const plain = (header: string): string =>
  header
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

function meaningOf(header: string): string | undefined {
  const known = (words: string) => Object.keys(MEANINGS).find((meaning) => MEANINGS[meaning]!.includes(words))
  return known(plain(header)) ?? known(plain(header).replace(CURRENCY_WORD, '').trim())
}

/** Codes that headers of prices end or begin with; pence of London are a currency of their own. */
const CURRENCY_WORD =
  /\b(usd|eur|gbp|gbx|gbpence|chf|jpy|cad|aud|nzd|sek|nok|dkk|pln|czk|huf|cny|hkd|inr|krw|sgd|brl|mxn|zar|try|ils|twd)\b/

const currencyOf = (header: string): string | undefined => CURRENCY_WORD.exec(plain(header))?.[0].toUpperCase()

/** Reads the columns from the first row of a file: its header, or its first bar where it has none. */
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
    if (meaning === undefined || NO_CATEGORY.has(meaning)) return
    if (!isCategory(meaning)) throw invalid(`"${shortened(meaning)}" is not the name of a category.`)
    if (categories.has(meaning)) throw invalid(`Two columns of the file are ${shortened(meaning)}.`)
    categories.set(meaning, column)
  })
  const rest = headers.flatMap((header, column) => (meanings[column] === undefined ? [{ header, column }] : []))
  // FRED names the one column of values after the series.
  if (categories.size === 0 && rest.length === 1) {
    if (kind === 'security') throw priceOrValue(`What is the column "${shortened(rest[0]!.header)}"?`)
    categories.set(mainCategory(kind), rest.pop()!.column)
  }
  if (categories.size === 0) throw invalid(`No column of the file was recognised. It has ${list(headers)}.`)
  const published = meanings.indexOf('known_at')
  const at = (meaning: string) => (meanings.includes(meaning) ? meanings.indexOf(meaning) : undefined)
  const currencies = new Set([...categories.values()].flatMap((column) => currencyOf(headers[column]!) ?? []))
  if (currencies.size > 1) throw invalid(`The columns are in different currencies: ${[...currencies].join(', ')}.`)
  if (hasPrices(categories.keys()) && (published !== -1 || categories.has(observationCategory))) throw pricesAndValues()
  return {
    dateColumn,
    timeColumn: timeColumn === -1 ? undefined : timeColumn,
    knownAtColumn: published === -1 ? undefined : published,
    currencyColumn: at('currency'),
    exchangeColumn: at('exchange'),
    currency: [...currencies][0],
    categories,
    ignored: rest.map(({ header }) => header),
    hasHeader: true,
    count: headers.length,
  }
}

const NO_CATEGORY: ReadonlySet<string> = new Set(['date', 'time', 'known_at', 'currency', 'exchange', ''])

/** A price is known at its close, other values when they were published. */
const pricesAndValues = (): Problem =>
  invalid(
    'The file has prices, and values or publication times beside them. Import the prices alone, and the values as a series ' +
      'of their own under another name: leave the other columns out each time.',
  )

const PRICES: ReadonlySet<Category> = new Set(['open', 'high', 'low', 'close', 'adj_close', 'price'])

/** Whether rows are bars or prices, which are known when they are over. */
export const hasPrices = (categories: Iterable<Category>): boolean =>
  [...categories].some((category) => PRICES.has(category))

/** A survey that passed for a price would be used on the day it is stamped with, long before it was published. */
const priceOrValue = (question: string): Problem =>
  invalid(
    `${question} Name it close where it is a price, and value where it is other data, such as a survey or a score.`,
  )

/** Without a header the usual orders are taken: date and value, or date and a bar. */
function unnamedColumns(count: number, kind: TickerKind): CsvColumns {
  const bar = ['open', 'high', 'low', 'close', 'volume']
  if (count === 2 && kind === 'security') throw priceOrValue('The file has no header that says what its numbers are.')
  const names = count === 2 ? [mainCategory(kind)] : bar.slice(0, count - 1)
  if (count < 2 || (count > 2 && count < 5) || count > 6) {
    throw invalid(`The file has ${count} columns and no header that says what they are.`)
  }
  return {
    dateColumn: 0,
    timeColumn: undefined,
    knownAtColumn: undefined,
    currencyColumn: undefined,
    exchangeColumn: undefined,
    currency: undefined,
    categories: new Map(names.map((name, i) => [name, i + 1])),
    ignored: [],
    hasHeader: false,
    count,
  }
}

const SHOWN_HEADERS = 20

/** Headers as a list inside a sentence. */
export function list(headers: readonly string[]): string {
  const shown = headers.slice(0, SHOWN_HEADERS).map(shortened).join(', ')
  return headers.length > SHOWN_HEADERS ? `${shown} and more` : shown
}

const invalid = (message: string) => new Problem('invalid', 'csv.columns', message)

/** How spreadsheets and vendors write "nothing here". */
const NOTHING: ReadonlySet<string> = new Set(['', '.', '-', 'nan', 'null', 'none', 'n/a', 'na', '#n/a'])

const THOUSANDS = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/
const DECIMAL_COMMA = /^[-+]?\d+,\d+$/

/** NaN for an empty cell, undefined for what is no number. Plain numbers keep every bit of what was written. */
export function readNumber(text: string, delimiter: string): number | undefined {
  const direct = text === '' ? Number.NaN : Number(text)
  if (Number.isFinite(direct)) return direct
  if (NOTHING.has(text.toLowerCase())) return Number.NaN
  const bare = text.replace(/^([-+]?)\$/, '$1').replaceAll(/[\s_]/g, '')
  const plain = plainDigits(bare, delimiter)
  const value = plain === '' ? Number.NaN : Number(plain)
  return Number.isFinite(value) ? value : undefined
}

function plainDigits(text: string, delimiter: string): string {
  // Where commas separate no cells they separate decimals, as in Germany or France.
  if (delimiter !== ',' && DECIMAL_COMMA.test(text)) return text.replace(',', '.')
  return THOUSANDS.test(text) ? text.replaceAll(',', '') : text
}

interface ReadDate {
  readonly stamp: UtcMillis
  readonly hasTime: boolean
}

/** Reads a cell as a date or instant; undefined when it is neither. A time without a zone is UTC. */
export type DateReader = (text: string) => ReadDate | undefined

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const SLASHES = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})/

/** No way of writing a date is longer. The pattern of times would take long over a long cell. */
const MAX_CHARACTERS = 60

const TIME = /^(.*?)[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i

export type SlashOrder = 'month-first' | 'day-first'

/** Prices of markets begin later, and a calendar that is asked for a later one has no answer. */
const FIRST_STAMP = Date.UTC(1800, 0, 1)
const END_STAMP = Date.UTC(2100, 0, 1)

/** The reader for a column of dates, from 1800 to 2099. The order is that of dates such as 03/04/2024. */
export function dateReader(order: SlashOrder): DateReader {
  const read = anyDateReader(order)
  return (text) => {
    const date = text.length > MAX_CHARACTERS ? undefined : read(text)
    return date && date.stamp >= FIRST_STAMP && date.stamp < END_STAMP ? date : undefined
  }
}

function anyDateReader(order: SlashOrder): DateReader {
  return (text) => {
    const iso = text.length === 10 ? parseDate(text) : undefined
    if (iso !== undefined) return { stamp: dayStamp(iso), hasTime: false }
    const epoch = readEpoch(text)
    if (epoch !== undefined) return { stamp: epoch, hasTime: true }
    const time = TIME.exec(text)
    const day = readDay(time ? time[1]!.trim() : text, order)
    if (day === undefined) return undefined
    if (!time) return { stamp: dayStamp(day), hasTime: false }
    const [, , hours, minutes, seconds = '0', fraction = '0', zone = 'Z'] = time
    if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
    const clock =
      (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * SECOND + Number(`0.${fraction}`) * SECOND
    return { stamp: dayStamp(day) + clock - offsetMillis(zone), hasTime: true }
  }
}

/** Seconds or milliseconds since 1970. Eight digits are a date and no instant. */
function readEpoch(text: string): UtcMillis | undefined {
  if (/^\d{9,10}$/.test(text)) return Number(text) * SECOND
  return /^\d{12,13}$/.test(text) ? Number(text) : undefined
}

function readDay(text: string, order: SlashOrder): number | undefined {
  const digits = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(text) ?? /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text)
  if (digits) return existing(digits[1]!, digits[2]!, digits[3]!)
  const dots = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  if (dots) return existing(dots[3]!, dots[2]!, dots[1]!)
  const slashes = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text)
  if (slashes) {
    const [, first, second, year] = slashes
    return order === 'month-first' ? existing(year!, first!, second!) : existing(year!, second!, first!)
  }
  return readNamedMonth(text)
}

function readNamedMonth(text: string): number | undefined {
  const dayFirst = /^(\d{1,2})[-\s.]+([a-z]{3,9})\.?[-\s,]+(\d{4})$/i.exec(text)
  if (dayFirst) return existing(dayFirst[3]!, monthNumber(dayFirst[2]!), dayFirst[1]!)
  const monthFirst = /^([a-z]{3,9})\.?[-\s]+(\d{1,2}),?[-\s]+(\d{4})$/i.exec(text)
  return monthFirst ? existing(monthFirst[3]!, monthNumber(monthFirst[1]!), monthFirst[2]!) : undefined
}

const monthNumber = (name: string): string => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)

/** No 30th of February. */
function existing(year: string, month: string, day: string): number | undefined {
  return parseDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

function offsetMillis(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * MINUTE
}

/** Which order the cell speaks for: 31/03/2024 for days first, 03/31/2024 for months first, 03/04/2024 for neither. */
export function slashOrderOf(cell: string): SlashOrder | 'either' | undefined {
  const match = SLASHES.exec(cell)
  if (!match) return undefined
  if (Number(match[1]) > 12) return 'day-first'
  return Number(match[2]) > 12 ? 'month-first' : 'either'
}

/** Only a whole column can tell whether 03/04/2024 is in March or in April; when it cannot, asking beats guessing. */
export function ambiguousDates(example: string): Problem {
  const message = `Dates such as ${example} can be read in two ways. Please write them as 2024-03-31.`
  return new Problem('invalid', 'csv.ambiguous-dates', message)
}
