import { assertPossible } from '@tradewright/engine/market/layers/rows'
import { addCounts } from '@tradewright/engine/market/layers/upsert'
import { type Layer, type SeriesBlock, layers, type DataRecord } from '@tradewright/engine/market/series'
import {
  type AvailableData,
  type BrowseQuery,
  type RecordFilter,
  refuseAsOf,
  type SeriesQuery,
  type SeriesStore,
  type SeriesSummary,
  type WriteCounts,
  type BrowsePage,
  type RecordField,
} from '@tradewright/engine/market/series-store'
import type pg from 'pg'
import { Problem } from '@tradewright/core/problem'
import type { TimeRange } from '@tradewright/core/time'
import { incomingRuns, joinColumns, type Run, sliceColumn, tablesOf, searchFilter, wordFilter } from '../runs.ts'
import { createTables, type StoreTables, storeTables, seriesOfLayer, identify, type KnownSeries } from './series-ids.ts'
import { why } from '../driver-errors.ts'

/** Which records of a layer. */
interface RecordSelection {
  readonly layer: Layer
  readonly series: readonly KnownSeries[]
  readonly range: TimeRange | undefined
}

/** The condition and its two or three parameters. */
function conditionOf({ series, range }: RecordSelection): { where: string; values: unknown[] } {
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
async function readRuns(pool: pg.Pool, tables: StoreTables, selection: RecordSelection): Promise<Run[]> {
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

async function browseRecords(
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

interface SeriesTotals {
  readonly series: KnownSeries
  readonly records: number
  readonly first: number
  readonly last: number
  readonly collectedAt: number
}

async function totalsOf(pool: pg.Pool, tables: StoreTables, selection: RecordSelection): Promise<SeriesTotals[]> {
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

/** Records per statement: a few megabytes. */
const ROWS_PER_STATEMENT = 50_000

/** Writes runs in which no record is twice. PostgreSQL tells which rows were there and which of them changed. */
async function writeRuns(
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

interface PostgresqlStoreOptions {
  readonly schema: string
  readonly prefix: string
}

/** A series store in a PostgreSQL of the user's. It owns the pool and closes it. */
export class PostgresqlSeriesStore implements SeriesStore {
  readonly #pool: pg.Pool
  readonly #tables: StoreTables
  #isReady: Promise<void> | undefined

  constructor(pool: pg.Pool, { schema, prefix }: PostgresqlStoreOptions) {
    this.#pool = pool
    this.#tables = storeTables(schema, prefix)
  }

  async write(layer: Layer, blocks: readonly SeriesBlock[]): Promise<WriteCounts> {
    if (layer !== 'bronze') blocks.forEach(assertPossible)
    const { runs, repeated } = incomingRuns(layer, blocks)
    const counts = await this.#alone((client) => writeRuns(client, this.#tables, layer, [...runs.values()].flat()))
    return addCounts(counts, repeated)
  }

  async read({ granularity, ...query }: SeriesQuery): ReturnType<SeriesStore['read']> {
    const selection = await this.#select({ ...query, granularities: [granularity] })
    return tablesOf(query.layer, await this.#ask(() => readRuns(this.#pool, this.#tables, selection)))
  }

  async browse(query: BrowseQuery): ReturnType<SeriesStore['browse']> {
    const selection = await this.#select(query, query.search)
    return this.#ask(() => browseRecords(this.#pool, this.#tables, selection, query))
  }

  async records(filter: RecordFilter): ReturnType<SeriesStore['records']> {
    const selection = await this.#select(filter)
    const runs = await this.#ask(() => readRuns(this.#pool, this.#tables, selection))
    return runs.map(({ words, column }) => Object.assign({ column }, words))
  }

  async available(layer: Layer): Promise<AvailableData> {
    const totals = await this.#totals({ layer })
    const distinct = <K extends 'ticker' | 'category' | 'provider' | 'granularity'>(name: K) =>
      [...new Set(totals.map(({ series }) => series.words[name]))].sort()
    return {
      tickers: distinct('ticker'),
      categories: distinct('category'),
      providers: distinct('provider'),
      granularities: distinct('granularity'),
      stamps: totals.length === 0 ? undefined : { min: least(totals, 'first'), max: greatest(totals, 'last') },
    }
  }

  async summaries(filter: RecordFilter): Promise<SeriesSummary[]> {
    const groups = Map.groupBy(await this.#totals(filter), ({ series: { words } }) =>
      JSON.stringify([words.ticker, words.granularity, words.provider]),
    )
    return [...groups.values()].map((group) => {
      const { ticker, type, granularity, provider } = group[0]!.series.words
      return {
        ticker,
        type,
        granularity,
        provider,
        categories: [...new Set(group.map(({ series }) => series.words.category))].sort(),
        records: group.reduce((sum, { records }) => sum + records, 0),
        first: least(group, 'first'),
        last: greatest(group, 'last'),
        collectedAt: greatest(group, 'collectedAt'),
      }
    })
  }

  async counts(): Promise<Record<Layer, number>> {
    await this.#prepare()
    const parts = layers.map((layer) => `(SELECT count(*)::float8 FROM ${this.#tables.records[layer]}) AS ${layer}`)
    const { rows } = await this.#ask(() => this.#pool.query<Record<Layer, number>>(`SELECT ${parts.join(', ')}`))
    return rows[0]!
  }

  clear(filter?: RecordFilter): Promise<number> {
    return this.#alone(async (client) => {
      let removed = 0
      for (const one of filter ? [filter] : layers.map((layer) => ({ layer }))) {
        const { where, values } = conditionOf(await this.#selectWith(client, one))
        const { rowCount } = await client.query(
          `DELETE FROM ${this.#tables.records[one.layer]} r WHERE ${where}`,
          values,
        )
        removed += rowCount ?? 0
      }
      return removed
    })
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #select(filter: RecordFilter, search?: string): Promise<RecordSelection> {
    await this.#prepare()
    return this.#ask(() => this.#selectWith(this.#pool, filter, search))
  }

  /** The words are compared here, by the same rules as in every store; the database gets numbers. */
  async #selectWith(client: pg.Pool | pg.ClientBase, filter: RecordFilter, search = ''): Promise<RecordSelection> {
    refuseAsOf(filter, 'A data store in PostgreSQL')
    const [passesFilter, passesSearch] = [wordFilter(filter), searchFilter(search)]
    const all = await seriesOfLayer(client, this.#tables, filter.layer)
    const series = all.filter(({ words }) => passesFilter(words) && passesSearch(words))
    return { layer: filter.layer, series, range: filter.range }
  }

  async #totals(filter: RecordFilter): Promise<SeriesTotals[]> {
    const selection = await this.#select(filter)
    return this.#ask(() => totalsOf(this.#pool, this.#tables, selection))
  }

  /** One transaction, one writer at a time. */
  async #alone<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    await this.#prepare()
    return this.#ask(() => this.#transaction(work))
  }

  async #transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [this.#tables.lockName])
      const answer = await work(client)
      await client.query('COMMIT')
      client.release()
      return answer
    } catch (error) {
      // The connection may be what is broken; then PostgreSQL has rolled back by itself.
      const isBroken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      )
      client.release(isBroken)
      throw error
    }
  }

  /** Makes the tables, once; a failure is tried again with the next call. */
  async #prepare(): Promise<void> {
    this.#isReady ??= this.#ask(() => this.#transaction((client) => createTables(client, this.#tables))).catch(
      (error: unknown) => {
        this.#isReady = undefined
        throw error
      },
    )
    await this.#isReady
  }

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw asStoreProblem(error)
    }
  }
}

const least = (totals: readonly SeriesTotals[], name: 'first'): number =>
  totals.reduce((found, one) => Math.min(found, one[name]), Number.POSITIVE_INFINITY)

const greatest = (totals: readonly SeriesTotals[], name: 'last' | 'collectedAt'): number =>
  totals.reduce((found, one) => Math.max(found, one[name]), Number.NEGATIVE_INFINITY)

/** An expected failure becomes a sentence; a bug stays an error. */
function asStoreProblem(error: unknown): unknown {
  if (error instanceof Problem) return error
  const reason = why(error)
  if (!reason) return error
  const sentence = `The PostgreSQL data store cannot be used: ${reason}.`
  return new Problem('unavailable', 'store.away', sentence, { cause: error })
}
