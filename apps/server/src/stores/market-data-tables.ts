import { boolean, bytes, instant, integer, json, multirange, nullable, defaulted, text } from './columns.ts'

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
}
