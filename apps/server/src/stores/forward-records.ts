import { chained, MAX_RECORD_ENTRIES } from '@tradewright/core/forward-record'
import { weightsByTicker } from '@tradewright/engine/live/trading-weights'
import { type Selectable, sql } from 'kysely'
import { hash } from 'node:crypto'
import type { ForwardRecord, RecordStore } from '../forward-records/ports.ts'
import { type Decision, signalTypeOf } from '../live-trading/decision.ts'
import type { Database, DatabaseTransaction } from './database.ts'
import type { Tables } from './tables.ts'

const sha256 = (text: string) => hash('sha256', text)

export function createRecordStore(database: Database | DatabaseTransaction): RecordStore {
  const records = () => database.selectFrom('forward_records').selectAll()
  const entriesOf = (recordId: number) =>
    database
      .selectFrom('forward_entries')
      .select(['seq', 'content', 'previous', 'hash', 'bar', 'probability', 'happened'])
      .where('record_id', '=', recordId)
  return {
    async append(decision) {
      const record = await records()
        .where('deployment_id', '=', decision.deploymentId)
        .where('is_open', '=', true)
        .forUpdate()
        .executeTakeFirst()
      if (!record) return
      const last = await database
        .selectFrom('forward_entries')
        .select(['seq', 'hash', 'content'])
        .where('record_id', '=', record.id)
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      const seq = (last?.seq ?? 0) + 1
      if (seq > MAX_RECORD_ENTRIES) return
      const before = last && instantOf(last.content)
      const entry = chained(sha256, last?.hash ?? sha256(record.header), contentOf(decision, seq, before))
      await database
        .insertInto('forward_entries')
        .values({
          record_id: record.id,
          seq,
          ...entry,
          bar: decision.signal.dataAsOf,
          probability: decision.signal.prediction?.probability ?? null,
        })
        .execute()
    },

    async find(deploymentId) {
      const row = await records().where('deployment_id', '=', deploymentId).executeTakeFirst()
      return row && toRecord(row)
    },

    async open(deploymentId, header, at) {
      await database
        .insertInto('forward_records')
        .values({ deployment_id: deploymentId, header, is_open: true, created_at: at })
        .onConflict((conflict) => conflict.column('deployment_id').doUpdateSet({ is_open: true }))
        .execute()
    },

    async close(deploymentId) {
      const { numUpdatedRows } = await database
        .updateTable('forward_records')
        .set({ is_open: false })
        .where('deployment_id', '=', deploymentId)
        .where('is_open', '=', true)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    entries: (recordId) => entriesOf(recordId).orderBy('seq').execute(),

    newest: async (recordId, limit) =>
      (await entriesOf(recordId).orderBy('seq', 'desc').limit(limit).execute()).toReversed(),

    async chain({ id, header }) {
      // The database computes it: a record of years does not come here to be shown.
      const { rows } = await sql<{ count: number; first_bad: number | null; predicts: boolean | null }>`
        WITH chain AS (
          SELECT seq, content, previous, hash, probability, (row_number() OVER (ORDER BY seq))::int AS number,
                 lag(hash, 1, ${sha256(header)}) OVER (ORDER BY seq) AS before
          FROM forward_entries WHERE record_id = ${id}
        )
        SELECT count(*)::int AS count, bool_or(probability IS NOT NULL) AS predicts, min(number) FILTER (
          WHERE seq <> number OR previous <> before
             OR hash <> encode(sha256(convert_to(previous || chr(10) || content, 'UTF8')), 'hex')
             OR probability IS DISTINCT FROM substring(content FROM ${PROBABILITY})::float8
        ) AS first_bad
        FROM chain`.execute(database)
      const { count, first_bad, predicts } = rows[0]!
      return { count, firstBad: first_bad, predicts: predicts ?? false }
    },

    async settled(recordId) {
      const rows = await database
        .selectFrom('forward_entries')
        .select(['probability', 'happened'])
        .where('record_id', '=', recordId)
        .where('probability', 'is not', null)
        .where('happened', 'is not', null)
        .orderBy('seq')
        .execute()
      return rows.map(({ probability, happened }) => ({ probability: probability!, happened: happened! }))
    },

    async unsettled(recordId, limit) {
      const rows = await database
        .selectFrom('forward_entries')
        .select(['seq', 'bar'])
        .where('record_id', '=', recordId)
        .where('probability', 'is not', null)
        .where('bar', 'is not', null)
        .where('happened', 'is', null)
        .orderBy('seq')
        .limit(limit)
        .execute()
      return rows.map(({ seq, bar }) => ({ seq, bar: bar! }))
    },

    async settle(recordId, outcomes) {
      for (const { seq, happened } of outcomes) {
        await database
          .updateTable('forward_entries')
          .set({ happened })
          .where('record_id', '=', recordId)
          .where('seq', '=', seq)
          .execute()
      }
    },

    async setLink(recordId, link) {
      await database
        .updateTable('forward_records')
        .set({ token_hash: link?.tokenHash ?? null, link_expires_at: link?.expiresAt ?? null })
        .where('id', '=', recordId)
        .execute()
    },

    async shared(tokenHash, now) {
      const row = await records()
        .where('token_hash', '=', tokenHash)
        .where('link_expires_at', '>', now)
        .executeTakeFirst()
      return row && toRecord(row)
    },
  }
}

/** Of the content of an entry: what is kept beside it for queries must be what the chain says. */
const PROBABILITY = String.raw`"probability":(\d(?:\.\d{1,20})?(?:e-\d{1,2})?)`

/** Undefined where an entry was changed so that it cannot be read: the chain shows that, and decisions go on. */
function instantOf(content: string): string | undefined {
  try {
    const { at } = JSON.parse(content) as { at?: unknown }
    return typeof at === 'string' ? at : undefined
  } catch {
    return undefined
  }
}

/** Without anything about money or the account. The order of the fields is that of the chain. */
function contentOf({ decidedFor, decidedAt, signal }: Decision, seq: number, before: string | undefined): string {
  const decided = decidedAt.toISOString()
  return JSON.stringify({
    seq,
    // A broker's clock may be set back; the chain goes on.
    at: before !== undefined && before > decided ? before : decided,
    decided_for: decidedFor.toISOString(),
    data_as_of: signal.dataAsOf === null ? null : new Date(signal.dataAsOf).toISOString(),
    signal: signalTypeOf(signal),
    probability: signal.prediction?.probability ?? null,
    weights: Object.fromEntries(weightsByTicker(signal.weights)),
    closes: signal.closes ?? {},
    data_fingerprint: signal.fingerprint,
  })
}

const toRecord = (row: Selectable<Tables['forward_records']>): ForwardRecord => ({
  id: row.id,
  deploymentId: row.deployment_id,
  header: row.header,
  isOpen: row.is_open,
  createdAt: row.created_at,
  linkExpiresAt: row.link_expires_at,
  importedEntries: row.imported_entries,
})
