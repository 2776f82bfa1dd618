import { boolean, bytes, defaulted, instant, integer, nullable, text, uuid } from './columns.ts'

export const authTables = {
  users: {
    id: defaulted(integer),
    username: text,
    /** The username as it is compared: letter case and Unicode form do not make a different user. */
    username_key: text,
    email: text,
    /** Compared like the username, but not unique: nobody proved that the address is theirs. */
    email_key: text,
    /** Null while the user has never set a password (registered through Google). */
    password_hash: nullable(text),
    password_enabled: boolean,
    google_subject: nullable(text),
    google_email: nullable(text),
    created_at: instant,
  },
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
  },
  google_flows: {
    state_hash: bytes,
    /** Of the secret in the cookie of the browser that began: nobody else can finish. */
    browser_hash: bytes,
    nonce: text,
    code_verifier: text,
    purpose: text,
    user_id: nullable(integer),
    expires_at: instant,
  },
  /** Failed sign-ins and registrations, counted in windows of time. */
  attempt_counters: {
    subject: text,
    attempts: integer,
    window_ends_at: instant,
  },
}
