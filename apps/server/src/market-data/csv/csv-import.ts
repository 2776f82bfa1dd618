import type { Granularity } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import { isObservation, mainCategory, tickerKind } from '@tradewright/core/ticker-kind'
import { isUsExchange } from '@tradewright/core/exchange'
import { DAY, type UtcMillis, dayStamp } from '@tradewright/core/time'
import { actionsOf, type CorporateActions, type Split } from '@tradewright/engine/market/corporate-actions'
import { endsOfNextPeriods } from '@tradewright/engine/market/known-at'
import {
  findImpossibleRows,
  pickCategories,
  takeRows,
  type RefusalReason,
  type RefusedRow,
} from '@tradewright/engine/market/layers/rows'
import type { CategoryColumns, SeriesBlock } from '@tradewright/engine/market/series'
import { lowerBound } from '@tradewright/core/column'
import { type ColumnChoice, type CsvColumns, hasPrices, list, readColumns, type SlashOrder } from './columns.ts'
import { type CsvRows, DaysComeFirst, RowReader, type RowSettings } from './csv-rows.ts'
import {
  FaultList,
  MAX_FAULTS,
  shortened,
  type CsvBytes,
  type CsvRecord,
  detectDelimiter,
  readRecords,
  type CsvLimits,
} from './records.ts'

export interface CsvFile {
  readonly bytes: CsvBytes
  readonly ticker: string
  readonly granularity: Granularity
  readonly columns?: ColumnChoice
  readonly currency?: string
  /** For values that are no prices: days from the date of each row to its publication. */
  readonly knownAfterDays?: number | undefined
  readonly collectedAt: UtcMillis
  readonly limits: CsvLimits
}

export interface CsvImport {
  readonly bronze: SeriesBlock
  readonly silver: SeriesBlock
  readonly actions: CorporateActions
  /** Sentences for the user about what was left out. */
  readonly notes: readonly string[]
}

/** Corporate actions are events, not a series: more of them than this is a column that means something else. */
const MAX_ACTIONS = 20_000

/**
 * A user's own file as a series of provider `csv`. Every row is checked before any is taken: one that cannot be read
 * or cannot be true refuses the file, and the message names its line. Values keep every bit of what was written.
 */
export async function importCsv(file: CsvFile): Promise<CsvImport> {
  const type = tickerKind(file.ticker)
  const { rows, columns } = await readRows(file)
  refuseForeignExchange(rows.exchange, type)
  const currency = currencyOf(file, rows, columns)
  turnAscending(rows)
  const block: SeriesBlock = {
    ticker: file.ticker,
    granularity: file.granularity,
    provider: 'csv',
    type,
    currency,
    collectedAt: file.collectedAt,
    timestamps: rows.timestamps,
    columns: rows.columns,
  }
  const publication = publicationOf(block, rows.knownAt, file.knownAfterDays)
  const values = pickCategories(
    block,
    Object.keys(block.columns).filter((name) => name !== 'split' && name !== 'dividend'),
  )
  refuseImpossible(values, rows.lines)
  const ignored = columns.ignored.length > 0 ? [`These columns were left out: ${list(columns.ignored)}.`] : []
  const { actions, notes } = readActions(block)
  const foreign = currency === 'USD' ? [] : [currencyNote(currency)]
  const known = publication && { knownAt: publication.knownAt }
  return {
    bronze: { ...block, ...known },
    silver: { ...values, ...known },
    actions,
    notes: [...ignored, ...foreign, ...notes, ...(publication ? [publication.note] : [])],
  }
}

