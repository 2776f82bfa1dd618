import { type Layer, layers } from '@tradewright/engine/market/series'
import type pg from 'pg'
import { type Run, keyOf, type SeriesKey, wordNames } from '../runs.ts'

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

/** A series with the numbers it goes by in the database. */
export interface KnownSeries {
  readonly seriesId: number
  readonly keyId: number
  readonly words: SeriesKey
}

type SeriesRow = SeriesKey & { series_id: number; key_id: number }

export async function seriesOfLayer(
  client: pg.ClientBase | pg.Pool,
  tables: StoreTables,
  layer: Layer,
): Promise<KnownSeries[]> {
  const { rows } = await client.query<SeriesRow>(
    `SELECT series_id, key_id, ${wordNames.join(', ')} FROM ${tables.series} WHERE layer = $1`,
    [layer],
  )
  return rows.map(({ series_id, key_id, ...words }) => ({ seriesId: series_id, keyId: key_id, words }))
}

/** Finds the series of each run, and makes those that are new. The caller holds the store's lock. */
export async function identify(
  client: pg.ClientBase,
  tables: StoreTables,
  layer: Layer,
  runs: readonly Run[],
): Promise<(run: Run) => KnownSeries> {
  const known = await seriesOfLayer(client, tables, layer)
  const byWords = new Map(known.map((series) => [wordsText(series.words), series]))
  const keyIds = new Map(known.map(({ keyId, words }) => [keyOf(layer, words), keyId]))
  const fresh = [...new Map(runs.map(({ words }) => [wordsText(words), words]))].filter(([text]) => !byWords.has(text))
  if (fresh.length > 0) {
    let next = known.reduce((most, { keyId }) => Math.max(most, keyId), 0)
    for (const [, words] of fresh) {
      const key = keyOf(layer, words)
      if (!keyIds.has(key)) keyIds.set(key, ++next)
    }
    for (const series of await insertSeries(
      client,
      tables,
      layer,
      fresh.map(([, words]) => ({ words, keyId: keyIds.get(keyOf(layer, words))! })),
    )) {
      byWords.set(wordsText(series.words), series)
    }
  }
  return (run) => byWords.get(wordsText(run.words))!
}

const wordsText = (words: SeriesKey): string => JSON.stringify(wordNames.map((name) => words[name]))

async function insertSeries(
  client: pg.ClientBase,
  tables: StoreTables,
  layer: Layer,
  fresh: readonly { words: SeriesKey; keyId: number }[],
): Promise<KnownSeries[]> {
  const columns = wordNames.map((name) => fresh.map(({ words }) => words[name]))
  const { rows } = await client.query<SeriesRow>(
    `INSERT INTO ${tables.series} (layer, key_id, ${wordNames.join(', ')})
      SELECT $1, * FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
      RETURNING series_id, key_id, ${wordNames.join(', ')}`,
    [layer, fresh.map(({ keyId }) => keyId), ...columns],
  )
  return rows.map(({ series_id, key_id, ...words }) => ({ seriesId: series_id, keyId: key_id, words }))
}
