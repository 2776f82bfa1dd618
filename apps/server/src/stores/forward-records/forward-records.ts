import { chained, MAX_RECORD_ENTRIES } from '@tradewright/core/forward-record'
import { formatDate } from '@tradewright/core/time'
import { weightsByTicker } from '@tradewright/engine/live/trading-weights'
import { type Selectable, sql } from 'kysely'
import { hash } from 'node:crypto'
import type { ForwardRecord, RecordStore, RecordSubject, StrategyDecision } from '../../forward-records/ports.ts'
import { signalTypeOf } from '../../live-trading/decision.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

const sha256 = (text: string) => hash('sha256', text)

/** Their links go on working; older ones go when a record begins. */
const MAX_OF_DELETED_STRATEGIES = 100

type Row = Selectable<Tables['forward_records']>
type Signal = StrategyDecision['signal']

export function createRecordStore(database: Database | DatabaseTransaction): RecordStore {
  const records = () => database.selectFrom('forward_records').selectAll()
  const ofSubject = (userId: number, { deploymentId, strategyId }: RecordSubject) =>
    records()
      .where('user_id', '=', userId)
      .where(...(deploymentId === undefined ? equal('strategy_id', strategyId) : equal('deployment_id', deploymentId)))
  const entriesOf = (recordId: number) =>
    database
      .selectFrom('forward_entries')
      .select(['seq', 'content', 'previous', 'hash', 'bar', 'probability', 'happened'])
      .where('record_id', '=', recordId)
  return {
    ...createRecordModels(database),

    async append({ deploymentId, decidedFor, decidedAt, signal }) {
      const record = await records()
        .where('deployment_id', '=', deploymentId)
        .where('is_open', '=', true)
        .forUpdate()
        .executeTakeFirst()
      if (record) await addEntry(database, record, decidedAt, signal, { decided_for: decidedFor.toISOString() })
    },

    async appendStrategy(recordId, { session, decidedAt, signal, synthetic, model, next }) {
      const record = await records()
        .where('id', '=', recordId)
        .where('is_open', '=', true)
        .where('next_session', '=', session)
        .forUpdate()
        .executeTakeFirst()
      if (!record) return false
      await addEntry(
        database,
        record,
        decidedAt,
        signal,
        { decided_for: formatDate(session) },
        { ...(model !== undefined && { model }), synthetic, missed: record.missed.map(formatDate) },
      )
      await database
        .updateTable('forward_records')
        .set({ next_session: next.nextSession, due_at: next.dueAt, missed: '[]', problem: null })
        .where('id', '=', recordId)
        .execute()
      return true
    },

    async find(userId, subject) {
      const row = await ofSubject(userId, subject).executeTakeFirst()
      return row && toRecord(row)
    },

    async open(userId, { deploymentId, strategyId }, { header, at, schedule }) {
      await sql`
        DELETE FROM forward_records WHERE id IN (
          SELECT id FROM forward_records WHERE user_id = ${userId} AND deployment_id IS NULL AND strategy_id IS NULL
          ORDER BY id DESC OFFSET ${MAX_OF_DELETED_STRATEGIES}
        )`.execute(database)
      await forgetModels(database, userId)
      await database
        .insertInto('forward_records')
        .values({
          user_id: userId,
          deployment_id: deploymentId ?? null,
          strategy_id: strategyId ?? null,
          header,
          is_open: true,
          created_at: at,
          strategy: schedule ? JSON.stringify(schedule.strategy) : null,
          next_session: schedule?.nextSession ?? null,
          due_at: schedule?.dueAt ?? null,
          missed: '[]',
        })
        .onConflict((conflict) =>
          conflict.column(deploymentId === undefined ? 'strategy_id' : 'deployment_id').doUpdateSet((row) => ({
            is_open: true,
            // The strategy stays as the header says; one that is open goes on where it is.
            next_session: sql<number | null>`CASE WHEN forward_records.is_open THEN forward_records.next_session
              ELSE ${row.ref('excluded.next_session')} END`,
            due_at: sql<Date | null>`CASE WHEN forward_records.is_open THEN forward_records.due_at
              ELSE ${row.ref('excluded.due_at')} END`,
            problem: null,
          })),
        )
        .execute()
    },

    async close(userId, subject) {
      const open = await ofSubject(userId, subject).where('is_open', '=', true).executeTakeFirst()
      if (!open) return false
      const { numUpdatedRows } = await database
        .updateTable('forward_records')
        .set({ is_open: false, problem: null })
        .where('id', '=', open.id)
        .where('is_open', '=', true)
        .executeTakeFirst()
      await forgetModels(database, userId)
      return numUpdatedRows > 0n
    },

    async openOfStrategies(userId) {
      const { count } = await database
        .selectFrom('forward_records')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('is_open', '=', true)
        .where('strategy_id', 'is not', null)
        .executeTakeFirstOrThrow()
      return count
    },

    async claimDue(now, until, limit) {
      const rows = await database
        .updateTable('forward_records')
        .set({ due_at: until })
        .where('id', 'in', (due) =>
          due
            .selectFrom('forward_records')
            .select('id')
            .where('is_open', '=', true)
            .where('strategy_id', 'is not', null)
            .where('due_at', '<=', now)
            .orderBy('due_at')
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .execute()
      return rows.map(toRecord)
    },

    async reschedule(recordId, session, { nextSession, dueAt, missed, problem }) {
      await database
        .updateTable('forward_records')
        .set({ next_session: nextSession, due_at: dueAt, missed: JSON.stringify(missed), problem })
        .where('id', '=', recordId)
        .where('is_open', '=', true)
        .where('next_session', '=', session)
        .execute()
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

const equal = (column: 'deployment_id' | 'strategy_id', id: number) => [column, '=', id] as const

/** Appends an entry to a record, whose row the caller has locked. */
async function addEntry(
  database: Database | DatabaseTransaction,
  record: Row,
  decidedAt: Date,
  signal: Signal,
  decided: { readonly decided_for: string },
  more: object = {},
): Promise<void> {
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
  const at = decidedAt.toISOString()
  // A broker's clock may be set back; the chain goes on.
  const instant = before !== undefined && before > at ? before : at
  const content = JSON.stringify({ seq, at: instant, ...decided, ...contentOf(signal), ...more })
  await database
    .insertInto('forward_entries')
    .values({
      record_id: record.id,
      seq,
      ...chained(sha256, last?.hash ?? sha256(record.header), content),
      bar: signal.dataAsOf,
      probability: signal.prediction?.probability ?? null,
    })
    .execute()
}

/** Finds the probability in the content of an entry: the column beside it, for queries, must be what the chain says. */
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
const contentOf = (signal: Signal) => ({
  data_as_of: signal.dataAsOf === null ? null : new Date(signal.dataAsOf).toISOString(),
  signal: signalTypeOf(signal),
  probability: signal.prediction?.probability ?? null,
  weights: Object.fromEntries(weightsByTicker(signal.weights)),
  closes: signal.closes ?? {},
  data_fingerprint: signal.fingerprint,
})

const toRecord = (row: Row): ForwardRecord => ({
  id: row.id,
  userId: row.user_id,
  deploymentId: row.deployment_id,
  strategyId: row.strategy_id,
  schedule:
    row.strategy === null
      ? null
      : {
          strategy: row.strategy,
          nextSession: row.next_session!,
          dueAt: row.due_at!,
          missed: row.missed,
          problem: row.problem,
        },
  header: row.header,
  isOpen: row.is_open,
  createdAt: row.created_at,
  linkExpiresAt: row.link_expires_at,
  importedEntries: row.imported_entries,
})

type ModelsOfRecords = Pick<RecordStore, 'models' | 'keepModel' | 'postponeModel'>

function createRecordModels(database: Database | DatabaseTransaction): ModelsOfRecords {
  return {
    models: (recordId) =>
      database
        .selectFrom('forward_models')
        .select([
          'window_number as window',
          'sized_on_rows as sizedOnRows',
          'decides_after as after',
          'bytes',
          'checksum',
          'next_at as nextAt',
        ])
        .where('record_id', '=', recordId)
        .where('checksum', '=', sql<string>`encode(sha256(bytes), 'hex')`)
        .orderBy('window_number')
        .execute(),

    async keepModel(recordId, { window, sizedOnRows, after, bytes, checksum, nextAt }) {
      await sql`
        DELETE FROM forward_models WHERE record_id = ${recordId} AND checksum <> encode(sha256(bytes), 'hex')
      `.execute(database)
      await sql`
        INSERT INTO forward_models (record_id, window_number, sized_on_rows, decides_after, bytes, checksum, next_at)
        SELECT id, ${window}::integer, ${sizedOnRows}::integer, ${after}::timestamptz, ${Buffer.from(bytes)}::bytea,
          ${checksum}::text, ${nextAt}::timestamptz
        FROM forward_records WHERE id = ${recordId} AND is_open
        ON CONFLICT DO NOTHING`.execute(database)
      await sql`
        DELETE FROM forward_models WHERE record_id = ${recordId} AND window_number < (
          SELECT max(window_number) FROM forward_models WHERE record_id = ${recordId} AND window_number < ${window}
        )`.execute(database)
    },

    async postponeModel(recordId, window, nextAt) {
      await database
        .updateTable('forward_models')
        .set({ next_at: nextAt })
        .where('record_id', '=', recordId)
        .where('window_number', '=', window)
        .execute()
    },
  }
}

/** Removes the models of records that decide no more; one that is opened again trains its model again. */
async function forgetModels(database: Database | DatabaseTransaction, userId: number): Promise<void> {
  await sql`
    DELETE FROM forward_models USING forward_records AS record
    WHERE record_id = record.id AND user_id = ${userId} AND NOT (is_open AND strategy_id IS NOT NULL)`.execute(database)
}
