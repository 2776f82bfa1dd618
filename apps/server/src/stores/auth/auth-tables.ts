import {
  bigint,
  boolean,
  bytes,
  defaulted,
  instant,
  integer,
  json,
  nullable,
  text,
  textArray,
  uuid,
} from '../columns.ts'

export const authTables = {
  users: {
    id: defaulted(integer),
    username: text,
    /** The username as it is compared: letter case and Unicode form do not make a different user. */
    username_key: text,
    email: text,
    /** Compared like the username; unique among the verified ones, and among those that sign in without it. */
    email_key: text,
    /** Null while the user has never set a password (registered through Google). */
    password_hash: nullable(text),
    password_enabled: boolean,
    google_subject: nullable(text),
    google_email: nullable(text),
    created_at: instant,
    /** `unverified`, `accepted` (signs in unproven) or `verified`. */
    email_state: defaulted(text),
    /** How they read numbers, dates and times; null until they choose. */
    formats: nullable(json<unknown>()),
    /** By the operator; null: the account may sign in and trade. */
    suspended_at: nullable(instant),
  },
  /** Rows that came over from another instance, and what they were there. */
  imported_rows: { user_id: integer, origin: text, table_name: text, old_id: text, new_id: text },
  sessions: {
    id: uuid,
    user_id: integer,
    cookie_hash: bytes,
    bearer_hash: bytes,
    user_agent: text,
    address: text,
    created_at: instant,
    last_used_at: instant,
    expires_at: instant,
    /** When it last gave a second factor. */
    factor_at: nullable(instant),
  },
  api_keys: {
    id: uuid,
    user_id: integer,
    name: text,
    key_hash: bytes,
    /** The first characters of the key, to tell it from others. */
    begins_with: text,
    scopes: textArray,
    calls_per_minute: integer,
    created_at: instant,
    expires_at: instant,
    /** Exact to the minute. */
    last_used_at: nullable(instant),
    /** The row stays for a while, so that a refused call can be told why. */
    revoked_at: nullable(instant),
  },
  /** Calls that were made with an Idempotency-Key, for a day. */
  idempotent_calls: {
    user_id: integer,
    key: text,
    /** SHA-256 of the call and its body. */
    fingerprint: bytes,
    begun_at: instant,
    finished_at: nullable(instant),
    /** The answer as gzipped JSON; null while it is not there, and where it is too large to be kept. */
    answer: nullable(bytes),
  },
  google_flows: {
    state_hash: bytes,
    /** Hash of the secret in the cookie of the browser that began: no other browser can finish. */
    browser_hash: bytes,
    nonce: text,
    code_verifier: text,
    purpose: text,
    user_id: nullable(integer),
    expires_at: instant,
    /** The invitation that a new account would use. */
    invitation_hash: nullable(bytes),
    /** The screen that the visitor asked for. */
    return_path: nullable(text),
  },
  /** Failed sign-ins and registrations, counted in windows of time. */
  attempt_counters: {
    subject: text,
    attempts: integer,
    window_ends_at: instant,
  },
  known_places: {
    user_id: integer,
    /** Hash of the secret in a device cookie, or of a network. */
    place_hash: bytes,
    last_used_at: instant,
  },
  email_verifications: {
    token_hash: bytes,
    user_id: integer,
    email: text,
    email_key: text,
    expires_at: instant,
  },
  /** Addresses of other people that mails about a user's deployments may go to. */
  mail_recipients: {
    user_id: integer,
    email_key: text,
    email: text,
    token_hash: bytes,
    expires_at: instant,
    confirmed_at: nullable(instant),
  },
  /** What happened to the sign-in of an account; without a user, to names that no account has. */
  security_events: {
    id: defaulted(bigint),
    user_id: nullable(integer),
    kind: text,
    is_failure: boolean,
    /** When the first failure came that the row counts; else the same as `at`. */
    begun_at: instant,
    at: instant,
    count: integer,
    address: nullable(text),
    user_agent: nullable(text),
    detail: nullable(text),
  },
  /** Authenticator apps and passkeys. */
  second_factors: {
    id: uuid,
    user_id: integer,
    kind: text,
    name: text,
    created_at: instant,
    last_used_at: nullable(instant),
    /** An authenticator app's secret, and the last half-minute whose code was used; null for a passkey. */
    sealed_secret: nullable(bytes),
    last_step: nullable(bigint),
    /** A passkey, which works at the address of `domain` alone; null for an app. */
    credential_id: nullable(text),
    public_key: nullable(bytes),
    sign_count: nullable(bigint),
    transports: nullable(textArray),
    domain: nullable(text),
  },
  recovery_codes: { user_id: integer, code_hash: bytes, used_at: nullable(instant) },
  /** Questions that a browser was asked, and sign-ins whose password was right, for ten minutes. */
  factor_challenges: {
    key_hash: bytes,
    user_id: integer,
    challenge: nullable(text),
    password_hash: nullable(text),
    return_path: nullable(text),
    expires_at: instant,
  },
  /** Networks that a key was used from, as hashes. */
  api_key_networks: { key_id: uuid, network_hash: bytes, first_used_at: instant },
  invitations: {
    id: defaulted(uuid),
    token_hash: bytes,
    created_at: instant,
    expires_at: instant,
  },
}
