import type { PaperFillModel } from '@tradewright/core/broker-catalogue'
import { Decimal } from '@tradewright/core/decimal'
import { dateOf, epochDayOf, formatDate, type UtcMillis } from '@tradewright/core/time'
import type { Fill } from '@tradewright/engine/trading/broker'
import type { RecentPast } from '@tradewright/engine/trading/paper-account/late-actions'
import type { BrokerState } from '@tradewright/engine/trading/simulated-broker/state'
import type { PaperBook, PaperChange, PaperStore } from '../../brokerage/paper/ports.ts'
import { duplicateOrder } from '../../brokerage/paper/refusals.ts'
import { errorCode } from '../../system-error.ts'
import { type Database, type DatabaseTransaction, withinTransaction } from '../database.ts'
import {
  bookedActions,
  borrowColumns,
  dividendColumns,
  feeColumns,
  openingColumns,
  paperActivities,
  splitColumns,
} from './paper-activities.ts'
import { toFill, toFillColumns, toOrder, toOrderColumns, toOrderProgress } from './paper-rows.ts'

export function createPaperStore(database: Database | DatabaseTransaction): PaperStore {
  const orders = (accountId: number) =>
    database.selectFrom('paper_orders').selectAll().where('account_id', '=', accountId)
  return {
    async open(accountId, cash, { tradingCostBps, partialFill, shortBorrowPct, fillModel }, at) {
      const values = {
        account_id: accountId,
        cash: String(cash),
        trading_cost_bps: tradingCostBps,
        partial_fill: partialFill,
        short_borrow_pct: shortBorrowPct,
        ...(fillModel && { fill_model: fillModel }),
        orders_issued: 0,
        fills_issued: 0,
        settled_at: at,
        opened_at: at,
      }
      await database.insertInto('paper_accounts').values(values).execute()
      await database
        .insertInto('paper_cash_activities')
        .values(openingColumns(accountId, cash, at))
        .execute()
    },

    book: (accountId) => readBook(database, accountId, 'reading'),

    async chosen(accountIds) {
      if (accountIds.length === 0) return new Map()
      const rows = await database
        .selectFrom('paper_accounts')
        .select(['account_id', 'short_borrow_pct', 'fill_model'])
        .where('account_id', 'in', [...accountIds])
        .execute()
      return new Map(
        rows.map((row) => [
          row.account_id,
          { shortBorrowPct: row.short_borrow_pct, fillModel: row.fill_model as PaperFillModel },
        ]),
      )
    },

    async choose(accountId, { shortBorrowPct, fillModel }) {
      const changes = {
        ...(shortBorrowPct !== undefined && { short_borrow_pct: shortBorrowPct }),
        ...(fillModel !== undefined && { fill_model: fillModel }),
      }
      if (Object.keys(changes).length === 0) return
      await database.updateTable('paper_accounts').set(changes).where('account_id', '=', accountId).execute()
    },

    change: (accountId, decide, pastSince) =>
      withinTransaction(database, async (transaction) => {
        const book = await readBook(transaction, accountId, 'changing')
        if (!book) return
        const past = pastSince === undefined ? noPast : await readPast(transaction, accountId, pastSince)
        await write(transaction, accountId, book, decide(book, past))
      }),

    async orderById(accountId, orderId) {
      const row = await orders(accountId).where('order_id', '=', orderId).executeTakeFirst()
      return row && toOrder(row)
    },

    async orderByClientId(accountId, clientOrderId) {
      const row = await orders(accountId).where('client_order_id', '=', clientOrderId).executeTakeFirst()
      return row && toOrder(row)
    },

    async orders(accountId, { state, since, tickers }) {
      let query = orders(accountId)
      if (state !== 'all') query = query.where('ended_at', state === 'open' ? 'is' : 'is not', null)
      if (since !== undefined) query = query.where('submitted_at', '>=', new Date(since))
      if (tickers) query = query.where('ticker', 'in', [...tickers])
      return (await query.orderBy('number', 'desc').execute()).map(toOrder)
    },

    fills: (accountId, since) => readFills(database, accountId, since),

    activities: (accountId, query) => paperActivities(database, accountId, query),

    async closes(accountId, from) {
      const rows = await database
        .selectFrom('paper_closes')
        .select(['day', 'equity'])
        .where('account_id', '=', accountId)
        .where('day', '>=', formatDate(from))
        .orderBy('day')
        .execute()
      return rows.map(({ day, equity }) => ({ day: dateOf(day), equity: Decimal.parse(equity) }))
    },
  }
}

