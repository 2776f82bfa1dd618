import type { Category } from '@tradewright/core/category'
import { type Granularity, isIntraday } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import { DAY, type UtcMillis } from '@tradewright/core/time'
import {
  type CsvColumns,
  readNumber,
  ambiguousDates,
  type DateReader,
  dateReader,
  type SlashOrder,
  slashOrderOf,
} from './columns.ts'
import { type FaultList, shortened, type CsvRecord, tooManyRows, type CsvLimits } from './records.ts'

export interface CsvRows {
  /** The line each row began on. */
  readonly lines: Float64Array
  readonly timestamps: Float64Array
  readonly columns: Readonly<Record<Category, Float64Array>>
  /** Where the file says when each row was published. */
  readonly knownAt: Float64Array | undefined
  /** Where the rows say it, the same in all of them. */
  readonly currency: string | undefined
  readonly exchange: string | undefined
}

export interface RowSettings {
  readonly columns: CsvColumns
  readonly delimiter: string
  readonly granularity: Granularity
  /** Undefined until a date of the file has told. */
  readonly slashOrder: SlashOrder | undefined
  /** A row without a value of it is a gap. */
  readonly main: Category
  readonly limits: CsvLimits
  readonly faults: FaultList
}

/** Thrown when a date such as 31/03/2024 shows that days come first: the file is then read again from its beginning. */
export class DaysComeFirst extends Error {}

/** Takes the rows of a file one by one, in its order, and notes what is wrong with each. */
export class RowReader {
  readonly #settings: RowSettings
  readonly #stampOf: (cell: string) => UtcMillis | string
  readonly #lines = new GrowingColumn()
  readonly #timestamps = new GrowingColumn()
  readonly #knownAt: GrowingColumn | undefined
  readonly #values: readonly { category: Category; at: number; column: GrowingColumn }[]
  readonly #maxRows: number
  readonly #words = { currency: undefined as string | undefined, exchange: undefined as string | undefined }
  #ambiguousDate: string | undefined
  #slashOrder: SlashOrder | undefined

  constructor(settings: RowSettings) {
    const { columns, granularity, slashOrder, limits } = settings
    this.#settings = settings
    this.#slashOrder = slashOrder
    this.#stampOf = stampReader(dateReader(slashOrder ?? 'month-first'), granularity)
    this.#values = Array.from(columns.categories, ([category, at]) => ({ category, at, column: new GrowingColumn() }))
    this.#knownAt = columns.knownAtColumn === undefined ? undefined : new GrowingColumn()
    this.#maxRows = Math.min(limits.rows, Math.floor(limits.values / columns.categories.size))
  }

