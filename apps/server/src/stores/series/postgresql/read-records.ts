import type { TimeRange } from '@tradewright/core/time'
import type { DataRecord, Layer } from '@tradewright/engine/market/series'
import type { BrowsePage, BrowseQuery, RecordField } from '@tradewright/engine/market/series-store'
import type pg from 'pg'
import type { Run } from '../runs/run.ts'
import type { StoreTables } from './layout.ts'
import type { KnownSeries } from './series-ids.ts'

/** Which records of a layer. */
export interface RecordSelection {
  readonly layer: Layer
  readonly series: readonly KnownSeries[]
  readonly range: TimeRange | undefined
}

/** The condition and its two or three parameters. */
export function conditionOf({ series, range }: RecordSelection): { where: string; values: unknown[] } {
  const ids = series.map(({ seriesId }) => seriesId)
  const keys = [...new Set(series.map(({ keyId }) => keyId))]
  const values: unknown[] = [keys, ids]
  // The primary key begins with key_id; series_id tells providers of gold apart.
  const conditions = ['r.key_id = ANY($1::int[])', 'r.series_id = ANY($2::int[])']
  if (range) {
    values.push(bigint(range.from), bigint(range.to))
    conditions.push('r.stamp >= $3::bigint', 'r.stamp < $4::bigint')
  }
  return { where: conditions.join(' AND '), values }
}

const LAST_INSTANT = 8.64e15
const bigint = (stamp: number): string => String(Math.ceil(Math.max(-LAST_INSTANT, Math.min(LAST_INSTANT, stamp))))

const packed = (expression: string): string =>
  `string_agg(float8send((${expression})::float8), ''::bytea ORDER BY r.stamp)`

/** One row per series with its columns as bytes: PostgreSQL packs them, so nothing is parsed value by value. */
export async function readRuns(pool: pg.Pool, tables: StoreTables, selection: RecordSelection): Promise<Run[]> {
  if (selection.series.length === 0) return []
  const { where, values } = conditionOf(selection)
  const columns = ['r.stamp', 'r.value', 'r.collected_at', `coalesce(r.known_at, 'NaN'::float8)`].map(packed)
  const { rows } = await pool.query<[number, Buffer, Buffer, Buffer, Buffer]>({
    text: `SELECT r.series_id, ${columns.join(', ')} FROM ${tables.records[selection.layer]} r
      WHERE ${where} GROUP BY r.series_id`,
    values,
    rowMode: 'array',
  })
  const wordsOf = new Map(selection.series.map(({ seriesId, words }) => [seriesId, words]))
  return rows.map(([id, timestamps, column, collectedAt, knownAt]) => ({
    words: wordsOf.get(id)!,
    column: {
      timestamps: unpack(timestamps),
      values: unpack(column),
      collectedAt: unpack(collectedAt),
      knownAt: unpack(knownAt),
    },
  }))
}

function unpack(bytes: Buffer): Float64Array {
  const numbers = new Float64Array(bytes.length / 8)
  const target = Buffer.from(numbers.buffer)
  bytes.copy(target)
  // The wire is big-endian; every machine that Node runs on today is little-endian.
  target.swap64()
  return numbers
}

const SORT_COLUMNS = {
  ticker: 's.ticker COLLATE "C"',
  timestamp: 'r.stamp',
  category: 's.category COLLATE "C"',
  type: 's.type COLLATE "C"',
  value: 'r.value',
  currency: 's.currency COLLATE "C"',
  provider: 's.provider COLLATE "C"',
  collected_at: 'r.collected_at',
} as const satisfies Record<RecordField, string>

/** Ascending whatever the sort: two pages never show the same record. */
const TIE_BREAKERS = [
  SORT_COLUMNS.timestamp,
  SORT_COLUMNS.ticker,
  SORT_COLUMNS.category,
  SORT_COLUMNS.provider,
  's.granularity',
]

interface RecordRow extends Omit<DataRecord, 'collectedAt' | 'knownAt'> {
  collected_at: number
  known_at: number | null
}

export async function browseRecords(
  pool: pg.Pool,
  tables: StoreTables,
  selection: RecordSelection,
  query: BrowseQuery,
): Promise<BrowsePage> {
  if (selection.series.length === 0) return { records: [], total: 0 }
  const { where, values } = conditionOf(selection)
  const source = tables.records[selection.layer]
  const order = [`${SORT_COLUMNS[query.sortBy]} ${query.sortOrder === 'desc' ? 'DESC' : 'ASC'}`, ...TIE_BREAKERS]
  const [{ rows: counted }, { rows }] = await Promise.all([
    pool.query<{ total: number }>(`SELECT count(*)::float8 AS total FROM ${source} r WHERE ${where}`, values),
    pool.query<RecordRow>(
      `SELECT s.ticker, r.stamp::float8 AS timestamp, s.category, s.type, r.value, s.currency, s.provider, s.granularity,
        r.collected_at::float8 AS collected_at, r.known_at::float8 AS known_at
      FROM ${source} r JOIN ${tables.series} s USING (series_id) WHERE ${where}
      ORDER BY ${order.join(', ')} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, query.perPage, (query.page - 1) * query.perPage],
    ),
  ])
  return { records: rows.map(toRecord), total: counted[0]!.total }
}

const toRecord = ({ collected_at, known_at, ...words }: RecordRow): DataRecord =>
  Object.assign(words, { collectedAt: collected_at, knownAt: known_at ?? undefined })

export interface SeriesTotals {
  readonly series: KnownSeries
  readonly records: number
  readonly first: number
  readonly last: number
  readonly collectedAt: number
}

export async function totalsOf(
  pool: pg.Pool,
  tables: StoreTables,
  selection: RecordSelection,
): Promise<SeriesTotals[]> {
  if (selection.series.length === 0) return []
  const { where, values } = conditionOf(selection)
  const { rows } = await pool.query<{ id: number; records: number; first: number; last: number; collected_at: number }>(
    `SELECT r.series_id AS id, count(*)::float8 AS records, min(r.stamp)::float8 AS first, max(r.stamp)::float8 AS last,
      max(r.collected_at)::float8 AS collected_at FROM ${tables.records[selection.layer]} r WHERE ${where} GROUP BY 1`,
    values,
  )
  const byId = new Map(selection.series.map((series) => [series.seriesId, series]))
  return rows.map(({ id, collected_at, ...totals }) =>
    Object.assign(totals, { series: byId.get(id)!, collectedAt: collected_at }),
  )
}