/** What the form says, a column or a header; dollars where none of them says anything. */
function currencyOf(
  { currency: stated }: CsvFile,
  { currency: ofRows }: CsvRows,
  { currency: ofHeader }: CsvColumns,
): string {
  const said = [...new Set([stated, ofRows, ofHeader].flatMap((one) => (one ? [one.toUpperCase()] : [])))]
  if (said.length > 1) {
    const sentence = `The file is in ${said.slice(1).map(shortened).join(' and ')}, and ${shortened(said[0]!)} was chosen.`
    throw new Problem(
      'invalid',
      'csv.currency',
      stated ? sentence : `The file names two currencies: ${said.join(', ')}.`,
    )
  }
  const [currency = 'USD'] = said
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new Problem('invalid', 'csv.currency', `"${shortened(currency)}" is not the code of a currency, such as EUR.`)
  }
  return currency
}

const currencyNote = (currency: string): string =>
  `The series is in ${currency} and is not converted: it cannot be traded beside prices in dollars, and results name the currency.`

/** Sessions, hours and money of another exchange would be taken for New York's. Coins have no exchange of their own. */
function refuseForeignExchange(exchange: string | undefined, type: SeriesBlock['type']): void {
  if (exchange === undefined || type === 'crypto' || isUsExchange(exchange)) return
  throw new Problem(
    'invalid',
    'csv.exchange',
    `The file names the exchange ${shortened(exchange)}, which is not known as one of the United States. Tradewright knows the trading hours ` +
      'of these alone. Leave the column of exchanges out if the prices are of New York’s sessions all the same.',
  )
}

/** When each row may be used; undefined for prices, which are known at their close. */
function publicationOf(
  { timestamps, columns, granularity, type }: SeriesBlock,
  stated: Float64Array | undefined,
  afterDays: number | undefined,
): { knownAt: Float64Array; note: string } | undefined {
  // Rates and interest of an exchange are known when their interval is over, as bars are.
  const isOwn = !hasPrices(Object.keys(columns)) && (!isObservation(type) || type === 'economic')
  if (!isOwn) {
    if (afterDays === undefined) return undefined
    const sentence = 'Prices are known at their close: leave the days until publication empty.'
    throw new Problem('invalid', 'csv.publication', sentence)
  }
  if (stated) return { knownAt: stated, note: 'Each value is used from its known_at on.' }
  if (afterDays !== undefined) {
    const days = afterDays === 1 ? 'a day' : `${afterDays} days`
    return {
      knownAt: timestamps.map((stamp) => stamp + afterDays * DAY),
      note: `Each value is used from ${days} after its date on.`,
    }
  }
  return {
    knownAt: endsOfNextPeriods(timestamps, granularity),
    note:
      'When the values were published is not said, so each is used from the end of the period after its own on. A column ' +
      'known_at, or the days until publication, make it earlier.',
  }
}

async function readRows(file: CsvFile): Promise<{ rows: CsvRows; columns: CsvColumns }> {
  const delimiter = detectDelimiter(file.bytes)
  try {
    return await readRowsIn(file, delimiter, undefined)
  } catch (error) {
    if (!(error instanceof DaysComeFirst)) throw error
    return readRowsIn(file, delimiter, 'day-first')
  }
}

async function readRowsIn(file: CsvFile, delimiter: string, slashOrder: SlashOrder | undefined) {
  const { granularity, limits } = file
  const faults = new FaultList()
  const common = { delimiter, granularity, slashOrder, limits, faults }
  let first: CsvRecord | undefined
  let read: { reader: RowReader; columns: CsvColumns } | undefined
  await readRecords(file.bytes, {
    delimiter,
    limits,
    faults,
    onRecord(record) {
      if (!first) first = record
      else {
        read ??= begin(first, file, common)
        read.reader.take(record)
      }
    },
  })
  if (!read) throw new Problem('invalid', 'csv.columns', 'The file has no rows of data.')
  return { rows: read.reader.finish(), columns: read.columns }
}

function begin(first: CsvRecord, file: CsvFile, common: Omit<RowSettings, 'columns' | 'main'>) {
  const columns = readColumns(first.cells, common.delimiter, tickerKind(file.ticker), file.columns)
  const usual = mainCategory(tickerKind(file.ticker))
  const main = [usual, 'value'].find((category) => columns.categories.has(category)) ?? usual
  const reader = new RowReader({ ...common, columns, main })
  if (!columns.hasHeader) reader.take(first)
  return { reader, columns }
}

