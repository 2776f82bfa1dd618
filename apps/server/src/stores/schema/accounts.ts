/** People: their sign-in, keys, alerts, and what the assistant was asked; and what the instance knows of itself. */
export const accounts = /* SQL */ `
-- A row that is one too many is refused by its table, whichever process inserts it: the limit, the column of the owner,
-- and which rows count.
CREATE FUNCTION limit_rows() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    most integer := TG_ARGV[0];
    found integer;
  BEGIN
    EXECUTE format('SELECT count(*) FROM (SELECT FROM %I WHERE %2$I = ($1).%2$I AND %3$s LIMIT $2) AS own',
                   TG_TABLE_NAME, TG_ARGV[1], TG_ARGV[2])
    INTO found USING NEW, most + 1;
    IF found > most THEN
      RAISE EXCEPTION 'an owner has more than % rows of %', most, TG_TABLE_NAME
        USING ERRCODE = 'TWROW', TABLE = TG_TABLE_NAME, DETAIL = most::text;
    END IF;
    RETURN NULL;
  END $$;

-- An account has a password, an identity at Google, or both.
CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username text NOT NULL,
  username_key text NOT NULL UNIQUE,
  email text NOT NULL,
  email_key text NOT NULL,
  password_hash text,
  password_enabled boolean NOT NULL,
  google_subject text UNIQUE,
  google_email text,
  created_at timestamptz NOT NULL,
  email_state text NOT NULL DEFAULT 'unverified' CHECK (email_state IN ('unverified', 'accepted', 'verified')),
  formats jsonb,
  suspended_at timestamptz,
  CONSTRAINT password_sign_in_has_a_password CHECK ((NOT password_enabled) OR password_hash IS NOT NULL),
  CONSTRAINT a_way_to_sign_in CHECK (google_subject IS NOT NULL OR password_enabled)
);
CREATE INDEX users_by_email ON users (email_key);
CREATE UNIQUE INDEX users_by_accepted_email ON users (email_key) WHERE email_state = 'accepted';
CREATE UNIQUE INDEX users_by_verified_email ON users (email_key) WHERE email_state = 'verified';

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  cookie_hash bytea NOT NULL UNIQUE,
  bearer_hash bytea NOT NULL UNIQUE,
  user_agent text NOT NULL,
  address text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  factor_at timestamptz
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Sign-ins and links that are on their way to Google and back.
CREATE TABLE google_flows (
  state_hash bytea PRIMARY KEY,
  browser_hash bytea NOT NULL,
  nonce text NOT NULL,
  code_verifier text NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('login', 'link')),
  user_id integer REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  invitation_hash bytea,
  return_path text
);

-- Failed sign-ins and other guesses, counted within a window.
CREATE TABLE attempt_counters (
  subject text PRIMARY KEY,
  attempts integer NOT NULL,
  window_ends_at timestamptz NOT NULL
);

-- Devices and networks from which an account was signed in to, as hashes. Strangers' failures do not stop them.
CREATE TABLE known_places (
  user_id integer REFERENCES users ON DELETE CASCADE,
  place_hash bytea,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, place_hash)
);
CREATE INDEX known_places_by_use ON known_places (last_used_at);

-- Each makes one account, by a password or through Google.
CREATE TABLE invitations (
  token_hash bytea PRIMARY KEY,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE
);

-- Links that confirm an address, by their hash.
CREATE TABLE email_verifications (
  token_hash bytea PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  email text NOT NULL,
  email_key text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX email_verifications_by_user ON email_verifications (user_id);

-- Addresses of other people that mails about a user's deployments may go to, once their owner has opened the link.
CREATE TABLE mail_recipients (
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  email_key text NOT NULL,
  email text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  PRIMARY KEY (user_id, email_key)
);

-- What happened to the sign-in of an account. Without a user: names that no account has.
CREATE TABLE security_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  is_failure boolean NOT NULL,
  begun_at timestamptz NOT NULL,
  at timestamptz NOT NULL,
  count integer NOT NULL,
  address text,
  user_agent text,
  detail text
);
CREATE INDEX security_events_by_user ON security_events (user_id, is_failure, id);
CREATE INDEX security_events_by_time ON security_events (at);

-- Authenticator apps and passkeys beside the password; recovery codes and questions that are being answered follow.
CREATE TABLE second_factors (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('totp', 'passkey')),
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  sealed_secret bytea,
  last_step bigint,
  credential_id text UNIQUE,
  public_key bytea,
  sign_count bigint,
  transports text[],
  domain text,
  CHECK ((kind = 'totp') = (sealed_secret IS NOT NULL)),
  CHECK ((kind = 'passkey') = (credential_id IS NOT NULL AND public_key IS NOT NULL AND sign_count IS NOT NULL
    AND transports IS NOT NULL AND domain IS NOT NULL))
);
CREATE INDEX second_factors_by_user ON second_factors (user_id);

CREATE TABLE recovery_codes (
  user_id integer REFERENCES users ON DELETE CASCADE,
  code_hash bytea,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE factor_challenges (
  key_hash bytea PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  challenge text,
  password_hash text,
  return_path text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX factor_challenges_by_end ON factor_challenges (expires_at);

-- Keys for programs; the networks they were used from and the calls that must not be made twice follow.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  begins_with text NOT NULL,
  scopes text[] NOT NULL,
  calls_per_minute integer NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_keys_by_user ON api_keys (user_id);

CREATE TABLE api_key_networks (
  key_id uuid REFERENCES api_keys ON DELETE CASCADE,
  network_hash bytea,
  first_used_at timestamptz NOT NULL,
  PRIMARY KEY (key_id, network_hash)
);

CREATE TABLE idempotent_calls (
  user_id integer REFERENCES users ON DELETE CASCADE,
  key text,
  fingerprint bytea NOT NULL,
  begun_at timestamptz NOT NULL,
  finished_at timestamptz,
  answer bytea,
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotent_calls_by_time ON idempotent_calls (begun_at);

-- Calls of all processes together against each vendor's allowance, one row per service and key.
CREATE TABLE call_allowances (
  service text,
  fingerprint text,
  slots bigint[] NOT NULL DEFAULT '{}',
  calls integer[] NOT NULL DEFAULT '{}',
  paused_until bigint NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (service, fingerprint)
);

-- The account that operates the instance.
CREATE TABLE instance_operator (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  user_id integer NOT NULL
);

-- How the processes of the instance are doing.
CREATE TABLE process_reports (
  id uuid PRIMARY KEY,
  reported_at timestamptz NOT NULL,
  report jsonb NOT NULL
);

-- Channels that users are told by, and which events they want to be told of.
CREATE TABLE alert_channels (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL,
  target text NOT NULL,
  sealed_values bytea NOT NULL,
  is_enabled boolean NOT NULL,
  quiet_from text,
  quiet_to text,
  time_zone text,
  created_at timestamptz NOT NULL,
  events text[] NOT NULL DEFAULT '{}',
  escalation_minutes integer NOT NULL DEFAULT 0,
  CONSTRAINT quiet_hours_are_whole CHECK (((quiet_from IS NULL) = (quiet_to IS NULL)) AND ((quiet_from IS NULL) = (time_zone IS NULL)))
);
CREATE INDEX alert_channels_of_user ON alert_channels (user_id);

CREATE TABLE alert_settings (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  levels jsonb NOT NULL DEFAULT '{}',
  sealed_heartbeat bytea,
  heartbeat_minutes integer NOT NULL DEFAULT 5,
  heartbeat_due_at timestamptz,
  heartbeat_at timestamptz,
  heartbeat_problem text
);

-- Alerts by cause, which last until they are over or acknowledged, and channels that are told after a while.
CREATE TABLE alerts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  cause text NOT NULL,
  members jsonb NOT NULL,
  opened_at timestamptz NOT NULL,
  told integer NOT NULL DEFAULT 0,
  tell_at timestamptz,
  told_channels integer[] NOT NULL DEFAULT '{}',
  acknowledged_at timestamptz,
  acknowledged_by text,
  ended_at timestamptz
);
CREATE UNIQUE INDEX open_alerts ON alerts (user_id, kind, cause) WHERE ended_at IS NULL;
CREATE INDEX alerts_of_user ON alerts (user_id, opened_at);

-- First steps of each user that are done, and whether the list of them is hidden.
CREATE TABLE home_checklists (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  done text[] NOT NULL,
  is_hidden boolean NOT NULL
);

-- Rows that a user deleted, as they were, for the minutes in which the deletion can be undone.
CREATE TABLE deleted_rows (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  key text NOT NULL,
  table_name text NOT NULL,
  content jsonb NOT NULL,
  deleted_at timestamptz NOT NULL
);
CREATE INDEX deleted_rows_by_deletion ON deleted_rows (user_id, kind, key);
CREATE INDEX deleted_rows_by_time ON deleted_rows (deleted_at);

CREATE TABLE openai_connections (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  sealed_key bytea NOT NULL,
  model text NOT NULL,
  base_url text,
  unverified_reason text,
  last_used timestamptz,
  created_at timestamptz NOT NULL
);

CREATE TABLE conversations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  conversation_id text NOT NULL,
  title text NOT NULL,
  created_at timestamptz NOT NULL,
  last_message_at timestamptz NOT NULL,
  CONSTRAINT one_conversation_per_user_and_id UNIQUE (user_id, conversation_id)
);
CREATE INDEX conversations_by_user ON conversations (user_id, last_message_at DESC);
CREATE TRIGGER rows_are_limited AFTER INSERT ON conversations
  FOR EACH ROW EXECUTE FUNCTION limit_rows('2000', 'user_id', 'true');

CREATE TABLE conversation_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation integer NOT NULL REFERENCES conversations ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('user', 'assistant', 'error', 'system')),
  content text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX messages_by_conversation ON conversation_messages (conversation, id);
CREATE TRIGGER rows_are_limited AFTER INSERT ON conversation_messages
  FOR EACH ROW EXECUTE FUNCTION limit_rows('500', 'conversation', 'true');
`
