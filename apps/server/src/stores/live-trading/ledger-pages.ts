import { Decimal } from '@tradewright/core/decimal'
import type { Entry, EntryType } from '@tradewright/engine/trading/ledger/entry'
import { sql, type Selectable } from 'kysely'
import type { LedgerFilter, LedgerPage, LedgerRow } from '../../live-trading/ports/books.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

type Connection = Database | DatabaseTransaction

/**
 * A page of a ledger, newest first. Entries are numbered, all of them and those of each type, so any page of a million
 * is found at once. Counts of types are kept; only a search has to read the entries.
 */
export async function ledgerPage(
  database: Connection,
  deploymentId: number,
  page: number,
  pageSize: number,
  filter: LedgerFilter,
): Promise<LedgerPage> {
  if (filter.search) return searched(database, deploymentId, page, pageSize, filter)
  const counts = await countsOf(database, deploymentId)
  const all = sumOf(counts.values())
  const types = filter.types && [...counts.keys()].filter((type) => filter.types!.includes(type))
  const total = types ? sumOf(types.map((type) => counts.get(type)!)) : all
  const place = total - (page - 1) * pageSize
  if (place <= 0) return { entries: [], total }
  const range = { deploymentId, place, size: Math.min(pageSize, place) }
  const entries = types ? await ofTypes(database, range, types, all) : await numbered(database, range)
  return { entries, total }
}

interface PageRange {
  readonly deploymentId: number
  /** The number of the page's newest entry, among those that are shown and counted from the oldest. */
  readonly place: number
  readonly size: number
}

async function numbered(database: Connection, { deploymentId, place, size }: PageRange): Promise<LedgerRow[]> {
  const rows = await database
    .selectFrom('ledger_entries')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('number', '>', place - size)
    .where('number', '<=', place)
    .orderBy('number', 'desc')
    .execute()
  return rows.map(toRow)
}

/**
 * The page's beginning is found by bisection: of each type the last entry up to a number says how many there are up to
 * it. Twenty index look-ups for each type of a million entries.
 */
async function ofTypes(
  database: Connection,
  { deploymentId, place, size }: PageRange,
  types: readonly string[],
  all: number,
): Promise<LedgerRow[]> {
  const { rows } = await sql<Selectable<Tables['ledger_entries']>>`
    WITH RECURSIVE chosen (entry_type) AS (SELECT unnest(${types}::text[])),
    halved (low, high) AS (
      SELECT 0::bigint, ${all}::bigint
      UNION ALL
      SELECT
        CASE WHEN known.places < ${place} THEN half.number ELSE low END,
        CASE WHEN known.places < ${place} THEN high ELSE half.number END
      FROM halved
      CROSS JOIN LATERAL (SELECT (low + high) / 2 AS number) AS half
      CROSS JOIN LATERAL (
        SELECT coalesce(sum((
          SELECT type_number FROM ledger_entries
          WHERE deployment_id = ${deploymentId} AND ledger_entries.entry_type = chosen.entry_type
            AND ledger_entries.number <= half.number
          ORDER BY ledger_entries.number DESC LIMIT 1
        )), 0) AS places FROM chosen
      ) AS known
      WHERE high - low > 1
    )
    SELECT entry.* FROM chosen
    CROSS JOIN LATERAL (
      SELECT * FROM ledger_entries
      WHERE deployment_id = ${deploymentId} AND ledger_entries.entry_type = chosen.entry_type
        AND number <= (SELECT min(high) FROM halved)
      ORDER BY number DESC LIMIT ${size}
    ) AS entry
    ORDER BY entry.number DESC LIMIT ${size}`.execute(database)
  return rows.map(toRow)
}

/** Read from the nearer end: entries before the page have to be read. */
async function searched(
  database: Connection,
  deploymentId: number,
  page: number,
  pageSize: number,
  filter: LedgerFilter,
): Promise<LedgerPage> {
  const { count: total } = await filtered(database, deploymentId, filter)
    .select((entry) => entry.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const from = (page - 1) * pageSize
  if (from >= total) return { entries: [], total }
  const size = Math.min(pageSize, total - from)
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

async function countsOf(database: Connection, deploymentId: number): Promise<Map<EntryType, number>> {
  const rows = await database
    .selectFrom('ledger_counts')
    .select(['entry_type', 'entries'])
    .where('deployment_id', '=', deploymentId)
    .execute()
  return new Map(rows.map((row) => [row.entry_type as EntryType, row.entries]))
}

const sumOf = (counts: Iterable<number>): number => Iterator.from(counts).reduce((sum, count) => sum + count, 0)

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
