import type { Layer } from '@tradewright/engine/market/series'
import type pg from 'pg'
import type { Run } from '../runs/run.ts'
import { keyOf, type SeriesKey, wordNames } from '../runs/series-key.ts'
import type { StoreTables } from './layout.ts'

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
