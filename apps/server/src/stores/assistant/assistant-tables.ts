import { bigint, bytes, defaulted, instant, integer, nullable, text } from '../columns.ts'

export const assistantTables = {
  openai_connections: {
    user_id: integer,
    sealed_key: bytes,
    model: text,
    /** Null: the server that the configuration names. */
    base_url: nullable(text),
    /** Why the key could not be checked when it was saved; null once it worked. */
    unverified_reason: nullable(text),
    last_used: nullable(instant),
    created_at: instant,
  },
  conversations: {
    id: defaulted(integer),
    user_id: integer,
    /** Chosen by the client, so it means something beside the user only. */
    conversation_id: text,
    title: text,
    created_at: instant,
    last_message_at: instant,
  },
  conversation_messages: {
    id: defaulted(bigint),
    conversation: integer,
    role: text,
    content: text,
    created_at: instant,
  },
}
