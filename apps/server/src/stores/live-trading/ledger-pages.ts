import { Decimal } from '@tradewright/core/decimal'
import type { Entry, EntryType } from '@tradewright/engine/trading/ledger/entry'
import { sql, type Selectable } from 'kysely'
import type { LedgerFilter, LedgerPage, LedgerRow } from '../../live-trading/ports/books.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

type Connection = Database | DatabaseTransaction

/**
 * A page of a ledger, newest first. Entries are numbered, so any page of a million is found at once; pages of a filter
 * are read from the nearer end. Counts of whole types are kept, and only a search has to look at the entries.
 */
export async function ledgerPage(
  database: Connection,
  deploymentId: number,
  page: number,
  pageSize: number,
  filter: LedgerFilter,
): Promise<LedgerPage> {
  const total = await matching(database, deploymentId, filter)
  const from = (page - 1) * pageSize
  if (from >= total) return { entries: [], total }
  const size = Math.min(pageSize, total - from)
  if (!filter.types && !filter.search)
    return { entries: await numbered(database, deploymentId, total - from, size), total }
  const isNearEnd = from + size > total / 2
  const ids = filtered(database, deploymentId, filter)
    .select('id')
    .orderBy('id', isNearEnd ? 'asc' : 'desc')
    .offset(isNearEnd ? total - from - size : from)
    .limit(size)
  const rows = await database
    .selectFrom('ledger_entries')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
  return { entries: rows.map(toRow), total }
}

/** The entries up to this number, so many of them. */
async function numbered(database: Connection, deploymentId: number, last: number, size: number): Promise<LedgerRow[]> {
  const rows = await database
    .selectFrom('ledger_entries')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('number', '>', last - size)
    .where('number', '<=', last)
    .orderBy('number', 'desc')
    .execute()
  return rows.map(toRow)
}

export async function ledgerTypes(database: Connection, deploymentId: number): Promise<EntryType[]> {
  const rows = await database
    .selectFrom('ledger_counts')
    .select('entry_type')
    .where('deployment_id', '=', deploymentId)
    .orderBy('entry_type')
    .execute()
  return rows.map(({ entry_type: type }) => type as EntryType)
}

function filtered(database: Connection, deploymentId: number, { types, search }: LedgerFilter) {
  let query = database.selectFrom('ledger_entries').where('deployment_id', '=', deploymentId)
  if (types) query = query.where('entry_type', 'in', types.length === 0 ? [''] : [...types])
  if (!search) return query
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return query.where(
    sql<boolean>`(note ILIKE ${pattern} OR entry_type ILIKE ${pattern} OR direction ILIKE ${pattern} OR amount::text LIKE ${pattern})`,
  )
}

async function matching(database: Connection, deploymentId: number, filter: LedgerFilter): Promise<number> {
  if (filter.search) {
    const row = await filtered(database, deploymentId, filter)
      .select((entry) => entry.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return row.count
  }
  const rows = await database
    .selectFrom('ledger_counts')
    .select(['entry_type', 'entries'])
    .where('deployment_id', '=', deploymentId)
    .execute()
  const wanted = filter.types && new Set<string>(filter.types)
  return rows.filter((row) => !wanted || wanted.has(row.entry_type)).reduce((sum, { entries }) => sum + entries, 0)
}

const toRow = (row: Selectable<Tables['ledger_entries']>): LedgerRow => ({
  id: row.id,
  recordedAt: row.recorded_at,
  type: row.entry_type as EntryType,
  direction: row.direction as Entry['direction'],
  note: row.note,
  currency: row.currency,
  amount: Decimal.parse(row.amount),
  cashAfter: Decimal.parse(row.cash_after),
  equityAfter: Decimal.parse(row.equity_after),
  accountValueAfter: row.account_value_after === null ? undefined : Decimal.parse(row.account_value_after),
  positionsAfter: row.positions_after as Record<string, string>,
})
