import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE brokerage_accounts (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL,
      broker text NOT NULL CHECK (broker IN ('alpaca', 'paper')),
      is_paper boolean NOT NULL,
      is_default boolean NOT NULL,
      sealed_keys bytea,
      status text NOT NULL CHECK (status IN ('verified', 'not_verified', 'rejected')),
      status_reason text,
      connected_at timestamptz,
      created_at timestamptz NOT NULL,
      CONSTRAINT keys_at_a_real_broker CHECK ((broker = 'paper') = (sealed_keys IS NULL))
    )`.execute(database)
  await sql`CREATE UNIQUE INDEX one_default_account ON brokerage_accounts (user_id) WHERE is_default`.execute(database)
  await sql`CREATE UNIQUE INDEX one_paper_account ON brokerage_accounts (user_id) WHERE broker = 'paper'`.execute(
    database,
  )
  await sql`CREATE INDEX brokerage_accounts_by_user ON brokerage_accounts (user_id)`.execute(database)
  await paperTables(database)
  await portfolioTables(database)
}

async function paperTables(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE paper_accounts (
      account_id integer PRIMARY KEY REFERENCES brokerage_accounts ON DELETE CASCADE,
      cash numeric NOT NULL,
      trading_cost_bps double precision NOT NULL,
      partial_fill double precision NOT NULL,
      orders_issued integer NOT NULL,
      fills_issued integer NOT NULL,
      settled_at timestamptz NOT NULL,
      opened_at timestamptz NOT NULL
    )`.execute(database)
  await sql`
    CREATE TABLE paper_positions (
      account_id integer NOT NULL REFERENCES paper_accounts ON DELETE CASCADE,
      ticker text NOT NULL,
      quantity numeric NOT NULL,
      average_entry_price numeric NOT NULL,
      PRIMARY KEY (account_id, ticker)
    )`.execute(database)
  await sql`
    CREATE TABLE paper_orders (
      account_id integer NOT NULL REFERENCES paper_accounts ON DELETE CASCADE,
      order_id text NOT NULL,
      number integer NOT NULL,
      client_order_id text NOT NULL,
      ticker text NOT NULL,
      side text NOT NULL CHECK (side IN ('buy', 'sell')),
      quantity numeric,
      notional numeric,
      limit_price numeric,
      time_in_force text NOT NULL,
      state text NOT NULL,
      filled_quantity numeric NOT NULL,
      average_fill_price numeric,
      submitted_at timestamptz NOT NULL,
      ended_at timestamptz,
      reason text,
      PRIMARY KEY (account_id, order_id),
      CONSTRAINT one_order_per_client_id UNIQUE (account_id, client_order_id),
      CONSTRAINT one_size CHECK ((quantity IS NULL) <> (notional IS NULL))
    )`.execute(database)
  await sql`CREATE INDEX open_paper_orders ON paper_orders (account_id) WHERE ended_at IS NULL`.execute(database)
  await sql`CREATE INDEX paper_orders_by_time ON paper_orders (account_id, number DESC)`.execute(database)
  await sql`
    CREATE TABLE paper_fills (
      account_id integer NOT NULL REFERENCES paper_accounts ON DELETE CASCADE,
      execution_id text NOT NULL,
      number integer NOT NULL,
      order_id text NOT NULL,
      client_order_id text NOT NULL,
      ticker text NOT NULL,
      side text NOT NULL,
      quantity numeric NOT NULL,
      price numeric NOT NULL,
      fee numeric NOT NULL,
      executed_at timestamptz NOT NULL,
      PRIMARY KEY (account_id, number)
    )`.execute(database)
  await sql`
    CREATE TABLE paper_cash_activities (
      account_id integer NOT NULL REFERENCES paper_accounts ON DELETE CASCADE,
      id integer GENERATED ALWAYS AS IDENTITY,
      type text NOT NULL,
      day date NOT NULL,
      net_amount numeric NOT NULL,
      description text NOT NULL,
      ticker text,
      booked_at timestamptz NOT NULL,
      PRIMARY KEY (account_id, id)
    )`.execute(database)
  await sql`
    CREATE TABLE paper_closes (
      account_id integer NOT NULL REFERENCES paper_accounts ON DELETE CASCADE,
      day date NOT NULL,
      equity numeric NOT NULL,
      PRIMARY KEY (account_id, day)
    )`.execute(database)
}

async function portfolioTables(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE portfolio_snapshots (
      account_id integer PRIMARY KEY REFERENCES brokerage_accounts ON DELETE CASCADE,
      taken_at timestamptz NOT NULL,
      snapshot jsonb NOT NULL
    )`.execute(database)
  await sql`
    CREATE TABLE account_activities (
      account_id integer NOT NULL REFERENCES brokerage_accounts ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('trades', 'cash')),
      activity_id text NOT NULL,
      happened_at timestamptz NOT NULL,
      day date NOT NULL,
      type text NOT NULL,
      ticker text,
      side text,
      quantity numeric,
      price numeric,
      net_amount numeric,
      description text NOT NULL,
      PRIMARY KEY (account_id, kind, activity_id)
    )`.execute(database)
  await sql`
    CREATE INDEX account_activities_by_time
    ON account_activities (account_id, kind, happened_at DESC, activity_id DESC)`.execute(database)
  await sql`
    CREATE TABLE activity_progress (
      account_id integer NOT NULL REFERENCES brokerage_accounts ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('trades', 'cash')),
      page text,
      is_complete boolean NOT NULL,
      PRIMARY KEY (account_id, kind)
    )`.execute(database)
}