  take({ line, cells }: CsvRecord): void {
    const { columns, delimiter, main, faults } = this.#settings
    const fault = (what: string) => faults.add({ line, what })
    // A number with commas that was not quoted spills over; the first half of it would pass for the value.
    if (cells.length > columns.count && cells.slice(columns.count).some((cell) => cell !== '')) {
      fault(`there are ${cells.length} cells, and ${columns.count} columns`)
      return
    }
    const stamp = this.#readStamp(dateCell(cells, columns))
    if (typeof stamp === 'string') fault(stamp)
    const published = this.#readKnownAt(cells)
    if (typeof published === 'string') fault(published)
    for (const name of ['currency', 'exchange'] as const) {
      const wrong = this.#readWord(name, columns[`${name}Column`], cells)
      if (wrong !== undefined) fault(wrong)
    }
    let isGap = false
    const row = this.#values.map(({ category, at }) => {
      const value = readNumber(cells[at] ?? '', delimiter)
      if (value === undefined) fault(`${shortened(category)} is "${shortened(cells[at]!)}", which is not a number`)
      else if (category === main && Number.isNaN(value)) isGap = true
      return value ?? Number.NaN
    })
    if (typeof stamp === 'string' || isGap) return
    if (this.#timestamps.length >= this.#maxRows) throw tooManyRows(this.#maxRows)
    this.#lines.push(line)
    this.#timestamps.push(stamp)
    if (typeof published === 'number') this.#knownAt?.push(published)
    this.#values.forEach(({ column }, i) => column.push(row[i]!))
  }

  finish(): CsvRows {
    const { main, faults } = this.#settings
    if (this.#ambiguousDate !== undefined && !this.#slashOrder) throw ambiguousDates(this.#ambiguousDate)
    faults.refuse()
    if (this.#timestamps.length === 0) {
      throw new Problem('invalid', 'csv.empty', `The file has no value of ${shortened(main)}.`)
    }
    return {
      lines: this.#lines.take(),
      timestamps: this.#timestamps.take(),
      columns: Object.fromEntries(this.#values.map(({ category, column }) => [category, column.take()])),
      knownAt: this.#knownAt?.take(),
      ...this.#words,
    }
  }

  /** One series is in one currency and of one exchange. */
  #readWord(name: 'currency' | 'exchange', column: number | undefined, cells: readonly string[]): string | undefined {
    // Vendors write pence of London as GBp.
    const cell = column === undefined ? '' : (cells[column] ?? '').replace(/^GBp$/, 'GBX')
    const word = cell.toUpperCase()
    if (word === '') return undefined
    const before = (this.#words[name] ??= word)
    return word === before ? undefined : `the ${name} is ${shortened(word)}, and ${shortened(before)} in rows before it`
  }

  /** A date alone is known when it is over, since its time of day is not said. */
  #readKnownAt(cells: readonly string[]): UtcMillis | string | undefined {
    const { knownAtColumn } = this.#settings.columns
    if (knownAtColumn === undefined) return undefined
    const cell = cells[knownAtColumn] ?? ''
    const read = dateReader(this.#slashOrder ?? 'month-first')(cell)
    if (!read) return cell === '' ? 'known_at is missing' : `known_at is "${shortened(cell)}", which is not a date`
    return read.hasTime ? read.stamp : read.stamp + DAY
  }

  #readStamp(cell: string): UtcMillis | string {
    const order = this.#slashOrder ? undefined : slashOrderOf(cell)
    if (order === 'day-first') throw new DaysComeFirst()
    if (order === 'month-first') this.#slashOrder = order
    if (order === 'either') this.#ambiguousDate ??= cell
    return this.#stampOf(cell)
  }
}

function dateCell(cells: readonly string[], { dateColumn, timeColumn }: CsvColumns): string {
  const date = cells[dateColumn] ?? ''
  return timeColumn === undefined ? date : `${date} ${cells[timeColumn] ?? ''}`.trim()
}

/** Gives the stamp, or the sentence that says why there is none. */
function stampReader(readDate: DateReader, granularity: Granularity): (cell: string) => UtcMillis | string {
  return (cell) => {
    const read = readDate(cell)
    if (!read) return cell === '' ? 'the date is missing' : `"${shortened(cell)}" is not a date`
    if (isIntraday(granularity)) return read.hasTime ? read.stamp : `"${shortened(cell)}" has no time of day`
    // A daily row belongs to the date as it is written.
    return Math.floor(read.stamp / DAY) * DAY
  }
}

const BLOCK_ROWS = 65_536

/** A column of unknown length, kept in blocks: nothing is copied until the length is known. */
class GrowingColumn {
  #blocks: Float64Array[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    const at = this.#length++ % BLOCK_ROWS
    if (at === 0) this.#blocks.push(new Float64Array(BLOCK_ROWS))
    this.#blocks.at(-1)![at] = value
  }

  /** All values in one array; the column is empty afterwards. */
  take(): Float64Array {
    const all = new Float64Array(this.#length)
    this.#blocks.forEach((block, i) => {
      const from = i * BLOCK_ROWS
      all.set(block.subarray(0, all.length - from), from)
    })
    this.#blocks = []
    this.#length = 0
    return all
  }
}
