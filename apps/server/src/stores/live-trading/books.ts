import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { type Books, emptySlice, post, type Slice, sliceOf, valueOf } from '@tradewright/engine/trading/ledger/books'
import { type Entry, type Party, partyOf, USD } from '@tradewright/engine/trading/ledger/entry'
import { sql, type Selectable } from 'kysely'
import type { AccountState, BookStore } from '../../live-trading/ports/books.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'
import { ledgerPage, ledgerTypes } from './ledger-pages.ts'

type Connection = Database | DatabaseTransaction

export function createBookStore(database: Connection): BookStore {
  const state = (accountId: number) =>
    database.selectFrom('account_books').selectAll().where('account_id', '=', accountId)
  return {
    async state(accountId) {
      const row = await state(accountId).executeTakeFirst()
      return row && toState(row)
    },

    async lock(accountId) {
      const row = await state(accountId).forNoKeyUpdate().executeTakeFirst()
      return row && toState(row)
    },

    async open(accountId, userId, at, eventsSince) {
      const row = await database
        .insertInto('account_books')
        .values({ account_id: accountId, user_id: userId, opened_at: at, events_since: eventsSince, prices: '{}' })
        .onConflict((conflict) => conflict.doNothing())
        .returning('account_id')
        .executeTakeFirst()
      return row !== undefined
    },

    books: (accountId) => readBooks(database, accountId),

    async slice(accountId, deploymentId) {
      const books = await readBooks(database, accountId, partyOf(deploymentId))
      return books.get(partyOf(deploymentId)) ?? emptySlice
    },

    async post(accountId, entries, prices) {
      let books = await readBooks(database, accountId)
      const posted: Entry[] = []
      for (const entry of entries) {
        const after = post(books, entry)
        if (!(await append(database, accountId, entry, after, prices))) continue
        books = after
        posted.push(entry)
        await writeBalances(database, accountId, entry, after)
      }
      if (posted.length > 0) {
        const raised = { version: sql<number>`version + 1` }
        await database.updateTable('account_books').set(raised).where('account_id', '=', accountId).execute()
      }
      return posted
    },

    async see(accountId, events) {
      if (events.length === 0) return new Set()
      const rows = await database
        .insertInto('account_events')
        .values(events.map(({ key, at }) => ({ account_id: accountId, key, at })))
        .onConflict((conflict) => conflict.doNothing())
        .returning('key')
        .execute()
      return new Set(rows.map(({ key }) => key))
    },

    async note(accountId, { at, disagreement, cash, equity, buyingPower, leverageLimit, prices, eventsSince }) {
      await database
        .updateTable('account_books')
        .set({
          compared_at: at,
          disagreement,
          cash: String(cash),
          equity: String(equity),
          buying_power: String(buyingPower),
          leverage_limit: leverageLimit,
          events_since: eventsSince,
          // Prices of what was sold stay as last seen, beside those of today's positions.
          prices: sql<string>`prices || ${JSON.stringify(Object.fromEntries(prices))}::jsonb`,
          version: sql<number>`version + 1`,
        })
        .where('account_id', '=', accountId)
        .execute()
    },

    page: (deploymentId, page, pageSize, filter) => ledgerPage(database, deploymentId, page, pageSize, filter),
    types: (deploymentId) => ledgerTypes(database, deploymentId),
  }
}

async function readBooks(database: Connection, accountId: number, party?: Party): Promise<Books> {
  let query = database
    .selectFrom('book_balances')
    .select(['party', 'asset', 'amount'])
    .where('account_id', '=', accountId)
  if (party) query = query.where('party', '=', party)
  const slices = new Map<Party, { cash: Usd; positions: Map<string, Decimal> }>()
  for (const row of await query.execute()) {
    const owner = row.party as Party
    const slice = slices.get(owner) ?? { cash: Decimal.zero, positions: new Map<string, Decimal>() }
    const amount = Decimal.parse(row.amount)
    if (row.asset === USD) slice.cash = amount
    else if (!amount.isZero) slice.positions.set(row.asset, amount)
    slices.set(owner, slice)
  }
  return slices
}

/** False when an entry of this key is there already. */
async function append(
  database: Connection,
  accountId: number,
  entry: Entry,
  after: Books,
  prices: ReadonlyMap<string, Usd>,
): Promise<boolean> {
  const priceOf = (ticker: string) => prices.get(ticker)
  const own =
    entry.deploymentId === undefined ? sliceOf(after, 'unallocated') : sliceOf(after, partyOf(entry.deploymentId))
  let accountValue = Decimal.zero
  for (const [party, slice] of after) if (party !== 'market') accountValue = accountValue.plus(valueOf(slice, priceOf))
  const row = await database
    .insertInto('ledger_entries')
    .values({
      account_id: accountId,
      deployment_id: entry.deploymentId ?? null,
      entry_type: entry.type,
      key: entry.key,
      recorded_at: new Date(entry.at),
      direction: entry.direction,
      amount: String(entry.amount),
      note: entry.note ?? null,
      legs: JSON.stringify(entry.legs),
      cash_after: String(own.cash),
      equity_after: String(valueOf(own, priceOf)),
      account_value_after: String(accountValue),
      positions_after: JSON.stringify(Object.fromEntries(own.positions)),
    })
    .onConflict((conflict) => conflict.constraint('booked_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

async function writeBalances(database: Connection, accountId: number, { legs }: Entry, after: Books): Promise<void> {
  for (const { party, asset } of new Map(legs.map((leg) => [`${leg.party} ${leg.asset}`, leg])).values()) {
    const slice: Slice = sliceOf(after, party)
    const amount = String(asset === USD ? slice.cash : (slice.positions.get(asset) ?? Decimal.zero))
    await database
      .insertInto('book_balances')
      .values({ account_id: accountId, party, asset, amount })
      .onConflict((conflict) => conflict.columns(['account_id', 'party', 'asset']).doUpdateSet({ amount }))
      .execute()
  }
}

const decimalOrNone = (text: string | null): Decimal | undefined => (text === null ? undefined : Decimal.parse(text))

function toState(row: Selectable<Tables['account_books']>): AccountState {
  const prices = Object.entries(row.prices as Record<string, string>)
  return {
    accountId: row.account_id,
    userId: row.user_id,
    version: row.version,
    openedAt: row.opened_at,
    eventsSince: row.events_since,
    comparedAt: row.compared_at,
    disagreement: row.disagreement,
    cash: decimalOrNone(row.cash),
    equity: decimalOrNone(row.equity),
    buyingPower: decimalOrNone(row.buying_power),
    leverageLimit: row.leverage_limit ?? 1,
    prices: new Map(prices.map(([ticker, price]) => [ticker, Decimal.parse(price)])),
  }
}
