import { sql, type Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE openai_connections (
      user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      sealed_key bytea NOT NULL,
      model text NOT NULL,
      base_url text,
      unverified_reason text,
      last_used timestamptz,
      created_at timestamptz NOT NULL
    )`.execute(database)
  await sql`
    CREATE TABLE conversations (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      conversation_id text NOT NULL,
      title text NOT NULL,
      created_at timestamptz NOT NULL,
      last_message_at timestamptz NOT NULL,
      CONSTRAINT one_conversation_per_user_and_id UNIQUE (user_id, conversation_id)
    )`.execute(database)
  await sql`CREATE INDEX conversations_by_user ON conversations (user_id, last_message_at DESC)`.execute(database)
  await sql`
    CREATE TABLE conversation_messages (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      conversation integer NOT NULL REFERENCES conversations ON DELETE CASCADE,
      role text NOT NULL CHECK (role IN ('user', 'assistant', 'error', 'system')),
      content text NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(database)
  await sql`CREATE INDEX messages_by_conversation ON conversation_messages (conversation, id)`.execute(database)
}
