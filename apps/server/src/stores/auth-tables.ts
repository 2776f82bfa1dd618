import { boolean, bytes, defaulted, instant, integer, nullable, text, uuid } from './columns.ts'

export const authTables = {
  users: {
    id: defaulted(integer),
    username: text,
    /** The username as it is compared: letter case and Unicode form do not make a different user. */
    username_key: text,
    email: text,
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
    nonce: text,
    code_verifier: text,
    purpose: text,
    user_id: nullable(integer),
    expires_at: instant,
  },
  sign_in_failures: {
    subject: text,
    failures: integer,
    window_ends_at: instant,
  },
}
