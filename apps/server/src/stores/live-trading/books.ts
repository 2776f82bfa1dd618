import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { type Books, emptySlice, sliceOf } from '@tradewright/engine/trading/ledger/books'
import { type Entry, type Party, partyOf, USD } from '@tradewright/engine/trading/ledger/entry'
import { sql, type Selectable } from 'kysely'
import type { AccountState, BookStore, ForeignOrder, Halt } from '../../live-trading/ports/books.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'
import { ledgerPage, ledgerTypes } from './ledger-pages.ts'
import { postEntries } from './post-entries.ts'

type Connection = Database | DatabaseTransaction

export function createBookStore(database: Connection): BookStore {
  const state = (accountId: number) =>
    database.selectFrom('account_books').selectAll().where('account_id', '=', accountId)
  /** A transaction that holds the account's lock reads its books once: no other transaction changes them meanwhile. */
  const held = new Set<number>()
  const known = new Map<number, Books>()
  const current = async (accountId: number): Promise<Books> => {
    const books = known.get(accountId) ?? (await readBooks(database, accountId))
    if (held.has(accountId)) known.set(accountId, books)
    return books
  }
  const foreignOf = async (accountId: number) =>
    readForeign((await state(accountId).executeTakeFirst())?.foreign_orders)
  const setForeign = (accountId: number, foreign: StoredForeignOrders) =>
    database
      .updateTable('account_books')
      .set({ foreign_orders: JSON.stringify(foreign) })
      .where('account_id', '=', accountId)
      .execute()
  return {
    async state(accountId) {
      const row = await state(accountId).executeTakeFirst()
      return row && toState(row)
    },

    async states(accountIds) {
      const rows = await database
        .selectFrom('account_books')
        .selectAll()
        .where('account_id', 'in', [...accountIds, -1])
        .execute()
      return new Map(rows.map((row) => [row.account_id, toState(row)]))
    },

    async lock(accountId) {
      const row = await state(accountId).forNoKeyUpdate().executeTakeFirst()
      if (row && database.isTransaction) held.add(accountId)
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

    books: current,

    async slice(accountId, deploymentId) {
      if (held.has(accountId)) return sliceOf(await current(accountId), partyOf(deploymentId))
      const books = await readBooks(database, accountId, partyOf(deploymentId))
      return books.get(partyOf(deploymentId)) ?? emptySlice
    },

    async post(accountId, entries, prices) {
      const { posted, after } = await postEntries(database, await current(accountId), { accountId, entries, prices })
      if (held.has(accountId)) known.set(accountId, after)
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

    async seen(accountId, keys) {
      if (keys.length === 0) return new Set()
      const rows = await database
        .selectFrom('account_events')
        .select('key')
        .where('account_id', '=', accountId)
        .where('key', 'in', [...keys])
        .execute()
      return new Set(rows.map(({ key }) => key))
    },

    async entries(accountId, keyStart) {
      const rows = await database
        .selectFrom('ledger_entries')
        .select(['entry_type', 'key', 'recorded_at', 'deployment_id', 'legs', 'amount', 'direction', 'note'])
        .where('account_id', '=', accountId)
        .where(sql<boolean>`starts_with(key, ${keyStart})`)
        .orderBy('id')
        .execute()
      return rows.map(toEntry)
    },

    async movements(deploymentId) {
      const rows = await database
        .selectFrom('ledger_entries')
        .select(['entry_type', 'key', 'recorded_at', 'deployment_id', 'legs', 'amount', 'direction', 'note'])
        .where('deployment_id', '=', deploymentId)
        .where('entry_type', 'not in', ['SNAPSHOT', 'FEE', 'DIVIDEND', 'INTEREST'])
        .orderBy('id')
        .execute()
      return rows.map(toEntry)
    },

    async held(deploymentId, ticker, from, until) {
      const { rows } = await sql<{ quantity: string | null }>`
        SELECT positions_after ->> ${ticker} AS quantity FROM ledger_entries
        WHERE deployment_id = ${deploymentId} AND recorded_at <= ${until} AND id >= coalesce(
          (SELECT max(id) FROM ledger_entries WHERE deployment_id = ${deploymentId} AND recorded_at < ${from}), 0
        )
        ORDER BY id`.execute(database)
      return [...new Set(rows.map(({ quantity }) => Number(quantity ?? 0)))]
    },

    async heldAt(accountId, ticker, at) {
      const { rows } = await sql<{ party: Party; quantity: string }>`
        SELECT party, sum(amount)::text AS quantity FROM (
          SELECT party, amount FROM book_balances WHERE account_id = ${accountId} AND asset = ${ticker}
          UNION ALL
          SELECT leg ->> 'party', -(leg ->> 'amount')::numeric
          FROM ledger_entries CROSS JOIN LATERAL jsonb_array_elements(legs) AS leg
          WHERE account_id = ${accountId} AND recorded_at >= ${at} AND leg ->> 'asset' = ${ticker}
        ) AS moves GROUP BY party HAVING sum(amount) <> 0`.execute(database)
      const sliceOfTicker = (quantity: string) => ({
        cash: Decimal.zero,
        positions: new Map([[ticker, Decimal.parse(quantity)]]),
      })
      return new Map(rows.map(({ party, quantity }) => [party, sliceOfTicker(quantity)]))
    },

    async note(accountId, sighting) {
      const { at, disagreement, movingSince, cash, equity, buyingPower, leverageLimit, prices, eventsSince } = sighting
      await database
        .updateTable('account_books')
        .set({
          compared_at: at,
          disagreement,
          moving_since: movingSince,
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

    async noteHalt(accountId, ticker, { since, triedAt }) {
      const halt = JSON.stringify({ since: since.toISOString(), triedAt: triedAt.toISOString() })
      await sql`UPDATE account_books SET halts = coalesce(halts, '{}') || jsonb_build_object(${ticker}::text, ${halt}::jsonb)
        WHERE account_id = ${accountId}`.execute(database)
    },

    async endHalt(accountId, ticker) {
      await sql`UPDATE account_books SET halts = nullif(halts - ${ticker}::text, '{}') WHERE account_id = ${accountId}`.execute(
        database,
      )
    },

    async noteForeign(accountId, orders) {
      if (orders.size === 0) return
      const { known, acceptedAt } = await foreignOf(accountId)
      for (const [key, { clientOrderId, side, ticker, at }] of orders) {
        const isNewer = !known[key] || new Date(known[key].at) < at
        if (isNewer) known[key] = { clientOrderId, side, ticker, at: at.toISOString() }
      }
      await setForeign(accountId, { known, acceptedAt })
    },

    async acceptForeign(accountId, at) {
      const { known } = await foreignOf(accountId)
      if (Object.keys(known).length > 0) await setForeign(accountId, { known, acceptedAt: at.toISOString() })
    },

    async claimIdle(before, now, limit) {
      const { rows } = await sql<{ account_id: number; user_id: number }>`
        UPDATE account_books SET idle_asked_at = ${now}
        WHERE account_id IN (
          SELECT account_id FROM account_books books
          WHERE coalesce(compared_at, '-infinity') <= ${before} AND coalesce(idle_asked_at, '-infinity') <= ${before}
            AND EXISTS (SELECT FROM deployments d WHERE d.account_id = books.account_id AND d.deleted_at IS NULL)
            AND NOT EXISTS (SELECT FROM deployments d
              LEFT JOIN deployment_leases l ON l.deployment_id = d.id AND l.expires_at > clock_timestamp()
              WHERE d.account_id = books.account_id AND d.deleted_at IS NULL
                AND (d.status = 'running' OR l.holder IS NOT NULL))
          ORDER BY compared_at NULLS FIRST LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
        )
        RETURNING account_id, user_id`.execute(database)
      return rows.map(({ account_id, user_id }) => ({ accountId: account_id, userId: user_id }))
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

const toEntry = (
  row: Pick<
    Selectable<Tables['ledger_entries']>,
    'entry_type' | 'key' | 'recorded_at' | 'deployment_id' | 'legs' | 'amount' | 'direction' | 'note'
  >,
): Entry => ({
  type: row.entry_type as Entry['type'],
  key: row.key,
  at: row.recorded_at.getTime(),
  deploymentId: row.deployment_id ?? undefined,
  legs: (row.legs as { party: Party; asset: string; amount: string }[]).map(({ party, asset, amount }) => ({
    party,
    asset,
    amount: Decimal.parse(amount),
  })),
  amount: Decimal.parse(row.amount),
  direction: row.direction as Entry['direction'],
  note: row.note ?? undefined,
})

interface StoredForeignOrders {
  readonly known: Record<string, Omit<ForeignOrder, 'at'> & { readonly at: string }>
  readonly acceptedAt: string | null
}

const readForeign = (stored: unknown): StoredForeignOrders =>
  (stored as StoredForeignOrders | null | undefined) ?? { known: {}, acceptedAt: null }

function unaccepted(stored: unknown): ReadonlyMap<string, ForeignOrder> {
  const { known, acceptedAt } = readForeign(stored)
  const orders = Object.entries(known).map(([key, order]) => [key, { ...order, at: new Date(order.at) }] as const)
  return new Map(orders.filter(([, { at }]) => acceptedAt === null || at > new Date(acceptedAt)))
}

const toHalts = (stored: unknown): ReadonlyMap<string, Halt> =>
  new Map(
    Object.entries((stored as Record<string, { since: string; triedAt: string }> | null) ?? {}).map(
      ([ticker, { since, triedAt }]) => [ticker, { since: new Date(since), triedAt: new Date(triedAt) }],
    ),
  )

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
    movingSince: row.moving_since,
    cash: decimalOrNone(row.cash),
    equity: decimalOrNone(row.equity),
    buyingPower: decimalOrNone(row.buying_power),
    leverageLimit: row.leverage_limit ?? 1,
    prices: new Map(prices.map(([ticker, price]) => [ticker, Decimal.parse(price)])),
    foreignOrders: unaccepted(row.foreign_orders),
    halts: toHalts(row.halts),
  }
}
