import { parseDate, dayStamp, SECOND, type UtcMillis } from '@tradewright/core/time'
import type { DateFormat, ProviderDefinition, JsonPath } from '../provider-definition.ts'

/** The value at a path, through own properties only; undefined where the path leads nowhere. `{ticker}` may be a key. */
function readPath(value: unknown, path: JsonPath, symbol = ''): unknown {
  let current = value
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined
    const key = String(step).replaceAll('{ticker}', symbol)
    const descriptor = Object.getOwnPropertyDescriptor(current, key)
    if (!descriptor) return undefined
    current = descriptor.value
  }
  return current
}

/** An answer that is not what the definition says; the message is half a sentence. */
export class UnreadablePage extends Error {
  override readonly name = 'UnreadablePage'
}

/** Rows in the order they were sent. */
export interface SentRecords {
  readonly timestamps: Float64Array<ArrayBuffer>
  readonly values: Readonly<Record<string, Float64Array<ArrayBuffer>>>
}

/** Finds our record in an answer; a wrong shape is named by the path that does not fit. */
export function readRecords({ records }: ProviderDefinition, answer: unknown, symbol: string): SentRecords {
  const found = readPath(answer, records.path, symbol)
  if (found === undefined || found === null) return { timestamps: new Float64Array(), values: {} }
  const { stamps, cells } = SHAPES[records.shape](records, found)
  const values = Object.entries(cells).map(([category, column]) => {
    if (column.length !== stamps.length)
      throw wrong(`${category} has ${column.length} values for ${stamps.length} dates`)
    return [category, Float64Array.from(column, (cell) => numberOf(cell, category))] as const
  })
  return {
    timestamps: Float64Array.from(stamps, (stamp) => instantOf(stamp, records.timestampFormat)),
    values: Object.fromEntries(values),
  }
}

type Records = ProviderDefinition['records']
interface Cells {
  readonly stamps: readonly unknown[]
  readonly cells: Readonly<Record<string, readonly unknown[]>>
}

const SHAPES: Readonly<Record<Records['shape'], (records: Records, found: unknown) => Cells>> = {
  rows(records, found) {
    const rows = listAt(found, records.path)
    return {
      stamps: rows.map((row) => readPath(row, records.timestamp)),
      cells: pick(records, (path) => rows.map((row) => readPath(row, path))),
    }
  },
  columns(records, found) {
    const stamps = listAt(readPath(found, records.timestamp), records.timestamp)
    return { stamps, cells: pick(records, (path) => listAt(readPath(found, path), path)) }
  },
  keyed(records, found) {
    if (typeof found !== 'object' || found === null) throw wrong(`there is no object at ${shown(records.path)}`)
    const rows = Object.entries(found)
    return {
      stamps: rows.map(([key]) => key),
      cells: pick(records, (path) => rows.map(([, row]) => readPath(row, path))),
    }
  },
}

const pick = ({ values }: Records, column: (path: Records['path']) => readonly unknown[]) =>
  Object.fromEntries(Object.entries(values).map(([category, path]) => [category, column(path)]))

function listAt(found: unknown, path: Records['path']): readonly unknown[] {
  if (!Array.isArray(found)) throw wrong(`there is no list at ${shown(path)}`)
  return found
}

const shown = (path: Records['path']) => (path.length === 0 ? 'the top' : JSON.stringify(path))

/** Numbers often come as text; nothing, null and a dot are gaps. */
function numberOf(cell: unknown, category: string): number {
  if (cell === undefined || cell === null || cell === '' || cell === '.') return Number.NaN
  const value = typeof cell === 'string' ? Number(cell) : cell
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw wrong(`${category} is ${JSON.stringify(cell).slice(0, 40)}, which is not a number`)
}

function instantOf(stamp: unknown, format: DateFormat): UtcMillis {
  const instant = readInstant(stamp, format)
  if (instant === undefined) throw wrong(`${JSON.stringify(stamp)?.slice(0, 40)} is not a date of the form "${format}"`)
  return instant
}

function readInstant(stamp: unknown, format: DateFormat): UtcMillis | undefined {
  if (format === 'unix-seconds' || format === 'unix-millis') {
    const count = Number(stamp)
    if (!Number.isFinite(count) || stamp === '' || stamp === null) return undefined
    return format === 'unix-seconds' ? count * SECOND : count
  }
  if (typeof stamp !== 'string') return undefined
  if (format === 'instant') return Number.isNaN(Date.parse(stamp)) ? undefined : Date.parse(stamp)
  const day = parseDate(stamp.slice(0, 10))
  return day === undefined ? undefined : dayStamp(day)
}

const wrong = (what: string) => new UnreadablePage(`its answer does not fit the definition: ${what}`)

/** Where a page begins, in the API's own words: a number, an offset or a cursor. */
export type Place = string | number

interface PageQuestion {
  readonly definition: ProviderDefinition
  readonly symbol: string
  readonly place: Place | undefined
}

/** An answer as it came. */
export interface SentPage extends PageQuestion {
  readonly text: string
}

export interface Page {
  readonly records: SentRecords
  /** Undefined: it was the last one. */
  readonly next: Place | undefined
}

/** Finds our records in an answer, and where to go on; an `UnreadablePage` says what does not fit. */
export function readAnswer({ definition, symbol, place }: PageQuestion, answer: unknown): Page {
  const records = readRecords(definition, answer, symbol)
  const next = nextPlace(definition, place, answer, records)
  return { records, next: next === place ? undefined : next }
}

export function firstPlace({ paging }: ProviderDefinition): Place | undefined {
  if (paging.type === 'page') return paging.firstPage
  return paging.type === 'offset' ? 0 : undefined
}

/** Pages and offsets end with an empty page, cursors when there is none. */
function nextPlace(
  { paging }: ProviderDefinition,
  place: Place | undefined,
  answer: unknown,
  { timestamps }: SentRecords,
): Place | undefined {
  if (paging.type === 'cursor') {
    const cursor = readPath(answer, paging.path)
    return (typeof cursor === 'string' || typeof cursor === 'number') && cursor !== '' ? cursor : undefined
  }
  if (paging.type === 'none' || timestamps.length === 0) return undefined
  return Number(place) + (paging.type === 'page' ? 1 : timestamps.length)
}
