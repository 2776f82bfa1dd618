import { Decimal } from '@tradewright/core/decimal'
import { sql, type Selectable } from 'kysely'
import type { Activity, JournalStore, Snapshot, StoredReplay } from '../../live-trading/ports/journal.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

/** Rows in one statement: others that need the tables wait no longer than that takes. */
const FORGOTTEN_AT_ONCE = 20_000

export function createJournalStore(database: Database | DatabaseTransaction): JournalStore {
  const snapshots = (deploymentId: number) =>
    database.selectFrom('deployment_snapshots').selectAll().where('deployment_id', '=', deploymentId)
  return {
    async tell(items) {
      if (items.length === 0) return
      const rows = items.map(({ deploymentId, at, activity }) => ({
        deployment_id: deploymentId,
        at,
        item: JSON.stringify(activity),
      }))
      await database.insertInto('deployment_activity').values(rows).execute()
    },

    async activity(deploymentId, limit) {
      const rows = await database
        .selectFrom('deployment_activity')
        .select(['at', 'item'])
        .where('deployment_id', '=', deploymentId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ at, item }) => ({ at, activity: item as Activity }))
    },

    async insertSnapshots(taken) {
      if (taken.length === 0) return
      const rows = taken.map(({ deploymentId, at, value, cash, netContributions, growth, accountValue }) => ({
        deployment_id: deploymentId,
        at,
        value: String(value),
        cash: String(cash),
        net_contributions: String(netContributions),
        growth,
        account_value: String(accountValue),
      }))
      await database.insertInto('deployment_snapshots').values(rows).execute()
    },

    async lastSnapshot(deploymentId, before) {
      let query = snapshots(deploymentId)
      if (before) query = query.where('at', '<', before)
      const row = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row && toSnapshot(row)
    },

    async lastSnapshots(deploymentIds) {
      const { rows } = await sql<Selectable<Tables['deployment_snapshots']>>`
        SELECT latest.* FROM unnest(${[...deploymentIds]}::int[]) AS deployment (id)
        CROSS JOIN LATERAL (
          SELECT * FROM deployment_snapshots
          WHERE deployment_id = deployment.id ORDER BY at DESC, id DESC LIMIT 1
        ) AS latest`.execute(database)
      return new Map(rows.map((row) => [row.deployment_id, toSnapshot(row)]))
    },

    async highestGrowth(deploymentId) {
      const row = await database
        .selectFrom('deployment_snapshots')
        .select((snapshot) => snapshot.fn.max<number | null>('growth').as('growth'))
        .where('deployment_id', '=', deploymentId)
        .executeTakeFirstOrThrow()
      return row.growth ?? 1
    },

    async dailyGrowth(deploymentIds, now, days) {
      // Thirty index look-ups, however many snapshots a day has.
      const { rows } = await sql<{ id: number; growth: number }>`
        SELECT deployment.id, latest.growth
        FROM unnest(${[...deploymentIds]}::int[]) AS deployment (id)
        CROSS JOIN generate_series(0, ${days}::int - 1) AS back (days)
        CROSS JOIN LATERAL (
          SELECT growth FROM deployment_snapshots
          WHERE deployment_id = deployment.id
            AND at <= ${now}::timestamptz - back.days * interval '1 day'
            AND at > ${now}::timestamptz - (back.days + 1) * interval '1 day'
          ORDER BY at DESC LIMIT 1
        ) AS latest
        ORDER BY deployment.id, back.days DESC`.execute(database)
      const byDeployment = Map.groupBy(rows, ({ id }) => id)
      return new Map([...byDeployment].map(([id, own]) => [id, own.map(({ growth }) => growth)]))
    },

    async snapshots(deploymentId, limit) {
      const { rows } = await sql<Selectable<Tables['deployment_snapshots']>>`
        SELECT * FROM (
          SELECT *, row_number() OVER (ORDER BY at DESC, id DESC) - 1 AS place, count(*) OVER () AS total
          FROM deployment_snapshots WHERE deployment_id = ${deploymentId}
        ) numbered
        WHERE place % greatest(1, ceil(total / ${limit}::numeric)) = 0
        ORDER BY at, id`.execute(database)
      return rows.map(toSnapshot)
    },

    async appendLog(lines) {
      if (lines.length === 0) return
      const ids = lines.map(({ deploymentId }) => deploymentId)
      const texts = lines.map(({ line }) => line)
      await sql`
        INSERT INTO deployment_log (deployment_id, line)
        SELECT id, line FROM unnest(${ids}::int[], ${texts}::text[]) WITH ORDINALITY AS written (id, line, place)
        ORDER BY place`.execute(database)
    },

    async logTail(deploymentId, lines) {
      const rows = await database
        .selectFrom('deployment_log')
        .select('line')
        .where('deployment_id', '=', deploymentId)
        .orderBy('id', 'desc')
        .limit(lines)
        .execute()
      return rows.map(({ line }) => line).toReversed()
    },

    async forget(before) {
      // Lines begin with their instant.
      const line = before.toISOString().slice(0, 19).replace('T', ' ')
      const statements = [
        sql`DELETE FROM deployment_log WHERE id IN (
          SELECT id FROM deployment_log WHERE line COLLATE "C" < ${line} ORDER BY id LIMIT ${FORGOTTEN_AT_ONCE})`,
        sql`DELETE FROM deployment_activity WHERE id IN (
          SELECT id FROM deployment_activity WHERE at < ${before} AND item->>'type' = 'signal' AND item->>'action' LIKE 'Hold:%'
          LIMIT ${FORGOTTEN_AT_ONCE})`,
        sql`DELETE FROM deployment_decisions WHERE id IN (
          SELECT id FROM (
            SELECT id, outcome, decided_at,
              row_number() OVER (PARTITION BY deployment_id, signal->>'dataAsOf' ORDER BY decided_at) AS of_bar,
              row_number() OVER (PARTITION BY deployment_id ORDER BY decided_for DESC) AS newest
            FROM deployment_decisions
          ) AS decided
          WHERE outcome = 'held' AND decided_at < ${before} AND of_bar > 1 AND newest > 1 LIMIT ${FORGOTTEN_AT_ONCE})`,
      ]
      for (const statement of statements) {
        let removed = FORGOTTEN_AT_ONCE
        while (removed === FORGOTTEN_AT_ONCE) removed = Number((await statement.execute(database)).numAffectedRows ?? 0)
      }
    },

    async replay(deploymentId) {
      const row = await database
        .selectFrom('deployment_replays')
        .select(['computed_at', 'result'])
        .where('deployment_id', '=', deploymentId)
        .executeTakeFirst()
      return row && { ...(row.result as Omit<StoredReplay, 'computedAt'>), computedAt: row.computed_at }
    },

    async replayedAt(deploymentId) {
      const row = await database
        .selectFrom('deployment_replays')
        .select('computed_at')
        .where('deployment_id', '=', deploymentId)
        .executeTakeFirst()
      return row?.computed_at
    },

    async saveReplay(deploymentId, { computedAt, ...result }) {
      const columns = { computed_at: computedAt, result: JSON.stringify(result) }
      await database
        .insertInto('deployment_replays')
        .values({ deployment_id: deploymentId, ...columns })
        .onConflict((conflict) => conflict.column('deployment_id').doUpdateSet(columns))
        .execute()
    },
  }
}

const toSnapshot = (row: Selectable<Tables['deployment_snapshots']>): Snapshot => ({
  at: row.at,
  value: Decimal.parse(row.value),
  cash: Decimal.parse(row.cash),
  netContributions: Decimal.parse(row.net_contributions),
  growth: row.growth,
  accountValue: Decimal.parse(row.account_value),
})
