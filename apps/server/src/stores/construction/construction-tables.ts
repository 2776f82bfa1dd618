import { defaulted, instant, integer, json, nullable, text, uuid } from '../columns.ts'

export const constructionTables = {
  portfolio_constructions: {
    id: defaulted(integer),
    user_id: integer,
    order: json<unknown>(),
    /** The job that may write the end. */
    job_id: nullable(uuid),
    ended_as: nullable(text),
    error: nullable(text),
    outcome: nullable(json<unknown>()),
    created_at: instant,
    finished_at: nullable(instant),
  },
}
