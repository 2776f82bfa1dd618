import type { Layer } from '@tradewright/engine/market/series'
import { layers } from '@tradewright/engine/market/series'
import type pg from 'pg'

/** Names of one store's tables, quoted for SQL. Checked words only: they cannot be parameters of a statement. */
export interface StoreTables {
  readonly schema: string
  readonly series: string
  readonly records: Readonly<Record<Layer, string>>
  readonly view: string
  /** The lock of this store's writers. */
  readonly lockName: string
}

export function storeTables(schema: string, prefix: string): StoreTables {
  const name = (table: string) => `${quoteName(schema)}.${quoteName(`${prefix}${table}`)}`
  return {
    schema: quoteName(schema),
    series: name('series'),
    records: { bronze: name('bronze'), silver: name('silver'), gold: name('gold') },
    view: name('records'),
    lockName: `${schema}.${prefix}`,
  }
}

function quoteName(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(name)) throw new RangeError(`"${name}" is not a name for a table or schema`)
  return `"${name}"`
}

/**
 * A record is a key, a stamp and numbers. `key_id` stands for what makes a record one (in gold without its provider),
 * `series_id` for all its words. Stamps are milliseconds, exact for whatever a provider sends; the view shows instants.
 */
export async function createTables(client: pg.ClientBase, tables: StoreTables): Promise<void> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${tables.schema}`)
  await client.query(`CREATE TABLE IF NOT EXISTS ${tables.series} (
    series_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key_id integer NOT NULL,
    layer text NOT NULL,
    ticker text NOT NULL,
    granularity text NOT NULL,
    category text NOT NULL,
    provider text NOT NULL,
    type text NOT NULL,
    currency text NOT NULL,
    UNIQUE (layer, ticker, granularity, category, provider, type, currency))`)
  for (const layer of layers) {
    await client.query(`CREATE TABLE IF NOT EXISTS ${tables.records[layer]} (
      key_id integer NOT NULL,
      stamp bigint NOT NULL,
      series_id integer NOT NULL REFERENCES ${tables.series},
      value double precision NOT NULL,
      collected_at bigint NOT NULL,
      known_at bigint,
      PRIMARY KEY (key_id, stamp))`)
    await client.query(`CREATE INDEX IF NOT EXISTS ${indexName(tables, layer)} ON ${tables.records[layer]} (stamp)`)
  }
  const parts = layers.map(
    (layer) => `SELECT s.layer, s.ticker, to_timestamp(r.stamp / 1000.0) AS "timestamp", s.category, s.type, r.value,
      s.currency, s.provider, to_timestamp(r.collected_at / 1000.0) AS collected_at, s.granularity,
      to_timestamp(r.known_at / 1000.0) AS known_at FROM ${tables.records[layer]} r JOIN ${tables.series} s USING (series_id)`,
  )
  await client.query(`CREATE OR REPLACE VIEW ${tables.view} AS ${parts.join(' UNION ALL ')}`)
}

const indexName = (tables: StoreTables, layer: Layer): string =>
  `"${tables.records[layer].split('"').at(-2)!.slice(0, 55)}_stamp"`
