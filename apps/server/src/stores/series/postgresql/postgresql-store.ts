import { assertPossible } from '@tradewright/engine/market/layers/validate-rows'
import { addCounts } from '@tradewright/engine/market/layers/upsert'
import { type Layer, type SeriesBlock, layers } from '@tradewright/engine/market/series'
import {
  type AvailableData,
  type BrowseQuery,
  type RecordFilter,
  refuseAsOf,
  type SeriesQuery,
  type SeriesStore,
  type SeriesSummary,
  type WriteCounts,
} from '@tradewright/engine/market/series-store'
import type pg from 'pg'
import { Problem } from '@tradewright/core/problem'
import { incomingRuns } from '../runs/incoming.ts'
import { searchFilter, wordFilter } from '../runs/word-filter.ts'
import { tablesOf } from '../runs/tables.ts'
import { createTables, type StoreTables, storeTables } from './layout.ts'
import {
  browseRecords,
  conditionOf,
  readRuns,
  type RecordSelection,
  type SeriesTotals,
  totalsOf,
} from './read-records.ts'
import { seriesOfLayer } from './series-ids.ts'
import { writeRuns } from './write-records.ts'
import { why } from '../driver-errors.ts'

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
