import type { Granularity } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import { mainCategory, tickerKind } from '@tradewright/core/ticker-kind'
import type { UtcMillis } from '@tradewright/core/time'
import { actionsOf, type CorporateActions } from '@tradewright/engine/market/corporate-actions'
import { findImpossibleRows } from '@tradewright/engine/market/layers/door'
import { pickCategories, takeRows } from '@tradewright/engine/market/layers/rows'
import type { RefusalReason, RefusedRow } from '@tradewright/engine/market/refused-row'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { type ColumnChoice, readColumns } from './columns.ts'
import { type CsvRows, readCsvRows, type RowFault } from './csv-rows.ts'
import { splitsShowInPrices } from './split-evidence.ts'
import { readCsvTable } from './table.ts'

export interface CsvUpload {
  readonly text: string
  readonly ticker: string
  readonly granularity: Granularity
  readonly columns?: ColumnChoice
  readonly currency?: string
  readonly collectedAt: UtcMillis
}

export interface CsvImport {
  readonly bronze: SeriesBlock
  readonly silver: SeriesBlock
  readonly actions: CorporateActions
  /** Sentences for the user about what was left out. */
  readonly notes: readonly string[]
}

const SHOWN_FAULTS = 5

/**
 * A user's own file as a series of provider `csv`. Every row is checked before any is taken: one that cannot be read
 * or cannot be true refuses the file, and the message names its line. Values keep every bit of what was written.
 */
export function importCsv(upload: CsvUpload): CsvImport {
  const table = readCsvTable(upload.text)
  const type = tickerKind(upload.ticker)
  const columns = readColumns(table, type, upload.columns)
  const read = readCsvRows(table, columns, upload.granularity)
  refuse(read.faults)
  const rows = ascending(withoutGaps(read, mainCategory(type)))
  const block: SeriesBlock = {
    ticker: upload.ticker,
    granularity: upload.granularity,
    provider: 'csv',
    type,
    currency: upload.currency ?? 'USD',
    collectedAt: upload.collectedAt,
    timestamps: rows.timestamps,
    columns: rows.columns,
  }
  const values = pickCategories(
    block,
    Object.keys(block.columns).filter((name) => name !== 'split' && name !== 'dividend'),
  )
  refuse(findImpossibleRows(values).map((refusal) => ({ line: rows.lines[refusal.row]!, what: describe(refusal) })))
  const ignored = columns.ignored.length > 0 ? [`These columns were left out: ${columns.ignored.join(', ')}.`] : []
  const { actions, notes } = readActions(block)
  return { bronze: block, silver: values, actions, notes: [...ignored, ...notes] }
}

/** Zero means "none" in the columns of splits and dividends, and a split of one is none either. */
function readActions(block: SeriesBlock): Pick<CsvImport, 'actions' | 'notes'> {
  const { splits, dividends } = actionsOf(block)
  const realSplits = splits.filter(({ ratio }) => ratio > 0 && ratio !== 1)
  const paid = dividends.filter(({ amount }) => amount > 0)
  if (realSplits.length === 0 || splitsShowInPrices(block, realSplits))
    return { actions: { splits: realSplits, dividends: paid }, notes: [] }
  const note =
    'The prices are adjusted for splits already, so the splits of the file were not stored: they would be applied twice.'
  return { actions: { splits: [], dividends: paid }, notes: [note] }
}

function withoutGaps(rows: CsvRows, main: string): CsvRows {
  const column = rows.columns[main]
  if (!column) return rows
  const kept = rows.lines.flatMap((_, i) => (Number.isNaN(column[i]!) ? [] : [i]))
  if (kept.length === 0) throw new Problem('invalid', 'csv.empty', `The file has no value of ${main}.`)
  return { ...takeRows(rows, kept), lines: kept.map((i) => rows.lines[i]!) }
}

/** Many files begin with the newest row. */
function ascending(rows: CsvRows): CsvRows {
  const { timestamps } = rows
  if (timestamps.length < 2 || timestamps[0]! <= timestamps.at(-1)!) return rows
  const order = timestamps.map((_, i) => timestamps.length - 1 - i)
  return { ...takeRows(rows, order), lines: rows.lines.toReversed() }
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
  category === undefined ? `the date ${REASONS[reason]}` : `${category} ${value} ${REASONS[reason]}`

function refuse(faults: readonly RowFault[]): void {
  if (faults.length === 0) return
  const shown = faults.slice(0, SHOWN_FAULTS).map(({ line, what }) => `line ${line}: ${what}`)
  const more = faults.length > SHOWN_FAULTS ? `; and ${faults.length - SHOWN_FAULTS} more` : ''
  throw new Problem('invalid', 'csv.rows', `Nothing was imported. In ${shown.join('; ')}${more}.`)
}
