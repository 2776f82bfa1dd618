import { type CsvCell, csvLine } from '@tradewright/core/csv'
import { Decimal } from '@tradewright/core/decimal'
import { formatDate } from '@tradewright/core/time'
import { chosenAccount, type PortfolioDeps } from './own-portfolio.ts'
import type { StoredKind } from './ports.ts'
import { lotsOf } from './tax-lots.ts'

interface OrderRow {
  readonly created_at: Date
  readonly sent_at: Date | null
  readonly updated_at: Date
  readonly deployment: string
  readonly ticker: string
  readonly side: string
  readonly quantity: string | null
  readonly notional: string | null
  readonly time_in_force: string
  readonly state: string
  readonly filled_quantity: string
  readonly average_price: string | null
  readonly reason: string | null
  readonly client_order_id: string
  readonly broker_order_id: string | null
}

interface LedgerRow {
  readonly id: number
  readonly recorded_at: Date
  readonly deployment: string | null
  readonly entry_type: string
  readonly direction: string
  readonly amount: string
  readonly currency: string
  readonly note: string | null
  readonly cash_after: string
  readonly equity_after: string
}

interface ActivityRow {
  readonly activity_id: string
  readonly happened_at: Date
  readonly day: string
  readonly type: string
  readonly ticker: string | null
  readonly side: string | null
  readonly quantity: string | null
  readonly price: string | null
  readonly net_amount: string | null
  readonly description: string
  readonly order_id: string | null
}

/** Rows of an account in portions, oldest first; amounts as the database's exact text. */
export interface ExportRows {
  orders(accountId: number): AsyncIterable<readonly OrderRow[]>
  ledger(accountId: number): AsyncIterable<readonly LedgerRow[]>
  activities(accountId: number, kind: StoredKind): AsyncIterable<readonly ActivityRow[]>
}

type ExportDeps = PortfolioDeps & { readonly rows: ExportRows }

/** A file of an account, line by line, the header first. */
interface ExportFile {
  readonly header: readonly string[]
  readonly lines: (
    deps: ExportDeps,
    userId: number,
    accountId: number,
  ) => AsyncIterable<readonly (readonly CsvCell[])[]>
}

export const EXPORT_FILES = {
  trades: {
    header: ['Executed at', 'Date', 'Side', 'Symbol', 'Quantity', 'Price', 'Amount', 'Id', 'Order id'],
    async *lines({ rows }, _userId, accountId) {
      for await (const portion of rows.activities(accountId, 'trades')) {
        yield portion.map((row) => {
          const [quantity, price] = [figure(row.quantity), figure(row.price)]
          const amount = quantity && price && quantity.times(price)
          const ids = [row.activity_id, row.order_id]
          return [row.happened_at.toISOString(), row.day, row.side, row.ticker, quantity, price, amount, ...ids]
        })
      }
    },
  },
  transactions: {
    header: ['Date', 'Type', 'Description', 'Symbol', 'Quantity', 'Amount', 'Id'],
    async *lines({ rows }, _userId, accountId) {
      for await (const portion of rows.activities(accountId, 'cash')) {
        yield portion.map(({ day, type, description, ticker, quantity, net_amount, activity_id }) => [
          ...[day, type, description, ticker, figure(quantity), figure(net_amount), activity_id],
        ])
      }
    },
  },
  orders: {
    header: [
      ...['Created at', 'Sent at', 'Updated at', 'Deployment', 'Side', 'Symbol', 'Quantity', 'Amount', 'Time in force'],
      ...['State', 'Filled quantity', 'Average price', 'Reason', 'Id', 'Id at the broker'],
    ],
    async *lines({ rows }, _userId, accountId) {
      for await (const portion of rows.orders(accountId)) {
        yield portion.map((row) => [
          ...[row.created_at.toISOString(), row.sent_at?.toISOString(), row.updated_at.toISOString(), row.deployment],
          ...[row.side, row.ticker, figure(row.quantity), figure(row.notional), row.time_in_force, row.state],
          ...[figure(row.filled_quantity), figure(row.average_price), row.reason, row.client_order_id],
          row.broker_order_id,
        ])
      }
    },
  },
  ledger: {
    header: [
      ...['Id', 'Recorded at', 'Deployment', 'Type', 'Direction', 'Amount', 'Currency', 'Note', 'Cash after'],
      'Equity after',
    ],
    async *lines({ rows }, _userId, accountId) {
      for await (const portion of rows.ledger(accountId)) {
        yield portion.map((row) => [
          ...[row.id, row.recorded_at.toISOString(), row.deployment, row.entry_type, row.direction],
          ...[figure(row.amount), row.currency, row.note, figure(row.cash_after), figure(row.equity_after)],
        ])
      }
    },
  },
  lots: {
    header: [
      ...['Symbol', 'Quantity', 'Opened on', 'Held since', 'Basis', 'Wash sale adjustment', 'Basis from', 'Lot'],
    ],
    async *lines(deps, userId, accountId) {
      const { lots } = await lotsOf(deps, userId, accountId)
      yield lots.map((lot) => [
        ...[lot.ticker, lot.quantity, formatDate(lot.openedOn), formatDate(lot.heldSince), lot.basis],
        ...[lot.washAdjustment, lot.origin, lot.id],
      ])
    },
  },
  sales: {
    header: [
      ...['Symbol', 'Quantity', 'Acquired on', 'Held since', 'Sold on', 'Proceeds', 'Basis', 'Wash sale disallowed'],
      ...['Gain', 'Term', 'Basis from', 'Sale', 'Lot'],
    ],
    async *lines(deps, userId, accountId) {
      const { disposals } = await lotsOf(deps, userId, accountId)
      yield disposals.map((sale) => [
        ...[sale.ticker, sale.quantity, formatDate(sale.openedOn), formatDate(sale.heldSince), formatDate(sale.soldOn)],
        ...[
          sale.proceeds,
          sale.basis,
          sale.disallowed,
          sale.gain,
          sale.term,
          sale.origin,
          sale.saleId,
          sale.purchaseId,
        ],
      ])
    },
  },
} as const satisfies Record<string, ExportFile>

const figure = (text: string | null): Decimal | null => (text === null ? null : Decimal.parse(text))

/** Spreadsheets count a million rows. */
const MAX_ROWS = 1_000_000

/** The pieces of a CSV file. The account is looked up first, so that a refusal comes before any of it. */
export async function exportAccount(
  deps: ExportDeps,
  userId: number,
  accountId: number,
  kind: keyof typeof EXPORT_FILES,
): Promise<{ name: string; pieces: AsyncGenerator<string> }> {
  const account = await chosenAccount(deps, userId, accountId)
  const file: ExportFile = EXPORT_FILES[kind]
  async function* pieces(): AsyncGenerator<string> {
    yield csvLine(file.header)
    let rows = 0
    for await (const portion of file.lines(deps, userId, account.id)) {
      yield portion
        .slice(0, MAX_ROWS - rows)
        .map(csvLine)
        .join('')
      rows += portion.length
      if (rows >= MAX_ROWS) return
    }
  }
  return { name: account.name, pieces: pieces() }
}
