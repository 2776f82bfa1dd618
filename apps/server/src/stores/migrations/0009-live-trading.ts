import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await deployments(database)
  await orders(database)
  await ledger(database)
  await journal(database)
}

async function deployments(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deployments (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      order_key text NOT NULL UNIQUE,
      name text NOT NULL,
      account_id integer NOT NULL,
      account_name text NOT NULL,
      is_paper boolean NOT NULL,
      may_trade_synthetic boolean NOT NULL,
      strategy_id integer REFERENCES strategies ON DELETE SET NULL,
      strategy_name text NOT NULL,
      strategy_type text NOT NULL,
      strategy jsonb NOT NULL,
      status text NOT NULL CHECK (status IN ('created', 'running', 'paused', 'stopped')),
      capital_policy text NOT NULL CHECK (capital_policy IN ('fixed_contribution', 'percent_of_account')),
      capital_policy_value numeric NOT NULL,
      committed_capital numeric NOT NULL DEFAULT 0,
      total_contributions numeric NOT NULL DEFAULT 0,
      total_withdrawals numeric NOT NULL DEFAULT 0,
      net_contributions numeric NOT NULL DEFAULT 0,
      settings jsonb NOT NULL,
      last_trade jsonb,
      next_run_at timestamptz,
      health_problem text,
      created_at timestamptz NOT NULL,
      deleted_at timestamptz
    )`.execute(database)
  await sql`CREATE INDEX deployments_by_user ON deployments (user_id, id DESC) WHERE deleted_at IS NULL`.execute(
    database,
  )
  await sql`CREATE INDEX deployments_by_account ON deployments (account_id) WHERE deleted_at IS NULL`.execute(database)
  await sql`
    CREATE TABLE deployment_leases (
      deployment_id integer PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
      holder uuid NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(database)
  await sql`
    CREATE TABLE deployment_models (
      deployment_id integer PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
      recipe text NOT NULL,
      bytes bytea NOT NULL,
      checksum text NOT NULL,
      data_fingerprint text NOT NULL,
      rows integer NOT NULL,
      trained_from date NOT NULL,
      trained_to date NOT NULL,
      synthetic boolean NOT NULL,
      trained_at timestamptz NOT NULL
    )`.execute(database)
}

async function orders(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deployment_decisions (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
      decided_for timestamptz NOT NULL,
      decided_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      outcome text NOT NULL
        CHECK (outcome IN ('selling', 'buying', 'done', 'held', 'dry_run', 'refused', 'incomplete')),
      reason text NOT NULL,
      is_partial boolean NOT NULL,
      signal jsonb NOT NULL,
      CONSTRAINT one_decision_per_instant UNIQUE (deployment_id, decided_for)
    )`.execute(database)
  await sql`
    CREATE INDEX decisions_at_work ON deployment_decisions (deployment_id) WHERE outcome IN ('selling', 'buying')
  `.execute(database)
  await sql`
    CREATE TABLE order_intents (
      client_order_id text PRIMARY KEY,
      deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
      account_id integer NOT NULL,
      decision_id integer NOT NULL REFERENCES deployment_decisions ON DELETE CASCADE,
      ticker text NOT NULL,
      side text NOT NULL CHECK (side IN ('buy', 'sell')),
      quantity numeric,
      notional numeric,
      time_in_force text NOT NULL,
      state text NOT NULL CHECK (state IN ('intended', 'sending', 'pending', 'accepted', 'partially_filled', 'filled',
        'canceled', 'expired', 'rejected', 'replaced', 'abandoned')),
      attempts integer NOT NULL DEFAULT 0,
      sent_at timestamptz,
      broker_order_id text,
      filled_quantity numeric NOT NULL DEFAULT 0,
      booked_quantity numeric NOT NULL DEFAULT 0,
      average_price numeric,
      reason text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK ((quantity IS NULL) <> (notional IS NULL))
    )`.execute(database)
  await sql`CREATE INDEX orders_by_decision ON order_intents (decision_id)`.execute(database)
  await sql`CREATE INDEX orders_by_deployment ON order_intents (deployment_id, created_at DESC)`.execute(database)
  await sql`
    CREATE INDEX orders_unsettled ON order_intents (account_id)
    WHERE state IN ('intended', 'sending', 'pending', 'accepted', 'partially_filled') OR booked_quantity <> filled_quantity
  `.execute(database)
}

async function ledger(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE account_books (
      account_id integer PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      version bigint NOT NULL DEFAULT 0,
      opened_at timestamptz NOT NULL,
      events_since timestamptz NOT NULL,
      compared_at timestamptz,
      disagreement text,
      cash numeric,
      equity numeric,
      buying_power numeric,
      leverage_limit double precision,
      prices jsonb NOT NULL
    )`.execute(database)
  await sql`
    CREATE TABLE book_balances (
      account_id integer NOT NULL REFERENCES account_books ON DELETE CASCADE,
      party text NOT NULL,
      asset text NOT NULL,
      amount numeric NOT NULL,
      PRIMARY KEY (account_id, party, asset)
    )`.execute(database)
  await sql`
    CREATE TABLE account_events (
      account_id integer NOT NULL REFERENCES account_books ON DELETE CASCADE,
      key text NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (account_id, key)
    )`.execute(database)
  await sql`
    CREATE TABLE ledger_entries (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id integer NOT NULL REFERENCES account_books ON DELETE CASCADE,
      deployment_id integer REFERENCES deployments,
      number bigint,
      entry_type text NOT NULL,
      key text NOT NULL,
      recorded_at timestamptz NOT NULL,
      direction text NOT NULL,
      amount numeric NOT NULL,
      currency text NOT NULL DEFAULT 'USD',
      note text,
      legs jsonb NOT NULL,
      cash_after numeric NOT NULL,
      equity_after numeric NOT NULL,
      account_value_after numeric,
      positions_after jsonb NOT NULL,
      CONSTRAINT booked_once UNIQUE (account_id, key)
    )`.execute(database)
  await sql`CREATE INDEX ledger_by_deployment ON ledger_entries (deployment_id, id DESC)`.execute(database)
  await sql`CREATE UNIQUE INDEX ledger_by_number ON ledger_entries (deployment_id, number)`.execute(database)
  await sql`
    CREATE TABLE ledger_counts (
      deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
      entry_type text NOT NULL,
      entries bigint NOT NULL,
      PRIMARY KEY (deployment_id, entry_type)
    )`.execute(database)
  await guards(database)
}

/** The ledger: append-only, and nothing enters it that does not balance. */
async function guards(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Only with the user himself, by the references that lead to him.
      IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
      RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
    END $$`.execute(database)
  await sql`
    CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()`.execute(database)
  await sql`
    CREATE FUNCTION check_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT FROM jsonb_to_recordset(NEW.legs) AS leg(asset text, amount numeric)
        GROUP BY asset HAVING sum(amount) <> 0
      ) THEN
        RAISE EXCEPTION 'ledger entry % does not balance', NEW.key USING ERRCODE = 'check_violation';
      END IF;
      IF NEW.deployment_id IS NOT NULL THEN
        NEW.number := 1 + (SELECT coalesce(sum(entries), 0) FROM ledger_counts WHERE deployment_id = NEW.deployment_id);
      END IF;
      RETURN NEW;
    END $$`.execute(database)
  await sql`
    CREATE TRIGGER ledger_balances BEFORE INSERT ON ledger_entries
    FOR EACH ROW EXECUTE FUNCTION check_ledger_entry()`.execute(database)
  await sql`
    CREATE FUNCTION count_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.deployment_id IS NOT NULL THEN
        INSERT INTO ledger_counts VALUES (NEW.deployment_id, NEW.entry_type, 1)
        ON CONFLICT (deployment_id, entry_type) DO UPDATE SET entries = ledger_counts.entries + 1;
      END IF;
      RETURN NULL;
    END $$`.execute(database)
  await sql`
    CREATE TRIGGER ledger_counted AFTER INSERT ON ledger_entries
    FOR EACH ROW EXECUTE FUNCTION count_ledger_entry()`.execute(database)
}

async function journal(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deployment_snapshots (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
      at timestamptz NOT NULL,
      value numeric NOT NULL,
      cash numeric NOT NULL,
      net_contributions numeric NOT NULL,
      growth double precision NOT NULL,
      account_value numeric NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX snapshots_by_deployment ON deployment_snapshots (deployment_id, at DESC)`.execute(database)
  await sql`
    CREATE TABLE deployment_activity (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
      at timestamptz NOT NULL,
      item jsonb NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX activity_by_deployment ON deployment_activity (deployment_id, at DESC)`.execute(database)
  await sql`
    CREATE TABLE deployment_log (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
      line text NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX log_by_deployment ON deployment_log (deployment_id, id DESC)`.execute(database)
  await sql`
    CREATE TABLE deployment_replays (
      deployment_id integer PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
      computed_at timestamptz NOT NULL,
      result jsonb NOT NULL
    )`.execute(database)
}
