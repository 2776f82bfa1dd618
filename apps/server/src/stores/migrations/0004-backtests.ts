import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE strategies (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL,
      description text,
      strategy_type text NOT NULL CHECK (strategy_type IN ('Asset Allocation', 'ML')),
      config jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT one_strategy_per_name_and_type UNIQUE (user_id, name, strategy_type)
    )`.execute(database)
  await sql`
    CREATE TABLE backtests (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      strategy_id integer REFERENCES strategies ON DELETE CASCADE,
      strategy_name text NOT NULL,
      name text NOT NULL,
      config jsonb NOT NULL,
      report jsonb NOT NULL,
      cagr double precision,
      sharpe double precision,
      total_return double precision NOT NULL,
      max_drawdown double precision NOT NULL,
      synthetic boolean NOT NULL,
      run_id uuid NOT NULL UNIQUE,
      created_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX backtests_by_user ON backtests (user_id, created_at DESC)`.execute(database)
  await sql`CREATE INDEX backtests_by_strategy ON backtests (strategy_id, created_at DESC)`.execute(database)
}
