import {
  boolean,
  bytes,
  defaulted,
  double,
  instant,
  integer,
  json,
  nullable,
  text,
  textArray,
  uuid,
} from '../columns.ts'

export const optimizerTables = {
  optimization_runs: {
    id: defaulted(integer),
    user_id: integer,
    order: json<unknown>(),
    client_run_id: nullable(text),
    /** The genes of its individuals count along this list. */
    candidates: json<unknown>(),
    /** The job that may write generations and the end. */
    job_id: nullable(uuid),
    paused: boolean,
    cancel_requested: boolean,
    ended_as: nullable(text),
    error: nullable(text),
    outcome: nullable(json<unknown>()),
    /** Whether the run's prices come from the sample market; null until they are there. */
    synthetic: nullable(boolean),
    created_at: instant,
    finished_at: nullable(instant),
    /** The code of the problem that ended the run; null in runs of earlier versions. */
    error_code: nullable(text),
  },
  optimization_generations: {
    run_id: integer,
    number: integer,
    /** Best first. */
    members: json<unknown>(),
    /** The `blocks` of each evaluation; only a run that goes on needs them. */
    blocks: json<unknown>(),
    diversity: double,
    new_evaluations: integer,
    best_fitness: double,
    average_fitness: double,
    seconds: double,
  },
  /** Prices of unfinished runs. */
  optimization_data: {
    run_id: integer,
    data: bytes,
    /** What the searches before the windows of nested walk-forward have chosen so far. */
    nested_choices: defaulted(json<unknown>()),
  },
  ticker_lists: {
    id: defaulted(integer),
    user_id: integer,
    name: text,
    list_type: text,
    tickers: textArray,
    created_at: instant,
    updated_at: instant,
  },
}