/** Zero means "none" in the columns of splits and dividends, and a split of one is none either. */
function readActions(block: SeriesBlock): Pick<CsvImport, 'actions' | 'notes'> {
  const { split, dividend } = block.columns
  const isAction = (row: number) => isSplit(split?.[row]) || isPaid(dividend?.[row])
  const rows = rowsWhere(block.timestamps.length, isAction)
  const { splits, dividends } = actionsOf(
    takeRows({ timestamps: block.timestamps, columns: picked({ split, dividend }) }, rows),
  )
  const realSplits = splits.filter(({ ratio }) => isSplit(ratio))
  const paid = dividends.filter(({ amount }) => isPaid(amount))
  if (realSplits.length === 0 || splitsShowInPrices(block, realSplits))
    return { actions: { splits: realSplits, dividends: paid }, notes: [] }
  const note =
    'The prices are adjusted for splits already, so the splits of the file were not stored: they would be applied twice.'
  return { actions: { splits: [], dividends: paid }, notes: [note] }
}

const isSplit = (ratio: number | undefined): boolean => ratio !== undefined && ratio > 0 && ratio !== 1
const isPaid = (amount: number | undefined): boolean => amount !== undefined && amount > 0

const picked = (columns: Record<string, Float64Array | undefined>): CategoryColumns =>
  Object.fromEntries(Object.entries(columns).flatMap(([name, column]) => (column ? [[name, column]] : [])))

function rowsWhere(count: number, isWanted: (row: number) => boolean): number[] {
  const rows: number[] = []
  for (let row = 0; row < count; row++) {
    if (!isWanted(row)) continue
    if (rows.push(row) > MAX_ACTIONS) throw tooManyActions()
  }
  return rows
}

function tooManyActions(): Problem {
  const most = MAX_ACTIONS.toLocaleString('en-US')
  return new Problem('invalid', 'csv.actions', `The file has more than ${most} rows with a split or a dividend.`)
}

/** Many files begin with the newest row. */
function turnAscending({ timestamps, lines, columns, knownAt }: CsvRows): void {
  if (timestamps[0]! <= timestamps.at(-1)!) return
  for (const column of [timestamps, lines, ...Object.values(columns), ...(knownAt ? [knownAt] : [])]) column.reverse()
}

function refuseImpossible(values: SeriesBlock, lines: Float64Array): void {
  const faults = new FaultList()
  for (const refusal of findImpossibleRows(values, MAX_FAULTS)) {
    faults.add({ line: lines[refusal.row]!, what: describe(refusal) })
  }
  faults.refuse()
}

const REASONS = {
  'not-a-number': 'is not a number',
  'zero-or-negative': 'is zero or negative',
  negative: 'is negative',
  'time-runs-backwards': 'is earlier than that of the row before',
  'duplicate-timestamp': 'is there twice',
  'bar-contradicts-itself': 'is below the low of its row',
} as const satisfies Record<RefusalReason, string>

const describe = ({ category, value, reason }: RefusedRow): string =>
  category === undefined ? `the date ${REASONS[reason]}` : `${shortened(category)} ${value} ${REASONS[reason]}`

/**
 * Whether prices fall by the ratio where a split happened, as raw prices do. Files often hold both adjusted prices and
 * the splits they were adjusted for, and applying those again would be wrong by their product.
 */
function splitsShowInPrices({ timestamps, columns }: SeriesBlock, splits: readonly Split[]): boolean {
  const close = columns['close']
  if (!close) return true
  let [visible, hidden] = [0, 0]
  for (const { exDay, ratio } of splits) {
    const row = lowerBound(timestamps, dayStamp(exDay))
    if (row === 0 || row >= close.length) continue
    const fall = Math.log(close[row - 1]! / close[row]!)
    if (Math.abs(fall - Math.log(ratio)) < Math.abs(fall)) visible++
    else hidden++
  }
  return visible >= hidden
}
