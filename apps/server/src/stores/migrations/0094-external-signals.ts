import { sql, type Kysely } from 'kysely'

/** Signals from outside as the fourth type of strategies: addresses, and the record of what was received. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE strategies
      DROP CONSTRAINT strategies_strategy_type_check,
      ADD CONSTRAINT strategies_strategy_type_check
        CHECK (strategy_type IN ('Asset Allocation', 'ML', 'Rules', 'External signal'))`.execute(database)
  await sql`
    CREATE TABLE signal_addresses (
      strategy_id integer PRIMARY KEY REFERENCES strategies ON DELETE CASCADE,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      address_hash bytea NOT NULL UNIQUE,
      sealed_secret bytea NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(database)
  await sql`
    CREATE TABLE external_signals (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      strategy_id integer NOT NULL REFERENCES strategies ON DELETE CASCADE,
      received_at timestamptz NOT NULL,
      outcome text NOT NULL,
      reason text,
      event_id text,
      target jsonb,
      CONSTRAINT accepted_ones_are_whole CHECK (outcome <> 'accepted' OR (event_id IS NOT NULL AND target IS NOT NULL))
    )`.execute(database)
  await sql`
    CREATE UNIQUE INDEX signals_once ON external_signals (strategy_id, event_id) WHERE outcome = 'accepted'`.execute(
    database,
  )
  await sql`CREATE INDEX signals_by_time ON external_signals (strategy_id, received_at)`.execute(database)
}
