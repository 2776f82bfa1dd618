import { sql, type Kysely } from 'kysely'

/** Calls of all processes together against each vendor's allowance, one row per service and key. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE call_allowances (
      service text NOT NULL,
      fingerprint text NOT NULL,
      slots bigint[] NOT NULL DEFAULT '{}',
      calls integer[] NOT NULL DEFAULT '{}',
      paused_until bigint NOT NULL DEFAULT 0,
      updated_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (service, fingerprint)
    )`.execute(database)
}
