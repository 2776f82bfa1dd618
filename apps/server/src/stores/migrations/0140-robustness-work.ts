import { sql, type Kysely } from 'kysely'

/** What the checks of a result read, while processes share them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE robustness_work (
      id uuid PRIMARY KEY,
      backtest_id integer NOT NULL REFERENCES backtests ON DELETE CASCADE,
      material bytea NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX robustness_work_by_backtest ON robustness_work (backtest_id)`.execute(database)
}
