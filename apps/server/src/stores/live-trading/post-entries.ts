import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { type Books, post, sliceOf, valueOf } from '@tradewright/engine/trading/ledger/books'
import { type Entry, type Leg, partyOf, USD } from '@tradewright/engine/trading/ledger/entry'
import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../database.ts'

type Connection = Database | DatabaseTransaction

interface Posting {
  readonly accountId: number
  readonly entries: readonly Entry[]
  readonly prices: ReadonlyMap<string, Usd>
}

/** Appends what is not booked yet, in order, and gives the books as they stand then. */
export async function postEntries(
  database: Connection,
  before: Books,
  { accountId, entries, prices }: Posting,
): Promise<{ posted: Entry[]; after: Books }> {
  const booked = await bookedKeys(database, accountId, entries)
  const posted: Entry[] = []
  const rows: EntryRow[] = []
  let after = before
  for (const entry of entries) {
    if (booked.has(entry.key)) continue
    booked.add(entry.key)
    after = post(after, entry)
    posted.push(entry)
    rows.push(toRow(accountId, entry, after, prices))
  }
  if (posted.length === 0) return { posted, after }
  await append(database, rows)
  await writeBalances(
    database,
    accountId,
    posted.flatMap(({ legs }) => legs),
    after,
  )
  const raised = { version: sql<number>`version + 1` }
  await database.updateTable('account_books').set(raised).where('account_id', '=', accountId).execute()
  return { posted, after }
}

async function bookedKeys(
  database: Connection,
  accountId: number,
  entries: readonly Pick<Entry, 'key'>[],
): Promise<Set<string>> {
  if (entries.length === 0) return new Set()
  const rows = await database
    .selectFrom('ledger_entries')
    .select('key')
    .where('account_id', '=', accountId)
    .where(
      'key',
      'in',
      entries.map(({ key }) => key),
    )
    .execute()
  return new Set(rows.map(({ key }) => key))
}

type EntryRow = ReturnType<typeof toRow>

function toRow(accountId: number, entry: Entry, after: Books, prices: ReadonlyMap<string, Usd>) {
  const priceOf = (ticker: string) => prices.get(ticker)
  const own = sliceOf(after, entry.deploymentId === undefined ? 'unallocated' : partyOf(entry.deploymentId))
  let accountValue = Decimal.zero
  for (const [party, slice] of after) if (party !== 'market') accountValue = accountValue.plus(valueOf(slice, priceOf))
  return {
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
  }
}

/** Entries of one deployment are numbered one after another, each in a statement of its own. */
async function append(database: Connection, rows: readonly EntryRow[]): Promise<void> {
  const isOnePerDeployment = new Set(rows.map((row) => row.deployment_id)).size === rows.length
  for (const group of isOnePerDeployment ? [rows] : rows.map((row) => [row])) {
    await database.insertInto('ledger_entries').values(group).execute()
  }
}

async function writeBalances(database: Connection, accountId: number, legs: readonly Leg[], after: Books) {
  const moved = new Map(legs.map(({ party, asset }) => [`${party} ${asset}`, { party, asset }]))
  const rows = [...moved.values()].map(({ party, asset }) => {
    const slice = sliceOf(after, party)
    const amount = String(asset === USD ? slice.cash : (slice.positions.get(asset) ?? Decimal.zero))
    return { account_id: accountId, party, asset, amount }
  })
  if (rows.length === 0) return
  await database
    .insertInto('book_balances')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'party', 'asset']).doUpdateSet((row) => ({ amount: row.ref('excluded.amount') })),
    )
    .execute()
}
