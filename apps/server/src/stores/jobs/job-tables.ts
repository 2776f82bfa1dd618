import { boolean, instant, integer, json, nullable, text, uuid } from '../columns.ts'

export const jobTables = {
  jobs: {
    id: uuid,
    user_id: integer,
    kind: text,
    /** The job's subject, in its kind's words: "SPY, 2015 to 2024". */
    subject: text,
    /** At most one unfinished job per user, kind and key. */
    singleton_key: nullable(text),
    input: json<unknown>(),
    state: text,
    progress: nullable(json<unknown>()),
    checkpoint: nullable(json<unknown>()),
    result: nullable(json<unknown>()),
    error: nullable(json<unknown>()),
    attempts: integer,
    cancel_requested: boolean,
    /** The one message of the carrier that may begin this job; any other is stale. */
    delivery_id: uuid,
    /** Drawn anew each time the job begins: a write under an older claim finds no row. */
    claim_id: nullable(uuid),
    worker_id: nullable(text),
    created_at: instant,
    started_at: nullable(instant),
    updated_at: instant,
    finished_at: nullable(instant),
    /** The span of the call that put it in; null where nothing was traced. */
    trace_parent: nullable(text),
  },
}
