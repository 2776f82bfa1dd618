import { bytes, defaulted, double, instant, integer, json, nullable, text, uuid } from '../columns.ts'

export const studyTables = {
  parameter_studies: {
    id: defaulted(integer),
    user_id: integer,
    order: json<unknown>(),
    /** The job that may write results and the end. */
    job_id: nullable(uuid),
    ended_as: nullable(text),
    error: nullable(text),
    outcome: nullable(json<unknown>()),
    created_at: instant,
    finished_at: nullable(instant),
  },
  parameter_study_results: {
    study_id: integer,
    /** The place of the first of them in the plan. */
    first: integer,
    count: integer,
    results: json<unknown>(),
    seconds: double,
  },
  /** Prices of unfinished studies. */
  parameter_study_data: {
    study_id: integer,
    data: bytes,
  },
}
