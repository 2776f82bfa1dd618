import { Decimal } from '@tradewright/core/decimal'
import { dateOf, type EpochDay, epochDayOf, formatDate } from '@tradewright/core/time'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/rows'
import {
  type ActivityPage,
  type ActivityQuery,
  EXTERNAL_FLOW_TYPES,
} from '@tradewright/engine/trading/account-activity'
import type { Fill } from '@tradewright/engine/trading/broker'
import type { BookedAction } from '@tradewright/engine/trading/paper-account/late-actions'
import type { AppliedSplit, BorrowCharge, PaidDividend } from '@tradewright/engine/trading/paper-account/settle'
import { tradeActivity } from '@tradewright/engine/trading/simulated-broker/trade-activities'
import type { Database, DatabaseTransaction } from '../database.ts'
import { toFill } from './paper-rows.ts'

const PAGE_SIZE = 100

/** A page begins after the number that names it. */
export async function paperActivities(
  database: Database | DatabaseTransaction,
  accountId: number,
  query: ActivityQuery,
): Promise<ActivityPage> {
  return query.kind === 'trades' ? tradePage(database, accountId, query) : cashPage(database, accountId, query)
}

const directionOf = ({ order }: ActivityQuery) => (order === 'newest-first' ? 'desc' : 'asc')
const beyond = ({ order }: ActivityQuery) => (order === 'newest-first' ? '<' : '>')
const nextOf = (numbers: readonly number[]) => (numbers.length < PAGE_SIZE ? undefined : String(numbers.at(-1)))

async function tradePage(database: Database | DatabaseTransaction, accountId: number, query: ActivityQuery) {
  let rows = database.selectFrom('paper_fills').selectAll().where('account_id', '=', accountId)
  if (query.since !== undefined) rows = rows.where('executed_at', '>=', new Date(query.since))
  if (query.page !== undefined) rows = rows.where('number', beyond(query), Number(query.page))
  const page = await rows.orderBy('number', directionOf(query)).limit(PAGE_SIZE).execute()
  return { activities: page.map((row) => tradeActivity(toFill(row))), next: nextOf(page.map(({ number }) => number)) }
}

async function cashPage(database: Database | DatabaseTransaction, accountId: number, query: ActivityQuery) {
  let rows = database.selectFrom('paper_cash_activities').selectAll().where('account_id', '=', accountId)
  if (query.kind === 'external') rows = rows.where('type', 'in', [...EXTERNAL_FLOW_TYPES])
  if (query.since !== undefined) rows = rows.where('booked_at', '>=', new Date(query.since))
  if (query.page !== undefined) rows = rows.where('id', beyond(query), Number(query.page))
  const page = await rows.orderBy('id', directionOf(query)).limit(PAGE_SIZE).execute()
  const activities = page.map((row) => ({
    kind: 'cash' as const,
    id: `paper-${accountId}-cash-${row.id}`,
    at: row.booked_at.getTime(),
    bookedAt: row.booked_at.getTime(),
    day: dateOf(row.day),
    type: row.type,
    netAmount: Decimal.parse(row.net_amount),
    description: row.description,
    ticker: row.ticker ?? undefined,
    // Paid at the open of its ex-date.
    ...(row.type === 'DIV' && { exDay: dateOf(row.day) }),
    ...(row.quantity !== null && { quantity: Decimal.parse(row.quantity) }),
  }))
  return { activities, next: nextOf(page.map(({ id }) => id)) }
}

const ACTION_KINDS = { DIV: 'dividend', SPLIT: 'split' } as const

/** What went ex on or after a day and is booked. */
export async function bookedActions(
  database: Database | DatabaseTransaction,
  accountId: number,
  from: EpochDay,
): Promise<BookedAction[]> {
  const rows = await database
    .selectFrom('paper_cash_activities')
    .select(['type', 'day', 'ticker'])
    .where('account_id', '=', accountId)
    .where('type', 'in', Object.keys(ACTION_KINDS))
    .where('day', '>=', formatDate(from))
    .execute()
  return rows.map(({ type, day, ticker }) => ({
    kind: ACTION_KINDS[type as keyof typeof ACTION_KINDS],
    ticker: ticker!,
    day: dateOf(day),
  }))
}

export const openingColumns = (accountId: number, cash: Decimal, at: Date) => ({
  account_id: accountId,
  type: 'JNLC',
  day: newYorkDate(at.getTime()),
  net_amount: String(cash),
  description: 'Virtual money to start with',
  ticker: null,
  booked_at: at,
})

export const dividendColumns = (accountId: number, { ticker, day, amount, quantity, at }: PaidDividend) => ({
  account_id: accountId,
  type: 'DIV',
  day: formatDate(day),
  net_amount: String(amount),
  description: `Dividend of ${String(quantity)} ${ticker}`,
  ticker,
  booked_at: new Date(at),
})

/** The row of a charge for borrowed shares. */
export const borrowColumns = (accountId: number, { ticker, day, quantity, amount, at }: BorrowCharge) => ({
  account_id: accountId,
  type: 'INT',
  day: formatDate(day),
  net_amount: String(amount.negated()),
  description: `Borrow cost of ${String(quantity)} ${ticker}`,
  ticker,
  booked_at: new Date(at),
})

/** Shares change, money does not. */
export const splitColumns = (accountId: number, { ticker, day, ratio, change, at }: AppliedSplit) => ({
  account_id: accountId,
  type: 'SPLIT',
  day: formatDate(day),
  net_amount: '0',
  description: `${ticker}: ${String(ratio)} shares for one`,
  ticker,
  booked_at: new Date(at),
  quantity: String(change),
})

export const feeColumns = (accountId: number, { ticker, side, quantity, fee, at }: Fill) => ({
  account_id: accountId,
  type: 'FEE',
  day: newYorkDate(at),
  net_amount: String(fee.negated()),
  description: `Trading costs: ${side} ${String(quantity)} ${ticker}`,
  ticker,
  booked_at: new Date(at),
})

const newYorkDate = (at: number): string => formatDate(epochDayOf(stampAsNewYorkDay(at)))
