import { sql, type Kysely } from 'kysely'

/** Runs that were not saved are rows, too; and links that open one result to anyone who has them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE backtests ADD COLUMN is_saved boolean NOT NULL DEFAULT true`.execute(database)
  await sql`ALTER TABLE backtests ALTER COLUMN is_saved DROP DEFAULT`.execute(database)
  await sql`
    CREATE TABLE result_links (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      backtest_id integer NOT NULL REFERENCES backtests ON DELETE CASCADE,
      token_hash bytea NOT NULL UNIQUE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX result_links_by_backtest ON result_links (backtest_id)`.execute(database)
}
