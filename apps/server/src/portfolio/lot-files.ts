import { type CsvCell, csvLine } from '@tradewright/core/csv'
import { formatDate } from '@tradewright/core/time'
import type { Disposal, Lot } from '@tradewright/engine/trading/lots/lot'
import type { TaxLots } from '@tradewright/engine/trading/lots/tax-lots'

/** A header of a file and what stands under it. */
export type Column<Row> = readonly [string, (row: Row) => CsvCell]

const LOT_COLUMNS: readonly Column<Lot>[] = [
  ['Symbol', (lot) => lot.ticker],
  ['Quantity', (lot) => lot.quantity],
  ['Opened on', (lot) => formatDate(lot.openedOn)],
  ['Held since', (lot) => formatDate(lot.heldSince)],
  ['Basis', (lot) => (lot.origin === 'unknown' ? undefined : lot.basis)],
  ['Wash sale adjustment', (lot) => lot.washAdjustment],
  ['Basis from', (lot) => lot.origin],
  ['Lot', (lot) => lot.id],
]

const SALE_COLUMNS: readonly Column<Disposal>[] = [
  ['Symbol', (sale) => sale.ticker],
  ['Quantity', (sale) => sale.quantity],
  ['Acquired on', (sale) => formatDate(sale.openedOn)],
  ['Held since', (sale) => formatDate(sale.heldSince)],
  ['Sold on', (sale) => formatDate(sale.soldOn)],
  ['Proceeds', (sale) => sale.proceeds],
  ['Basis', (sale) => (sale.origin === 'unknown' ? undefined : sale.basis)],
  ['Wash sale disallowed', (sale) => sale.disallowed],
  ['Gain', (sale) => (sale.origin === 'unknown' ? undefined : sale.gain)],
  ['Term', (sale) => sale.term],
  ['Basis from', (sale) => sale.origin],
  ['Sale', (sale) => sale.saleId],
  ['Lot', (sale) => sale.purchaseId],
]

export const LOT_FILES = {
  lots: LOT_COLUMNS.map(([name]) => name),
  sales: SALE_COLUMNS.map(([name]) => name),
} as const
export type LotFile = keyof typeof LOT_FILES

/** A text is handed over in one piece: not too long a one. */
const LINES_AT_ONCE = 5000

/** The lines of a file without its header, in portions. */
export const lotFile = (file: LotFile, { lots, disposals }: TaxLots): string[] =>
  file === 'lots' ? linesOf(LOT_COLUMNS, lots) : linesOf(SALE_COLUMNS, disposals)

function linesOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const portions = Array.from({ length: Math.ceil(rows.length / LINES_AT_ONCE) }, (_, i) =>
    rows.slice(i * LINES_AT_ONCE, (i + 1) * LINES_AT_ONCE),
  )
  return portions.map((portion) => portion.map((row) => csvLine(columns.map(([, cellOf]) => cellOf(row)))).join(''))
}
