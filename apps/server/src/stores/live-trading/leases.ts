import { sql } from 'kysely'
import type { Attendance, LeaseStore } from '../../live-trading/ports/leases.ts'
import { type Database, type DatabaseTransaction, withinTransaction } from '../database.ts'
import { toDeployment } from './deployment-row.ts'

/** Names the advisory lock of claims. */
const CLAIMS = 7_101
const MAX_CLAIM_MS = '5000'
/** A process that has not claimed for so long takes no share; where it lives and was only slow, it releases nothing by that. */
const PRESENT_SECONDS = 10

export function createLeaseStore(database: Database | DatabaseTransaction): LeaseStore {
  return {
    claim: (holder, seconds, capacity = 1) =>
      withinTransaction(database, async (transaction) => {
        // One process at a time: two that took deployments of one account at once would not see each other's. One that
        // hangs in here is thrown out.
        await sql`SELECT set_config('idle_in_transaction_session_timeout', ${MAX_CLAIM_MS}, true)`.execute(transaction)
        await sql`SELECT pg_advisory_xact_lock(${CLAIMS}, 0)`.execute(transaction)
        await sql`INSERT INTO live_processes (holder, capacity, seen_at) VALUES (${holder}::uuid, ${capacity}, clock_timestamp())
          ON CONFLICT (holder) DO UPDATE SET capacity = excluded.capacity, seen_at = excluded.seen_at
          WHERE live_processes.seen_at < clock_timestamp() - make_interval(secs => ${PRESENT_SECONDS} / 3.0)`.execute(
          transaction,
        )
        // A paused one with a loss limit is watched. A stopped or paused deployment keeps its lease holder until its last order has ended and is booked. A lease
        // that has most of its time left is not written anew at every poll. All deployments of an account are one
        // process's, which nets their opposite orders.
        const { rows } = await sql<{ deployment_id: number; is_taken_over: boolean; surplus: number }>`
          WITH known AS MATERIALIZED (
            SELECT deployment_id, account_id, holder = ${holder}::uuid AS is_mine, expires_at < clock_timestamp() AS is_over,
              expires_at > clock_timestamp() + make_interval(secs => ${seconds} * 2 / 3.0) AS is_fresh
            FROM deployment_leases JOIN deployments ON id = deployment_id
          ), needed AS MATERIALIZED (
            SELECT id, deployments.account_id, coalesce(is_mine AND NOT is_over, false) AS is_mine,
              coalesce(is_mine AND is_fresh, false) AS is_kept,
              coalesce(is_over AND NOT is_mine, false) AS is_dead,
              NOT coalesce(is_mine, false) AND EXISTS (SELECT FROM known AS other
                WHERE other.account_id = deployments.account_id AND NOT other.is_mine AND NOT other.is_over) AS is_elsewhere
            FROM deployments LEFT JOIN known ON deployment_id = id
            WHERE deleted_at IS NULL AND (
              status = 'running'
              OR liquidating_since IS NOT NULL
              OR (status = 'paused' AND coalesce(settings->>'maxDailyLossPct', settings->>'maxDrawdownPct') IS NOT NULL)
              OR EXISTS (SELECT FROM order_intents o WHERE o.deployment_id = deployments.id AND (
                o.state IN ('intended', 'sending', 'pending', 'accepted', 'partially_filled')
                OR o.booked_quantity <> o.filled_quantity))
              OR EXISTS (SELECT FROM deployment_decisions d
                WHERE d.deployment_id = deployments.id AND d.outcome IN ('selling', 'buying'))
            )
          ), shares AS (
            SELECT ceil((SELECT count(DISTINCT account_id) FROM needed)
              * sum(capacity) FILTER (WHERE holder = ${holder}::uuid)::numeric / sum(capacity)) AS share
            FROM live_processes
            WHERE holder = ${holder}::uuid OR seen_at > clock_timestamp() - make_interval(secs => ${PRESENT_SECONDS})
          ), ranked AS (
            SELECT account_id, bool_or(is_mine) AS is_mine,
              row_number() OVER (ORDER BY bool_or(is_mine) DESC, account_id) AS rank
            FROM needed WHERE NOT is_elsewhere GROUP BY account_id
          ), chosen AS (
            SELECT account_id FROM ranked, shares WHERE is_mine OR rank <= share
          ), taken AS (
            INSERT INTO deployment_leases (deployment_id, holder, expires_at)
            SELECT id, ${holder}::uuid, clock_timestamp() + make_interval(secs => ${seconds})
            FROM needed WHERE NOT is_kept AND NOT is_elsewhere AND account_id IN (SELECT account_id FROM chosen) ORDER BY id
            ON CONFLICT (deployment_id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
            WHERE deployment_leases.holder = excluded.holder OR deployment_leases.expires_at < clock_timestamp()
            RETURNING deployment_id
          )
          SELECT id AS deployment_id, NOT is_kept AND is_dead AS is_taken_over,
            (SELECT greatest(0, count(*) FILTER (WHERE is_mine) - max(share))::int FROM ranked, shares) AS surplus
          FROM needed
          WHERE is_kept OR id IN (SELECT deployment_id FROM taken)`.execute(transaction)
        if (rows.length === 0) return { held: [], takenOver: new Set(), surplus: 0 }
        const held = await transaction
          .selectFrom('deployments')
          .selectAll()
          .where(
            'id',
            'in',
            rows.map((row) => row.deployment_id),
          )
          .orderBy('id')
          .execute()
        const takenOver = rows.filter((row) => row.is_taken_over).map((row) => row.deployment_id)
        return { held: held.map(toDeployment), takenOver: new Set(takenOver), surplus: rows[0]!.surplus }
      }),

    async held(deploymentIds, holder) {
      const rows = await database
        .selectFrom('deployment_leases')
        .select('deployment_id')
        .where('deployment_id', 'in', [...deploymentIds])
        .where('holder', '=', holder)
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        // In the order of `claim`: two that lock the same rows never wait for each other.
        .orderBy('deployment_id')
        .forNoKeyUpdate()
        .execute()
      return new Set(rows.map((row) => row.deployment_id))
    },

    async attendance(deploymentId) {
      const { rows } = await sql<{ isHeld: boolean | null; isAttended: boolean | null }>`
        SELECT bool_or(NOT isfinite(expires_at)) AS "isHeld",
          bool_or(deployment_id = ${deploymentId} AND expires_at > clock_timestamp()) AS "isAttended"
        FROM deployment_leases JOIN deployments ON id = deployment_id
        WHERE account_id = (SELECT account_id FROM deployments WHERE id = ${deploymentId})`.execute(database)
      return rows[0]?.isHeld ? 'held' : rows[0]?.isAttended ? 'attended' : 'none'
    },

    async attendances(deploymentIds) {
      const { rows } = await sql<{ id: number; attendance: Attendance }>`
        SELECT own.id, CASE
          WHEN bool_or(NOT isfinite(expires_at)) THEN 'held'
          WHEN bool_or(deployment_id = own.id AND expires_at > clock_timestamp()) THEN 'attended'
          ELSE 'none' END AS attendance
        FROM deployments AS own
        JOIN deployments AS other ON other.account_id = own.account_id
        LEFT JOIN deployment_leases ON deployment_id = other.id
        WHERE own.id = ANY (${[...deploymentIds]}::int[]) GROUP BY own.id`.execute(database)
      return new Map(rows.map(({ id, attendance }) => [id, attendance]))
    },

    async expireAll() {
      await database
        .updateTable('deployment_leases')
        .set({ expires_at: sql<Date>`clock_timestamp() - interval '1 second'` })
        .where(sql<boolean>`isfinite(expires_at)`)
        .execute()
      await database.deleteFrom('live_processes').execute()
    },

    async release(holder, deploymentIds) {
      let leases = database.deleteFrom('deployment_leases').where('holder', '=', holder)
      if (deploymentIds) leases = leases.where('deployment_id', 'in', [...deploymentIds])
      await leases.execute()
      // Its share is free for the others at once.
      if (!deploymentIds) await database.deleteFrom('live_processes').where('holder', '=', holder).execute()
    },
  }
}
