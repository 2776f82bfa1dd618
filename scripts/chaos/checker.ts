import type pg from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import type { Findings } from './findings.ts'
import type { ScriptedUser } from './scripted-user.ts'

/** Rows that must not exist, whatever was killed when. */
const NEVER: Record<string, string> = {
  'an order was sent twice': `
    SELECT client_order_id FROM paper_orders GROUP BY account_id, client_order_id HAVING count(*) > 1`,
  'an order at the broker is not in the journal': `
    SELECT client_order_id FROM paper_orders p WHERE client_order_id LIKE 'tw-%'
      AND NOT EXISTS (SELECT FROM order_intents i WHERE i.client_order_id = p.client_order_id)`,
  'two decisions for one instant': `
    SELECT deployment_id, decided_for FROM deployment_decisions GROUP BY 1, 2 HAVING count(*) > 1`,
  'a ledger entry does not balance': `
    SELECT e.id, leg->>'asset' FROM ledger_entries e, jsonb_array_elements(legs::jsonb) leg
      GROUP BY e.id, leg->>'asset' HAVING sum((leg->>'amount')::numeric) <> 0`,
  'balances differ from the sum of the ledger': `
    SELECT coalesce(l.account_id, b.account_id), coalesce(l.party, b.party), coalesce(l.asset, b.asset)
      FROM (SELECT account_id, leg->>'party' AS party, leg->>'asset' AS asset, sum((leg->>'amount')::numeric) AS amount
        FROM ledger_entries, jsonb_array_elements(legs::jsonb) leg GROUP BY 1, 2, 3) l
      FULL JOIN book_balances b ON b.account_id = l.account_id AND b.party = l.party AND b.asset = l.asset
      WHERE coalesce(l.amount, 0) <> coalesce(b.amount, 0)`,
}

/** Must be settled once no more faults come. */
const FINALLY_NEVER: Record<string, string> = {
  'a job is stuck': `SELECT id, kind, state, attempts, worker_id, started_at, updated_at, progress FROM jobs
      WHERE state IN ('queued', 'running') ORDER BY state DESC, created_at`,
  'an order is lost: in the journal as sent, not at the broker': `
    SELECT client_order_id, state FROM order_intents i
      WHERE state NOT IN ('intended', 'sending', 'rejected', 'abandoned', 'expired', 'cancelled')
      AND NOT EXISTS (SELECT FROM paper_orders p WHERE p.client_order_id = i.client_order_id)`,
  'an order was neither sent nor given up': `
    SELECT client_order_id, state, attempts, reason FROM order_intents
      WHERE state IN ('intended', 'sending') AND created_at < clock_timestamp() - interval '1 minute'`,
  'a fill is not booked': `
    SELECT i.client_order_id, p.filled_quantity, i.booked_quantity FROM order_intents i
      JOIN paper_orders p USING (client_order_id) WHERE p.filled_quantity <> i.booked_quantity`,
  'cash of books and broker differ': `
    SELECT p.account_id, p.cash, sum(b.amount) FROM paper_accounts p JOIN book_balances b USING (account_id)
      WHERE b.asset = 'USD' AND b.party <> 'market' GROUP BY 1, 2 HAVING abs(p.cash - sum(b.amount)) > 0.01`,
  'a running deployment has no process': `
    SELECT id FROM deployments LEFT JOIN deployment_leases ON deployment_id = id
      WHERE status = 'running' AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at < clock_timestamp())`,
}

const ATTEMPTS = 20

/** After each restart: what the database says, and the whole journal of some users. */
export async function checkNow(database: pg.Pool, users: readonly ScriptedUser[], findings: Findings): Promise<void> {
  await refuseRows(database, NEVER, findings)
  await Promise.all(users.map((user) => user.verify()))
}

/**
 * Limits all the waiting, as a multiple of the time without any progress: runs that begin again and again get on as
 * well, and never end.
 */
const MAX_STRETCH = 10

/**
 * Work that waits for a slow machine is not stuck: as long as jobs end or get on, it may go on. The number of jobs alone
 * does not tell, since a run adds new pieces of work with every generation.
 */
async function untilAtRest(database: pg.Pool, restWithinMs: number): Promise<void> {
  let [known, unfinished] = ['', -1]
  const until = performance.now() + MAX_STRETCH * restWithinMs
  const isPatient = (since: number) => performance.now() < Math.min(until, since + restWithinMs)
  for (let since = performance.now(); isPatient(since); await pause(1_000)) {
    if ((await findRows(database, FINALLY_NEVER)).length === 0) return
    const { rows } = await database.query<{ unfinished: string; progress: string }>(`
      SELECT count(*) AS unfinished, md5(string_agg(id::text || coalesce(progress::text, ''), ' ' ORDER BY id)) AS progress
        FROM jobs WHERE state IN ('queued', 'running')`)
    const now = JSON.stringify(rows[0])
    if (now === known) continue
    known = now
    since = performance.now()
    if (Math.floor(Number(rows[0]!.unfinished) / 100) === Math.floor(unfinished / 100)) continue
    unfinished = Number(rows[0]!.unfinished)
    console.log(`${unfinished} jobs are not finished`)
  }
}

/** When no more faults come: everything settles, and every user finds everything. */
export async function checkFinally(
  database: pg.Pool,
  users: readonly ScriptedUser[],
  findings: Findings,
  restWithinMs: number,
): Promise<void> {
  await untilAtRest(database, restWithinMs)
  await refuseRows(database, { ...NEVER, ...FINALLY_NEVER }, findings)
  for (const user of users) {
    let isVerified: boolean | undefined
    for (let attempt = 0; attempt < ATTEMPTS && isVerified === undefined; attempt++) {
      isVerified = await user.verify()
      if (isVerified === undefined) await pause(500)
    }
    if (isVerified === undefined) findings.violation('no answer in the end', user.name)
  }
}

async function refuseRows(database: pg.Pool, rules: Record<string, string>, findings: Findings): Promise<void> {
  for (const { rule, row } of await findRows(database, rules)) findings.violation(rule, row)
  findings.count('checks of the database')
}

async function findRows(database: pg.Pool, rules: Record<string, string>): Promise<{ rule: string; row: string }[]> {
  const found: { rule: string; row: string }[] = []
  for (const [rule, query] of Object.entries(rules)) {
    const rows = await asked(database, query)
    found.push(...rows.map((row) => ({ rule, row: JSON.stringify(row) })))
  }
  return found
}

/** The database may just be starting. */
async function asked(database: pg.Pool, query: string): Promise<unknown[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await database.query(query)).rows
    } catch (error) {
      if (attempt === ATTEMPTS || /syntax|does not exist/.test((error as Error).message)) throw error
      await pause(500)
    }
  }
}
