import { Problem } from '@tradewright/core/problem'
import { CsvError, type Parser, parse } from 'csv-parse'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The bytes of a file from its beginning, each time it is called. */
export type CsvBytes = () => Iterable<Buffer>

export interface CsvRecord {
  /** The line it begins on, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

interface RecordReading {
  readonly delimiter: string
  readonly limits: CsvLimits
  readonly faults: FaultList
  /** An exception ends the reading. */
  readonly onRecord: (record: CsvRecord) => void
}

const DELIMITERS = [',', ';', '\t', '|']
/** Long enough for the header of any table within the limits. */
const HEAD_BYTES = 64 * 1024
const MAX_ROW_BYTES = 256 * 1024

/**
 * RFC 4180 with the delimiters that spreadsheets of other countries write. Strict about quotes: text beside a quoted
 * cell and a quote that is never closed are faults. Blank lines are skipped.
 */
export async function readRecords(bytes: CsvBytes, reading: RecordReading): Promise<void> {
  const { delimiter, limits, faults } = reading
  // Counted here: the parser's own count takes a CRLF inside quotes for two lines.
  let [line, nextLine, blankLines, records] = [1, 1, 0, 0]
  const parser: Parser = parse({
    delimiter,
    bom: true,
    trim: true,
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    on_record(record: string[], { empty_lines: skipped }) {
      line = nextLine + skipped - blankLines
      blankLines = skipped
      nextLine = line + 1 + lineBreaks(record)
      // The header and rows of empty cells count as well: each costs as much time as a row.
      if (++records > limits.rows + 1) throw tooManyRows(limits.rows)
      const cells = record.map((cell) => cell.trim())
      if (cells.every((cell) => cell === '')) return null
      checkLimits({ line, cells }, limits)
      reading.onRecord({ line, cells })
      // Nothing is passed on: rows are taken as they come, and none waits in a queue.
      return null
    },
  })
  const currentLine = () => nextLine + parser.info.empty_lines - blankLines
  parser.resume()
  try {
    await pipeline(Readable.from(withColumnLimit(bytes(), parser, limits, currentLine), ONE_AT_A_TIME), parser)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    faults.add({ line: currentLine(), what: QUOTE_FAULTS[error.code] ?? 'the row cannot be read' })
    faults.refuse()
  }
}

const ONE_AT_A_TIME = { highWaterMark: 1 }

const QUOTE_FAULTS: Partial<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'there is text after a closing quote',
  INVALID_OPENING_QUOTE: 'there is a quote in the middle of a cell',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${MAX_ROW_BYTES / 1024} KB, perhaps because a quote is not closed`,
}

/**
 * The parser has no limit of columns and keeps a row until it ends, so a file of nothing but delimiters would be one
 * row of millions of cells. `state` is not part of its types; the version is pinned and a test guards this.
 */
function* withColumnLimit(
  chunks: Iterable<Buffer>,
  parser: Parser,
  limits: CsvLimits,
  line: () => number,
): Generator<Buffer> {
  const { state } = parser as unknown as { state: { record: unknown[] } }
  for (const chunk of chunks) {
    yield chunk
    if (state.record.length > limits.columns) throw tooManyColumns(line(), limits)
  }
}

function checkLimits({ line, cells }: CsvRecord, limits: CsvLimits): void {
  if (cells.length > limits.columns) throw tooManyColumns(line, limits)
  const long = cells.find(({ length }) => length > limits.cellCharacters)
  if (long === undefined) return
  const most = limits.cellCharacters.toLocaleString('en-US')
  throw invalid(
    `Nothing was imported. In line ${line}: a cell is longer than ${most} characters ("${shortened(long)}").`,
  )
}

function tooManyColumns(line: number, { columns }: CsvLimits): Problem {
  return invalid(`Nothing was imported. In line ${line}: there are more than ${columns} columns.`)
}

export function tooManyRows(rows: number): Problem {
  const sentence = `The file has more than ${rows.toLocaleString('en-US')} rows. Please split it and import the parts.`
  return new Problem('too-large', 'csv.too-many-rows', sentence)
}

function lineBreaks(record: readonly string[]): number {
  let count = 0
  for (const cell of record) if (cell.includes('\n')) count += cell.split('\n').length - 1
  return count
}

/** The delimiter that the first line has most of. */
export function detectDelimiter(bytes: CsvBytes): string {
  const head = headOf(bytes)
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw invalid('The file is written in UTF-16. Please save it as UTF-8.')
  }
  const firstLine =
    head
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimStart()
      .split('\n', 1)[0] ?? ''
  const counts = DELIMITERS.map((delimiter) => firstLine.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

function headOf(bytes: CsvBytes): Buffer {
  const parts: Buffer[] = []
  let size = 0
  for (const chunk of bytes()) {
    parts.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES)
}

const invalid = (sentence: string) => new Problem('invalid', 'csv.table', sentence)

interface RowFault {
  readonly line: number
  /** "close is "abc", which is not a number" */
  readonly what: string
}

const SHOWN_FAULTS = 5
/** Reading stops here: a file of another kind has a fault in every row. */
export const MAX_FAULTS = 100

/** Faults in the rows of a file, by line. */
export class FaultList {
  readonly #shown: RowFault[] = []
  #count = 0

  /** Refuses the file at once when there are too many to go on. */
  add(fault: RowFault): void {
    if (this.#count < SHOWN_FAULTS) this.#shown.push(fault)
    if (++this.#count >= MAX_FAULTS) throw this.#problem('; and more')
  }

  /** Refuses the file when anything is wrong with it. */
  refuse(): void {
    if (this.#count === 0) return
    const rest = this.#count - SHOWN_FAULTS
    throw this.#problem(rest > 0 ? `; and ${rest} more` : '')
  }

  #problem(more: string): Problem {
    const lines = this.#shown.map(({ line, what }) => `line ${line}: ${what}`)
    return new Problem('invalid', 'csv.rows', `Nothing was imported. In ${lines.join('; ')}${more}.`)
  }
}

const SHOWN_CHARACTERS = 60

/** Text of the file inside a sentence. */
export const shortened = (text: string): string =>
  text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`

/** Limits of one file. A file beyond a limit is refused as a whole. */
export interface CsvLimits {
  readonly rows: number
  readonly columns: number
  /** Rows times the columns that are taken: 8 bytes each in memory, several times over while they are stored. */
  readonly values: number
  readonly cellCharacters: number
}
