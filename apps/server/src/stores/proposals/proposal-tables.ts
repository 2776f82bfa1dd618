import { defaulted, instant, integer, json, nullable, text, uuid } from '../columns.ts'

export const proposalTables = {
  proposals: {
    id: defaulted(integer),
    user_id: integer,
    kind: text,
    /** As the schema of its kind has it. */
    content: json<unknown>(),
    /** Its wording, as it was when it was proposed, and when it was answered. */
    description: json<unknown>(),
    /** In the words of the agent. */
    reason: nullable(text),
    /** Name of the API key. */
    origin: text,
    key_id: uuid,
    /** `accepting` while it is carried out. An open one past `expires_at` has expired. */
    state: text,
    created_at: instant,
    expires_at: instant,
    answered_at: nullable(instant),
    outcome: nullable(text),
    link: nullable(text),
  },
}
