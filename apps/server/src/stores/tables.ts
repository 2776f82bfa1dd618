import {
  type TableOf,
  boolean,
  bytes,
  defaulted,
  instant,
  integer,
  integerArray,
  json,
  nullable,
  text,
  textArray,
  bigint,
  uuid,
  double,
} from './columns.ts'
import { authTables } from './auth/auth-tables.ts'
import { backtestTables } from './backtests/backtest-tables.ts'
import { brokerageTables } from './brokerage/brokerage-tables.ts'
import { factorFileTables } from './backtests/factor-file-tables.ts'
import { liveTradingTables } from './live-trading/live-trading-tables.ts'
import { marketDataTables, storeFileTables } from './market-data/market-data-tables.ts'

const studyTables = {
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

const proposalTables = {
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

const optimizerTables = {
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

const operatorTables = {
  /** The first account that the instance had. It stays when that account is deleted: no other user takes its place. */
  instance_operator: { only_row: defaulted(boolean), user_id: integer },
  /** What each process says of itself, every few seconds. */
  process_reports: { id: uuid, reported_at: instant, report: json<unknown>() },
}

const jobTables = {
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

const homeTables = {
  home_checklists: {
    user_id: integer,
    /** First steps that were done once, whatever became of their results. */
    done: textArray,
    is_hidden: boolean,
  },
}

const deletionTables = {
  deleted_rows: {
    id: defaulted(bigint),
    user_id: integer,
    kind: text,
    /** The id by which it was deleted. */
    key: text,
    table_name: text,
    /** The row as it was; of a row that stays and lost its reference, the id alone. */
    content: json<unknown>(),
    deleted_at: instant,
  },
}

const constructionTables = {
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

const callAllowanceTables = {
  /** Calls to outside services, counted for all processes together. */
  call_allowances: {
    service: text,
    /** Identifies the key or account that the allowance belongs to. */
    fingerprint: text,
    /** Milliseconds since 1970: when the calls of the same place in `calls` are made at the latest. */
    slots: defaulted(integerArray),
    calls: defaulted(integerArray),
    /** Milliseconds since 1970; the vendor refuses every call before. */
    paused_until: defaulted(bigint),
    updated_at: defaulted(instant),
  },
}

const assistantTables = {
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

const alertTables = {
  alert_channels: {
    id: defaulted(integer),
    user_id: integer,
    kind: text,
    name: text,
    /** Where it leads, as far as that is no secret. */
    target: text,
    /** The fields of its form, as JSON. */
    sealed_values: bytes,
    is_enabled: boolean,
    /** `22:00`, by the clock of the time zone; all three or none. */
    quiet_from: nullable(text),
    quiet_to: nullable(text),
    time_zone: nullable(text),
    /** The outgoing events that it is told of, beside alerts. */
    events: defaulted(textArray),
    /** It is told of alerts that were not acknowledged for so long. */
    escalation_minutes: defaulted(integer),
    created_at: instant,
  },
  /** What users were told or are to be told, one row for each cause. */
  alerts: {
    id: defaulted(integer),
    user_id: integer,
    kind: text,
    /** A user has one open alert for each kind and cause. */
    cause: text,
    /** By the id of the deployment. */
    members: json<unknown>(),
    opened_at: instant,
    told: defaulted(integer),
    tell_at: nullable(instant),
    told_channels: defaulted(integerArray),
    acknowledged_at: nullable(instant),
    acknowledged_by: nullable(text),
    ended_at: nullable(instant),
  },
  alert_settings: {
    user_id: integer,
    /** By event; what is missing has its default. */
    levels: defaulted(json<unknown>()),
    sealed_heartbeat: nullable(bytes),
    heartbeat_minutes: defaulted(integer),
    heartbeat_due_at: nullable(instant),
    heartbeat_at: nullable(instant),
    /** Why it was not called or not answered the last time. */
    heartbeat_problem: nullable(text),
  },
}

/** Every table of the database, each described in the file of its area. */
export const tables = {
  ...authTables,
  ...jobTables,
  ...marketDataTables,
  ...backtestTables,
  ...deletionTables,
  ...homeTables,
  ...brokerageTables,
  ...callAllowanceTables,
  ...liveTradingTables,
  ...alertTables,
  ...assistantTables,
  ...optimizerTables,
  ...studyTables,
  ...constructionTables,
  ...factorFileTables,
  ...proposalTables,
  ...storeFileTables,
  ...operatorTables,
}

export type Tables = { [Name in keyof typeof tables]: TableOf<(typeof tables)[Name]> }