/** Reads a book for changing, under a lock that the transaction keeps. */
async function readBook(
  database: Database | DatabaseTransaction,
  accountId: number,
  purpose: 'reading' | 'changing',
): Promise<PaperBook | undefined> {
  let query = database.selectFrom('paper_accounts').selectAll().where('account_id', '=', accountId)
  if (purpose === 'changing') query = query.forUpdate()
  const account = await query.executeTakeFirst()
  if (!account) return undefined
  const positions = await database
    .selectFrom('paper_positions')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('ticker')
    .execute()
  const open = await database
    .selectFrom('paper_orders')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .orderBy('number')
    .execute()
  const state: BrokerState = {
    cash: Decimal.parse(account.cash),
    positions: new Map(
      positions.map(({ ticker, quantity, average_entry_price }) => [
        ticker,
        { quantity: Decimal.parse(quantity), averageEntryPrice: Decimal.parse(average_entry_price) },
      ]),
    ),
    orders: new Map(open.map((row) => [row.client_order_id, toOrder(row)])),
    fills: [],
    issued: { prefix: `paper-${accountId}`, orders: account.orders_issued, fills: account.fills_issued },
  }
  return {
    state,
    settings: {
      tradingCostBps: account.trading_cost_bps,
      partialFill: account.partial_fill,
      shortBorrowPct: account.short_borrow_pct,
      fillModel: account.fill_model as PaperFillModel,
    },
    settledAt: account.settled_at.getTime(),
    openedAt: account.opened_at.getTime(),
  }
}

async function readFills(
  database: Database | DatabaseTransaction,
  accountId: number,
  since: UtcMillis,
): Promise<Fill[]> {
  const rows = await database
    .selectFrom('paper_fills')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('executed_at', '>=', new Date(since))
    .orderBy('number')
    .execute()
  return rows.map(toFill)
}

const noPast: RecentPast = { since: Infinity, fills: [], actions: [] }

const readPast = async (database: DatabaseTransaction, accountId: number, since: UtcMillis): Promise<RecentPast> => ({
  since,
  fills: await readFills(database, accountId, since),
  actions: await bookedActions(database, accountId, epochDayOf(since)),
})

async function write(
  transaction: DatabaseTransaction,
  accountId: number,
  { state: before }: PaperBook,
  { state: after, settledAt, borrowCharges, dividends, splits, closes }: PaperChange,
): Promise<void> {
  await transaction
    .updateTable('paper_accounts')
    .set({
      cash: String(after.cash),
      orders_issued: after.issued.orders,
      fills_issued: after.issued.fills,
      settled_at: new Date(settledAt),
    })
    .where('account_id', '=', accountId)
    .execute()
  await writePositions(transaction, accountId, before, after)
  await writeOrders(transaction, accountId, before, after)
  if (after.fills.length > 0) {
    const rows = after.fills.map((fill) => toFillColumns(accountId, fill))
    await transaction.insertInto('paper_fills').values(rows).execute()
  }
  const fees = after.fills.filter(({ fee }) => !fee.isZero).map((fill) => feeColumns(accountId, fill))
  const booked = [
    ...borrowCharges.map((charge) => borrowColumns(accountId, charge)),
    ...splits.map((split) => splitColumns(accountId, split)),
    ...dividends.map((dividend) => dividendColumns(accountId, dividend)),
    ...fees,
  ]
  if (booked.length > 0) await transaction.insertInto('paper_cash_activities').values(booked).execute()
  if (closes.length > 0) {
    const rows = closes.map(({ day, equity }) => ({
      account_id: accountId,
      day: formatDate(day),
      equity: String(equity),
    }))
    await transaction
      .insertInto('paper_closes')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

async function writePositions(
  transaction: DatabaseTransaction,
  accountId: number,
  before: BrokerState,
  after: BrokerState,
): Promise<void> {
  const gone = [...before.positions.keys()].filter((ticker) => !after.positions.has(ticker))
  if (gone.length > 0) {
    const ofAccount = transaction.deleteFrom('paper_positions').where('account_id', '=', accountId)
    await ofAccount.where('ticker', 'in', gone).execute()
  }
  for (const [ticker, held] of after.positions) {
    if (before.positions.get(ticker) === held) continue
    const amounts = { quantity: String(held.quantity), average_entry_price: String(held.averageEntryPrice) }
    await transaction
      .insertInto('paper_positions')
      .values({ account_id: accountId, ticker, ...amounts })
      .onConflict((conflict) => conflict.columns(['account_id', 'ticker']).doUpdateSet(amounts))
      .execute()
  }
}

async function writeOrders(
  transaction: DatabaseTransaction,
  accountId: number,
  before: BrokerState,
  after: BrokerState,
): Promise<void> {
  for (const order of after.orders.values()) {
    if (before.orders.get(order.clientOrderId) === order) continue
    await transaction
      .insertInto('paper_orders')
      .values(toOrderColumns(accountId, order))
      .onConflict((conflict) => conflict.columns(['account_id', 'order_id']).doUpdateSet(toOrderProgress(order)))
      .execute()
      .catch(explainDuplicate)
  }
}

const UNIQUE_VIOLATION = '23505'

/** Two of the same at the same moment: the second finds out here. */
function explainDuplicate(error: unknown): never {
  throw errorCode(error) === UNIQUE_VIOLATION ? duplicateOrder() : error
}
