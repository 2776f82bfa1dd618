import { parseDate, dayStamp, SECOND, type UtcMillis } from '@tradewright/core/time'
import type { DateFormat, ProviderDefinition } from '../provider-definition.ts'
import { readPath } from './json-path.ts'

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
