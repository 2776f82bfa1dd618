import { csvLine } from '@tradewright/core/csv'
import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { SECOND } from '@tradewright/core/time'
import type { BrokerageAccount } from '../brokerage/account.ts'
import { type Column, LOT_FILES, type LotFile } from './lots-task.ts'
import { chosenAccount, FRESH } from './own-portfolio.ts'
import type { StoredKind } from './ports.ts'
import { type LotDeps, lotFileOf } from './tax-lots.ts'

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

type ExportDeps = LotDeps & { readonly rows: ExportRows }

interface ExportFile {
  /** Made of what the broker lists, which is collected first. */
  readonly isOfBroker: boolean
  readonly header: readonly string[]
  /** Lines, or several in one text, in portions. */
  readonly lines: (deps: ExportDeps, userId: number, accountId: number) => AsyncIterable<readonly string[]>
}

type Portions<Row> = (deps: ExportDeps, userId: number, accountId: number) => AsyncIterable<readonly Row[]>

const fileOf = <Row>(portionsOf: Portions<Row>, columns: readonly Column<Row>[], isOfBroker = false): ExportFile => ({
  isOfBroker,
  header: columns.map(([name]) => name),
  async *lines(deps, userId, accountId) {
    for await (const portion of portionsOf(deps, userId, accountId)) {
      yield portion.map((row) => csvLine(columns.map(([, cellOf]) => cellOf(row))))
    }
  },
})

const lotFile = (file: LotFile): ExportFile => ({
  isOfBroker: true,
  header: LOT_FILES[file],
  async *lines(deps, userId, accountId) {
    yield* (await lotFileOf(deps, userId, accountId, file)).map((text) => [text])
  },
})

const EXPORT_FILES = {
  trades: fileOf(
    ({ rows }, _, accountId) => rows.activities(accountId, 'trades'),
    [
      ['Executed at', (row) => row.happened_at.toISOString()],
      ['Date', (row) => row.day],
      ['Side', (row) => row.side],
      ['Symbol', (row) => row.ticker],
      ['Quantity', (row) => figure(row.quantity)],
      ['Price', (row) => figure(row.price)],
      ['Amount', (row) => figure(row.quantity)?.times(figure(row.price) ?? Decimal.zero)],
      ['Id', (row) => row.activity_id],
      ['Order id', (row) => row.order_id],
    ],
    true,
  ),
  transactions: fileOf(
    ({ rows }, _, accountId) => rows.activities(accountId, 'cash'),
    [
      ['Date', (row) => row.day],
      ['Type', (row) => row.type],
      ['Description', (row) => row.description],
      ['Symbol', (row) => row.ticker],
      ['Quantity', (row) => figure(row.quantity)],
      ['Amount', (row) => figure(row.net_amount)],
      ['Id', (row) => row.activity_id],
    ],
    true,
  ),
  orders: fileOf(
    ({ rows }, _, accountId) => rows.orders(accountId),
    [
      ['Created at', (row) => row.created_at.toISOString()],
      ['Sent at', (row) => row.sent_at?.toISOString()],
      ['Updated at', (row) => row.updated_at.toISOString()],
      ['Deployment', (row) => row.deployment],
      ['Side', (row) => row.side],
      ['Symbol', (row) => row.ticker],
      ['Quantity', (row) => figure(row.quantity)],
      ['Amount', (row) => figure(row.notional)],
      ['Time in force', (row) => row.time_in_force],
      ['State', (row) => row.state],
      ['Filled quantity', (row) => figure(row.filled_quantity)],
      ['Average price', (row) => figure(row.average_price)],
      ['Reason', (row) => row.reason],
      ['Id', (row) => row.client_order_id],
      ['Id at the broker', (row) => row.broker_order_id],
    ],
  ),
  ledger: fileOf(
    ({ rows }, _, accountId) => rows.ledger(accountId),
    [
      ['Id', (row) => row.id],
      ['Recorded at', (row) => row.recorded_at.toISOString()],
      ['Deployment', (row) => row.deployment],
      ['Type', (row) => row.entry_type],
      ['Direction', (row) => row.direction],
      ['Amount', (row) => figure(row.amount)],
      ['Currency', (row) => row.currency],
      ['Note', (row) => row.note],
      ['Cash after', (row) => figure(row.cash_after)],
      ['Equity after', (row) => figure(row.equity_after)],
    ],
  ),
  lots: lotFile('lots'),
  sales: lotFile('sales'),
} as const satisfies Record<string, ExportFile>

const figure = (text: string | null): Decimal | undefined => (text === null ? undefined : Decimal.parse(text))

/** Spreadsheets count a million rows. */
const MAX_ROWS = 1_000_000

/**
 * How long one file waits for the broker. The first collection of an account with a hundred thousand activities takes
 * minutes.
 */
const COLLECT_WITHIN_MS = 20 * SECOND

interface Exported {
  readonly name: string
  /** When the broker was asked for what is in it. */
  readonly asOf: Date
  readonly pieces: AsyncGenerator<string>
}

/** The pieces of a CSV file. Account and rows are looked up first, so that a refusal comes before any of it. */
export async function exportAccount(
  deps: ExportDeps,
  userId: number,
  accountId: number,
  kind: keyof typeof EXPORT_FILES,
): Promise<Exported> {
  const account = await chosenAccount(deps, userId, accountId)
  const { header, lines, isOfBroker } = EXPORT_FILES[kind]
  const asOf = isOfBroker ? await collected(deps, account) : deps.clock.now()
  async function* pieces(): AsyncGenerator<string> {
    yield csvLine(header)
    let rows = 0
    for await (const portion of lines(deps, userId, account.id)) {
      yield portion.slice(0, MAX_ROWS - rows).join('')
      rows += portion.length
      if (rows >= MAX_ROWS) return
    }
  }
  return { name: account.name, asOf, pieces: pieces() }
}

/**
 * Collects what the broker lists, and says as of when it is stored. A broker that is away costs what came since; half a
 * history is no file.
 */
async function collected(deps: ExportDeps, account: BrokerageAccount): Promise<Date> {
  const before = await storedAsOf(deps, account.id)
  const isFresh = before && deps.clock.now().getTime() - before.getTime() < FRESH
  if (isFresh && !deps.refresher.isCollecting(account.id)) return before
  const failure = await deps.refresher.collect(account, COLLECT_WITHIN_MS).catch((error: unknown) => error)
  if (failure !== undefined && !(failure instanceof Problem)) throw failure
  const asOf = await storedAsOf(deps, account.id)
  if (asOf) return asOf
  throw (
    failure ??
    new Problem(
      'conflict',
      'export.collecting',
      'Trades and transactions of the account are still being collected. Request the file again in a minute.',
      { retryAfterSeconds: 60 },
    )
  )
}

/** Undefined until all activities have been collected once. */
async function storedAsOf({ store }: ExportDeps, accountId: number): Promise<Date | undefined> {
  const [trades, cash, snapshot] = await Promise.all([
    store.progress(accountId, 'trades'),
    store.progress(accountId, 'cash'),
    store.snapshot(accountId),
  ])
  return trades.isComplete && cash.isComplete ? snapshot?.takenAt : undefined
}
