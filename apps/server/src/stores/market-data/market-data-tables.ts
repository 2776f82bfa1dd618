import type { JobDates, JobSchedule, LayerCounts } from '../../market-data/jobs/collection-job.ts'
import type { ProviderDefinition } from '../../market-data/provider-definition.ts'
import {
  bigint,
  boolean,
  bytes,
  date,
  defaulted,
  instant,
  integer,
  integerArray,
  json,
  multirange,
  nullable,
  text,
  textArray,
  uuid,
} from '../columns.ts'

export const marketDataTables = {
  data_stores: {
    id: defaulted(integer),
    user_id: integer,
    name: text,
    store_type: text,
    is_system: boolean,
    is_default: boolean,
    default_format: text,
    partition_strategy: text,
    compression: text,
    /** Without passwords and keys, which are in `sealed_secrets`. */
    connection_config: json<Record<string, unknown>>(),
    sealed_secrets: nullable(bytes),
    created_at: instant,
    /** Why the connection could not be tried when it was saved; null once it worked. */
    unverified_reason: nullable(text),
    /** Made when the list of its files was still a log beside them, which is taken over once. */
  },
  /** Which ranges of a series a provider was asked for and has answered, whether or not it had rows there. */
  series_coverage: {
    store_id: integer,
    provider: text,
    ticker: text,
    granularity: text,
    /** Milliseconds UTC. */
    covered: multirange,
  },
  collection_jobs: {
    id: defaulted(integer),
    user_id: integer,
    name: text,
    is_system: boolean,
    job_kind: text,
    provider_id: nullable(text),
    data_store_id: integer,
    tickers: textArray,
    data_granularity: text,
    categories: textArray,
    dates: json<JobDates>(),
    /** Null: it is run by hand only. */
    schedule: nullable(json<JobSchedule>()),
    additional_params: json<Record<string, unknown>>(),
    transform_config: nullable(json<Record<string, unknown>>()),
    depends_on_job_ids: integerArray,
    next_run_at: nullable(instant),
    created_at: instant,
  },
  collection_runs: {
    id: defaulted(integer),
    user_id: integer,
    collection_job_id: integer,
    /** The job of the queue that does it, once, however often it begins again. */
    queue_job_id: uuid,
    job_name: text,
    provider: nullable(text),
    store: text,
    status: text,
    started_at: instant,
    completed_at: nullable(instant),
    records_fetched: bigint,
    records_stored: bigint,
    layer_counts: json<LayerCounts>(),
    run_counts: json<LayerCounts>(),
    message: nullable(text),
    error_message: nullable(text),
  },
  custom_providers: {
    user_id: integer,
    provider_id: text,
    definition: json<ProviderDefinition>(),
    sealed_key: nullable(bytes),
    created_at: instant,
  },
  saved_queries: {
    id: defaulted(integer),
    user_id: integer,
    name: text,
    description: text,
    tickers: textArray,
    categories: textArray,
    providers: textArray,
    start_date: nullable(date),
    end_date: nullable(date),
    is_default: boolean,
    use_count: integer,
    created_at: instant,
  },
}

/** The data files of series stores. */
export const storeFileTables = {
  store_catalogues: {
    id: defaulted(integer),
    store_id: integer,
    /** Where the files lie. A store that is pointed elsewhere has another catalogue there, and its old one if it returns. */
    location: text,
    /** Whether the files take room on this server's disk. */
    is_local: boolean,
    /** The number of the last change. */
    version: bigint,
    /** Files that were retired up to this change may be forgotten: a reader that knows less starts anew. */
    purged_version: bigint,
    created_at: instant,
    /** What the store held is known from this change on; zero: from its beginning. */
    history_from_version: defaulted(bigint),
  },
  store_files: {
    catalogue_id: integer,
    path: text,
    layer: text,
    partition: text,
    rows: bigint,
    bytes: bigint,
    /** `crc32:…` finds damage on our own disk, `sha256:…` also foreign changes. */
    checksum: text,
    /** JSON: which rows are about which series. */
    segments: text,
    added_version: bigint,
    added_at: instant,
    /** Set when a change replaced the file; it stays for readers for a while. */
    retired_version: nullable(bigint),
    retired_at: nullable(instant),
    /** A retired file whose records no other file holds: it is kept for reads as of an earlier moment. */
    is_history: defaulted(boolean),
  },
  /** When each change of a store was made: of the last change of a row, and packed of those before it. */
  store_changes: {
    catalogue_id: integer,
    version: bigint,
    changed_at: instant,
    first_at: nullable(instant),
    earlier: nullable(bytes),
  },
  /** Records that changes have replaced or removed, packed; many of one change are a file. */
  store_removed_rows: {
    catalogue_id: integer,
    /** The last of its changes. */
    version: bigint,
    layer: text,
    data: bytes,
    first_version: bigint,
    /** Zero where it was not counted. */
    records: defaulted(integer),
  },
  /** Files that a writer is about to add: those of a writer that died are removed by these rows. */
  store_pending_files: {
    catalogue_id: integer,
    path: text,
    announced_at: instant,
  },
}
