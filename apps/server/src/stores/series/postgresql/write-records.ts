import type { Layer } from '@tradewright/engine/market/series'
import type { WriteCounts } from '@tradewright/engine/market/series-store'
import type pg from 'pg'
import { joinColumns, type Run, sliceColumn } from '../runs/run.ts'
import type { StoreTables } from './layout.ts'
import { identify, type KnownSeries } from './series-ids.ts'

/** Records per statement: a few megabytes. */
const ROWS_PER_STATEMENT = 50_000

/** Writes runs in which no record is twice. PostgreSQL tells which rows were there and which of them changed. */
export async function writeRuns(
  client: pg.ClientBase,
  tables: StoreTables,
  layer: Layer,
  runs: readonly Run[],
): Promise<WriteCounts> {
  const seriesOf = await identify(client, tables, layer, runs)
  const counts = { inserted: 0, replaced: 0, unchanged: 0 }
  for (const batch of batchesOf(runs)) {
    const written = await writeBatch(
      client,
      tables.records[layer],
      batch.map((run) => ({ run, series: seriesOf(run) })),
    )
    counts.inserted += written.inserted
    counts.replaced += written.replaced
    counts.unchanged += written.unchanged
  }
  return counts
}

function* batchesOf(runs: readonly Run[]): Generator<Run[]> {
  let [batch, rows]: [Run[], number] = [[], 0]
  for (const { words, column } of runs) {
    for (let from = 0; from < column.timestamps.length;) {
      const to = Math.min(column.timestamps.length, from + ROWS_PER_STATEMENT - rows)
      batch.push({ words, column: sliceColumn(column, from, to) })
      rows += to - from
      from = to
      if (rows === ROWS_PER_STATEMENT) {
        yield batch
        ;[batch, rows] = [[], 0]
      }
    }
  }
  if (rows > 0) yield batch
}

async function writeBatch(
  client: pg.ClientBase,
  table: string,
  batch: readonly { run: Run; series: KnownSeries }[],
): Promise<WriteCounts> {
  const column = joinColumns(batch.map(({ run }) => run.column))
  const ids = (name: 'keyId' | 'seriesId') =>
    batch.map(({ run, series }) => repeat(series[name], run.column.timestamps.length)).join(',')
  // xmax is 0 in a row that this statement made and not in one that it changed.
  const { rows } = await client.query<{ inserted: number; replaced: number }>(
    `WITH written AS (
      INSERT INTO ${table} AS r (key_id, series_id, stamp, value, collected_at, known_at)
      SELECT * FROM unnest($1::int[], $2::int[], $3::bigint[], $4::float8[], $5::bigint[], $6::bigint[])
      ON CONFLICT (key_id, stamp) DO UPDATE SET
        series_id = excluded.series_id, value = excluded.value,
        collected_at = excluded.collected_at, known_at = excluded.known_at
      WHERE (r.series_id, r.value, r.known_at) IS DISTINCT FROM (excluded.series_id, excluded.value, excluded.known_at)
      RETURNING (xmax = 0) AS is_new)
    SELECT count(*) FILTER (WHERE is_new)::int AS inserted, count(*) FILTER (WHERE NOT is_new)::int AS replaced FROM written`,
    [
      `{${ids('keyId')}}`,
      `{${ids('seriesId')}}`,
      `{${column.timestamps.join(',')}}`,
      `{${column.values.join(',')}}`,
      `{${column.collectedAt.join(',')}}`,
      `{${Array.from(column.knownAt, (instant) => (Number.isNaN(instant) ? 'NULL' : instant)).join(',')}}`,
    ],
  )
  const { inserted, replaced } = rows[0]!
  return { inserted, replaced, unchanged: column.timestamps.length - inserted - replaced }
}

const repeat = (id: number, times: number): string => `${id},`.repeat(times).slice(0, -1)
