/** Accounts at brokers, deployments, their decisions, orders and books, and records made before the outcome is known. */
export const trading = /* SQL */ `
CREATE TABLE brokerage_accounts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  broker text NOT NULL,
  is_paper boolean NOT NULL,
  is_default boolean NOT NULL,
  sealed_keys bytea,
  status text NOT NULL CHECK (status IN ('verified', 'not_verified', 'rejected')),
  status_reason text,
  connected_at timestamptz,
  created_at timestamptz NOT NULL,
  broker_account_id text
);
CREATE UNIQUE INDEX one_default_account ON brokerage_accounts (user_id) WHERE is_default;
CREATE INDEX brokerage_accounts_by_user ON brokerage_accounts (user_id);
CREATE UNIQUE INDEX one_account_at_a_built_in_broker ON brokerage_accounts (user_id, broker) WHERE sealed_keys IS NULL;
CREATE TRIGGER rows_are_limited AFTER INSERT ON brokerage_accounts
  FOR EACH ROW EXECUTE FUNCTION limit_rows('50', 'user_id', 'true');

CREATE TABLE paper_accounts (
  account_id integer PRIMARY KEY REFERENCES brokerage_accounts ON DELETE CASCADE,
  cash numeric NOT NULL,
  trading_cost_bps double precision NOT NULL,
  partial_fill double precision NOT NULL,
  orders_issued integer NOT NULL,
  fills_issued integer NOT NULL,
  settled_at timestamptz NOT NULL,
  opened_at timestamptz NOT NULL,
  short_borrow_pct double precision NOT NULL DEFAULT 1
);

CREATE TABLE paper_positions (
  account_id integer REFERENCES paper_accounts ON DELETE CASCADE,
  ticker text,
  quantity numeric NOT NULL,
  average_entry_price numeric NOT NULL,
  PRIMARY KEY (account_id, ticker)
);

CREATE TABLE paper_orders (
  account_id integer REFERENCES paper_accounts ON DELETE CASCADE,
  order_id text,
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
  CONSTRAINT one_size CHECK ((quantity IS NULL) <> (notional IS NULL)),
  PRIMARY KEY (account_id, order_id),
  CONSTRAINT one_order_per_client_id UNIQUE (account_id, client_order_id)
);
CREATE INDEX open_paper_orders ON paper_orders (account_id) WHERE ended_at IS NULL;
CREATE INDEX paper_orders_by_time ON paper_orders (account_id, number DESC);

CREATE TABLE paper_fills (
  account_id integer REFERENCES paper_accounts ON DELETE CASCADE,
  execution_id text NOT NULL,
  number integer,
  order_id text NOT NULL,
  client_order_id text NOT NULL,
  ticker text NOT NULL,
  side text NOT NULL,
  quantity numeric NOT NULL,
  price numeric NOT NULL,
  fee numeric NOT NULL,
  executed_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, number)
);

CREATE TABLE paper_cash_activities (
  account_id integer REFERENCES paper_accounts ON DELETE CASCADE,
  id integer GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  day date NOT NULL,
  net_amount numeric NOT NULL,
  description text NOT NULL,
  ticker text,
  booked_at timestamptz NOT NULL,
  quantity numeric,
  PRIMARY KEY (account_id, id)
);

CREATE TABLE paper_closes (
  account_id integer REFERENCES paper_accounts ON DELETE CASCADE,
  day date,
  equity numeric NOT NULL,
  PRIMARY KEY (account_id, day)
);

CREATE TABLE portfolio_snapshots (
  account_id integer PRIMARY KEY REFERENCES brokerage_accounts ON DELETE CASCADE,
  taken_at timestamptz NOT NULL,
  snapshot jsonb NOT NULL
);

CREATE TABLE account_activities (
  account_id integer REFERENCES brokerage_accounts ON DELETE CASCADE,
  kind text CHECK (kind IN ('trades', 'cash')),
  activity_id text,
  happened_at timestamptz NOT NULL,
  day date NOT NULL,
  type text NOT NULL,
  ticker text,
  side text,
  quantity numeric,
  price numeric,
  net_amount numeric,
  description text NOT NULL,
  booked_at timestamptz,
  order_id text,
  part text DEFAULT '',
  group_id text,
  PRIMARY KEY (account_id, kind, activity_id, part)
);
CREATE INDEX account_activities_by_time ON account_activities (account_id, kind, happened_at DESC, activity_id DESC);

CREATE TABLE activity_progress (
  account_id integer REFERENCES brokerage_accounts ON DELETE CASCADE,
  kind text CHECK (kind IN ('trades', 'cash')),
  page text,
  is_complete boolean NOT NULL,
  PRIMARY KEY (account_id, kind)
);

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
  deleted_at timestamptz,
  emergency_stopped_at timestamptz,
  health_code text,
  liquidating_since timestamptz,
  retrain_at timestamptz,
  retraining_problem text,
  run_missed_at timestamptz,
  liquidating_by jsonb,
  dividends_due jsonb,
  held_orders jsonb
);
CREATE INDEX deployments_by_user ON deployments (user_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX deployments_by_account ON deployments (account_id) WHERE deleted_at IS NULL;
CREATE TRIGGER rows_are_limited AFTER INSERT ON deployments
  FOR EACH ROW EXECUTE FUNCTION limit_rows('100', 'user_id', 'deleted_at IS NULL');

-- Which process runs a deployment, and until when.
CREATE TABLE deployment_leases (
  deployment_id integer PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  holder uuid NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE TABLE deployment_models (
  deployment_id integer REFERENCES deployments ON DELETE CASCADE,
  recipe text NOT NULL,
  bytes bytea NOT NULL,
  checksum text NOT NULL,
  data_fingerprint text NOT NULL,
  rows integer NOT NULL,
  trained_from date NOT NULL,
  trained_to date NOT NULL,
  synthetic boolean NOT NULL,
  trained_at timestamptz NOT NULL,
  data_notes jsonb NOT NULL,
  synthetic_tickers text[] NOT NULL DEFAULT '{}',
  version integer,
  decides_after timestamptz,
  window_number integer,
  sized_on_rows integer,
  PRIMARY KEY (deployment_id, version)
);
CREATE UNIQUE INDEX one_model_per_window ON deployment_models (deployment_id, recipe, coalesce(window_number, -1));

CREATE TABLE deployment_decisions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
  decided_for timestamptz NOT NULL,
  decided_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('selling', 'buying', 'done', 'held', 'dry_run', 'refused', 'incomplete')),
  reason text NOT NULL,
  is_partial boolean NOT NULL,
  signal jsonb NOT NULL,
  waits_for jsonb,
  CONSTRAINT one_decision_per_instant UNIQUE (deployment_id, decided_for)
);
CREATE INDEX decisions_at_work ON deployment_decisions (deployment_id) WHERE outcome IN ('selling', 'buying');

-- Written before an order is sent: what was intended is known whatever happens then.
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
  booked_from_order boolean NOT NULL DEFAULT false,
  estimated_value numeric,
  order_type text NOT NULL DEFAULT 'market',
  send_at timestamptz,
  limit_price numeric,
  times_out_at timestamptz,
  timed_out boolean NOT NULL DEFAULT false,
  quote_bid numeric,
  quote_ask numeric,
  quote_at timestamptz,
  is_short boolean NOT NULL DEFAULT false,
  booked_value numeric,
  cancel_asked_at timestamptz,
  CHECK ((quantity IS NULL) <> (notional IS NULL))
);
CREATE INDEX orders_by_decision ON order_intents (decision_id);
CREATE INDEX orders_by_deployment ON order_intents (deployment_id, created_at DESC);
CREATE INDEX orders_unsettled ON order_intents (account_id)
  WHERE state IN ('intended', 'sending', 'pending', 'accepted', 'partially_filled') OR booked_quantity <> filled_quantity;
CREATE INDEX orders_of_a_day ON order_intents (account_id, created_at);

-- What the deployments of an account hold of it, by double entry.
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
  prices jsonb NOT NULL,
  moving_since timestamptz,
  idle_asked_at timestamptz,
  foreign_orders jsonb,
  halts jsonb
);

CREATE TABLE book_balances (
  account_id integer REFERENCES account_books ON DELETE CASCADE,
  party text,
  asset text,
  amount numeric NOT NULL,
  PRIMARY KEY (account_id, party, asset)
);

CREATE TABLE account_events (
  account_id integer REFERENCES account_books ON DELETE CASCADE,
  key text,
  at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);

-- The ledger: append-only, and nothing enters it that does not balance.
CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- Only with the user himself, by the references that lead to him.
    IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
  END $$;

CREATE FUNCTION check_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (
      SELECT FROM jsonb_to_recordset(NEW.legs) AS leg(asset text, amount numeric)
      GROUP BY asset HAVING sum(amount) <> 0
    ) THEN
      RAISE EXCEPTION 'ledger entry % does not balance', NEW.key USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.deployment_id IS NOT NULL THEN
      SELECT 1 + coalesce(sum(entries), 0), 1 + coalesce(sum(entries) FILTER (WHERE entry_type = NEW.entry_type), 0)
      INTO NEW.number, NEW.type_number
      FROM ledger_counts WHERE deployment_id = NEW.deployment_id;
    END IF;
    RETURN NEW;
  END $$;

CREATE FUNCTION count_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.deployment_id IS NOT NULL THEN
      INSERT INTO ledger_counts VALUES (NEW.deployment_id, NEW.entry_type, 1)
      ON CONFLICT (deployment_id, entry_type) DO UPDATE SET entries = ledger_counts.entries + 1;
    END IF;
    RETURN NULL;
  END $$;

CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account_books ON DELETE CASCADE,
  deployment_id integer REFERENCES deployments DEFERRABLE INITIALLY DEFERRED,
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
  type_number bigint,
  CONSTRAINT booked_once UNIQUE (account_id, key)
);
CREATE UNIQUE INDEX ledger_by_number ON ledger_entries (deployment_id, number);
CREATE UNIQUE INDEX ledger_by_type ON ledger_entries (deployment_id, entry_type, number) INCLUDE (type_number);
CREATE INDEX ledger_by_deployment ON ledger_entries (deployment_id, id DESC);
CREATE TRIGGER ledger_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_balances BEFORE INSERT ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION check_ledger_entry();
CREATE TRIGGER ledger_counted AFTER INSERT ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION count_ledger_entry();

-- How many entries of each type there are, so that one is numbered without counting them.
CREATE TABLE ledger_counts (
  deployment_id integer REFERENCES deployments ON DELETE CASCADE,
  entry_type text,
  entries bigint NOT NULL,
  PRIMARY KEY (deployment_id, entry_type)
);

-- What a deployment was worth.
CREATE TABLE deployment_snapshots (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
  at timestamptz NOT NULL,
  value numeric NOT NULL,
  cash numeric NOT NULL,
  net_contributions numeric NOT NULL,
  growth double precision NOT NULL,
  account_value numeric NOT NULL
);
CREATE INDEX snapshots_by_deployment ON deployment_snapshots (deployment_id, at DESC);

CREATE TABLE deployment_activity (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
  at timestamptz NOT NULL,
  item jsonb NOT NULL
);
CREATE INDEX activity_by_deployment ON deployment_activity (deployment_id, at DESC);

CREATE TABLE deployment_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
  line text NOT NULL
);
CREATE INDEX log_by_deployment ON deployment_log (deployment_id, id DESC);

CREATE TABLE deployment_replays (
  deployment_id integer PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  computed_at timestamptz NOT NULL,
  result jsonb NOT NULL
);

CREATE TABLE deployment_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id integer REFERENCES deployments ON DELETE CASCADE,
  event text NOT NULL,
  key text NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'given_up')),
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  failure text,
  created_at timestamptz NOT NULL,
  channel_id integer REFERENCES alert_channels ON DELETE CASCADE,
  is_urgent boolean NOT NULL DEFAULT false,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  data jsonb,
  tried_at timestamptz
);
CREATE INDEX mails_waiting ON deployment_messages (due_at) WHERE state = 'waiting';
CREATE INDEX mails_by_key ON deployment_messages (deployment_id, key);
CREATE INDEX messages_of_channel_by_time ON deployment_messages (channel_id, created_at);
CREATE UNIQUE INDEX events_by_key ON deployment_messages (channel_id, key) WHERE data IS NOT NULL;

-- How the lots of an account are chosen.
CREATE TABLE lot_methods (
  account_id integer PRIMARY KEY REFERENCES brokerage_accounts ON DELETE CASCADE,
  method text NOT NULL
);

CREATE TABLE lot_choices (
  account_id integer REFERENCES brokerage_accounts ON DELETE CASCADE,
  sale_id text,
  purchase_id text,
  quantity numeric NOT NULL,
  PRIMARY KEY (account_id, sale_id, purchase_id)
);

-- When a deployment did not run by the will of a user or a limit: its runs of that time were not missed.
CREATE TABLE deployment_pauses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id integer NOT NULL REFERENCES deployments ON DELETE CASCADE,
  paused_at timestamptz NOT NULL,
  resumed_at timestamptz
);
CREATE INDEX pauses_of_a_deployment ON deployment_pauses (deployment_id, paused_at);
CREATE UNIQUE INDEX one_open_pause ON deployment_pauses (deployment_id) WHERE resumed_at IS NULL;

-- Holdings that a corporate action turned into another ticker, until the user has chosen what becomes of them.
CREATE TABLE deployment_ticker_changes (
  deployment_id integer REFERENCES deployments ON DELETE CASCADE,
  from_ticker text,
  to_ticker text NOT NULL,
  sentence text NOT NULL,
  created_at timestamptz NOT NULL,
  successors jsonb NOT NULL,
  PRIMARY KEY (deployment_id, from_ticker)
);

-- Changes that agents and scripts propose, and that a user accepts or declines.
CREATE TABLE proposals (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  content jsonb NOT NULL,
  description jsonb NOT NULL,
  reason text,
  origin text NOT NULL,
  key_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'accepting', 'accepted', 'declined', 'failed')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  answered_at timestamptz,
  outcome text,
  link text
);
CREATE INDEX proposals_by_user ON proposals (user_id, state);

-- Signals from outside as the fourth type of strategies: addresses, and the record of what was received.
CREATE TABLE signal_addresses (
  strategy_id integer PRIMARY KEY REFERENCES strategies ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  address_hash bytea NOT NULL UNIQUE,
  sealed_secret bytea NOT NULL,
  created_at timestamptz NOT NULL
);

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
);
CREATE UNIQUE INDEX signals_once ON external_signals (strategy_id, event_id) WHERE outcome = 'accepted';
CREATE INDEX signals_by_time ON external_signals (strategy_id, received_at);

-- Hash-chained records of decisions, written before their outcome is known.
CREATE TABLE forward_records (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id integer UNIQUE REFERENCES deployments ON DELETE CASCADE,
  header text NOT NULL,
  is_open boolean NOT NULL,
  created_at timestamptz NOT NULL,
  token_hash bytea UNIQUE,
  link_expires_at timestamptz,
  imported_entries integer NOT NULL DEFAULT 0,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  strategy_id integer UNIQUE REFERENCES strategies ON DELETE SET NULL,
  strategy jsonb,
  next_session integer,
  due_at timestamptz,
  missed jsonb NOT NULL,
  problem text,
  CONSTRAINT link_is_whole CHECK ((token_hash IS NULL) = (link_expires_at IS NULL)),
  CONSTRAINT one_subject CHECK ((deployment_id IS NULL) = (strategy IS NOT NULL)),
  CONSTRAINT strategy_is_whole CHECK (num_nonnulls(strategy, next_session, due_at) IN (0, 3)),
  CONSTRAINT strategy_of_deployment CHECK (deployment_id IS NULL OR strategy_id IS NULL)
);
CREATE INDEX forward_records_user ON forward_records (user_id);
CREATE INDEX forward_records_due ON forward_records (due_at) WHERE is_open AND strategy_id IS NOT NULL;

CREATE TABLE forward_entries (
  record_id integer REFERENCES forward_records ON DELETE CASCADE,
  seq integer,
  content text NOT NULL,
  previous text NOT NULL,
  hash text NOT NULL,
  bar double precision,
  probability double precision,
  happened boolean,
  PRIMARY KEY (record_id, seq)
);

-- The models of forward records of saved strategies, so that one is trained when it is due and not for each decision.
CREATE TABLE forward_models (
  record_id integer REFERENCES forward_records ON DELETE CASCADE,
  window_number integer,
  sized_on_rows integer,
  decides_after timestamptz,
  bytes bytea NOT NULL,
  checksum text NOT NULL,
  next_at timestamptz,
  PRIMARY KEY (record_id, window_number)
);
`
