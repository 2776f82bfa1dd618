import type pg from 'pg'
import type { AllowanceAnswer, AllowanceStore } from '../adapters/http/shared-allowances.ts'

/** Parts of a window that are counted separately; calls count until the end of their part has passed a window ago. */
const SLOTS_PER_WINDOW = 128

/**
 * One statement: the row is locked, then the time is read, so that no process counts with a time from before another's
 * grant. $3 to $8: limit of this caller, window in ms, tokens it needs, tokens it would take, ms until they are used at
 * the latest, ms of a slot. $9: the time, where a test has its own. $10: whether a pause does not count.
 */
const TAKE = `/* prepared: take-allowance */
WITH held AS (
  SELECT slots, calls, paused_until FROM call_allowances WHERE service = $1 AND fingerprint = $2 FOR UPDATE
), timed AS (
  SELECT held.*, coalesce($9::float8, extract(epoch FROM clock_timestamp())::float8 * 1000) AS at FROM held
), live AS (
  SELECT slot, n FROM timed, unnest(timed.slots, timed.calls) AS spent(slot, n) WHERE slot > timed.at - $4::float8
), decision AS (
  SELECT at, paused_until, free,
    CASE WHEN (paused_until > at AND NOT $10::boolean) OR free < $5::int THEN 0 ELSE least($6::int, free) END AS granted
  FROM timed, (SELECT $3::int - coalesce(sum(n), 0)::int AS free FROM live) AS counted
), kept AS (
  SELECT slot, sum(n)::int AS n FROM (
    SELECT slot, n FROM live
    UNION ALL
    SELECT (ceil((at + $7::float8) / $8::float8) * $8::float8)::bigint, granted FROM decision WHERE granted > 0
  ) AS all_calls GROUP BY slot
)
UPDATE call_allowances SET
  slots = coalesce((SELECT array_agg(slot ORDER BY slot) FROM kept), '{}'),
  calls = coalesce((SELECT array_agg(n ORDER BY slot) FROM kept), '{}'),
  updated_at = clock_timestamp()
FROM decision WHERE service = $1 AND fingerprint = $2
RETURNING decision.granted AS granted, greatest(0, decision.paused_until - decision.at)::float8 AS paused_millis,
  ((SELECT min(slot) FROM (SELECT slot, sum(n) OVER (ORDER BY slot) AS freed FROM live) AS ends
    WHERE freed >= $5::int - decision.free) + $4::float8 - decision.at)::float8 AS wait_millis`

const PAUSE = `
INSERT INTO call_allowances AS known (service, fingerprint, paused_until)
VALUES ($1, $2, coalesce($4::float8, extract(epoch FROM clock_timestamp())::float8 * 1000) + $3::float8)
ON CONFLICT (service, fingerprint) DO UPDATE SET
  paused_until = greatest(known.paused_until, excluded.paused_until), updated_at = clock_timestamp()`

interface Taken {
  granted: number
  paused_millis: number
  wait_millis: number | null
}

/** Allowances in our database, by its clock, or in a test by `now`. */
export function createCallAllowances(pool: Pick<pg.Pool, 'query'>, now?: () => number): AllowanceStore {
  const time = () => now?.() ?? null
  return {
    async acquire({ service, fingerprint }, { calls, windowMillis, need, want, leaseMillis, ignoresPause }) {
      const slotMillis = Math.max(1, Math.floor(windowMillis / SLOTS_PER_WINDOW))
      const limits = [calls, windowMillis, need, want, leaseMillis, slotMillis]
      const values = [service, fingerprint, ...limits, time(), ignoresPause]
      for (;;) {
        const { rows } = await pool.query<Taken>(TAKE, values)
        const taken = rows[0]
        if (taken) return toAnswer(taken)
        await addRow(pool, service, fingerprint)
      }
    },
    async pause({ service, fingerprint }, milliseconds) {
      await pool.query(PAUSE, [service, fingerprint, Math.ceil(milliseconds), time()])
    },
  }
}

const toAnswer = ({ granted, paused_millis, wait_millis }: Taken): AllowanceAnswer => ({
  granted,
  pausedMillis: Math.ceil(paused_millis),
  waitMillis: Math.max(1, Math.ceil(wait_millis ?? 1)),
})

/** Keys that users bring come and go, so old rows leave when a new one comes. */
async function addRow(pool: Pick<pg.Pool, 'query'>, service: string, fingerprint: string): Promise<void> {
  await pool.query(`DELETE FROM call_allowances WHERE updated_at < now() - interval '1 day'`)
  await pool.query(`INSERT INTO call_allowances (service, fingerprint) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
    service,
    fingerprint,
  ])
}
