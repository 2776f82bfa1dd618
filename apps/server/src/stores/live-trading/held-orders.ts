import type pg from 'pg'

/** No process has this id. */
const HELD_BY_RESTORE = '00000000-0000-0000-0000-000000000000'
/** Tables of earlier versions have no column for what was deleted. */
const RUNS = `status = 'running' AND to_jsonb(deployments) ->> 'deleted_at' IS NULL`

/**
 * Takes the lease of every deployment without an expiry: no process, on any machine, sends anything to the brokers of these
 * accounts until the operator releases them. Gives how many run.
 */
export async function holdOrders(client: pg.ClientBase): Promise<number> {
  await client.query(
    `INSERT INTO deployment_leases (deployment_id, holder, expires_at) SELECT id, $1, 'infinity' FROM deployments
     ON CONFLICT (deployment_id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at`,
    [HELD_BY_RESTORE],
  )
  const { rows } = await client.query<{ running: number }>(
    `SELECT count(*)::int AS running FROM deployments WHERE ${RUNS}`,
  )
  return rows[0]!.running
}

/** The accounts whose deployments a restore holds back. */
export async function heldAccounts(client: pg.ClientBase): Promise<{ accountId: number; userId: number }[]> {
  const { rows } = await client.query<{ accountId: number; userId: number }>(
    `SELECT DISTINCT account_id AS "accountId", user_id AS "userId" FROM deployment_leases JOIN deployments ON id = deployment_id
     WHERE NOT isfinite(expires_at) ORDER BY account_id`,
  )
  return rows
}

/** Gives how many of those that were held in these accounts run. */
export async function releaseOrders(client: pg.ClientBase, accountIds: readonly number[]): Promise<number> {
  const { rows } = await client.query<{ released: number }>(
    `WITH released AS (DELETE FROM deployment_leases WHERE NOT isfinite(expires_at) AND deployment_id IN (
       SELECT id FROM deployments WHERE account_id = ANY ($1::int[])) RETURNING deployment_id)
     SELECT count(*)::int AS released FROM released JOIN deployments ON id = deployment_id WHERE ${RUNS}`,
    [accountIds],
  )
  return rows[0]!.released
}
