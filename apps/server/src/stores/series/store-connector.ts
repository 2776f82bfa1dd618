import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import type pg from 'pg'
import { DOUBLE, INTEGER } from '@duckdb/node-api'
import type { StoredSeries } from '@tradewright/engine/market/series-store'
import type { DataStore, StoreConnector } from '../../market-data/stores/data-store.ts'
import type { Database } from '../database.ts'
import type { WriteRecordFile, RecordFormat } from '../../market-data/browse/export-records.ts'
import { ContainedFolder } from './contained-folder.ts'
import { Duck, appendRows, chunkRows, quote } from './parquet/duck.ts'
import { type Compression, compressions, writeParquet } from './parquet/parquet-writer.ts'
import { postgresLock, processLock } from './writer-lock.ts'
import { type HistoryPolicy, SeriesStores, type SystemBucket } from './series-stores.ts'
import type { StoreAccess } from './store-access.ts'
import { isUnreachable } from './driver-errors.ts'
import { runsOfBlock, wordNames } from './runs.ts'

const NUMBERS = ['timestamps', 'values', 'collectedAt', 'knownAt'] as const

/**
 * Writes records to one file, batch after batch: DuckDB keeps them in a table of its own, which it moves to its spill
 * folder when memory is short, and writes the file on its own threads.
 */
async function writeRecordFile(
  duck: Duck,
  batches: AsyncIterable<readonly StoredSeries[]>,
  target: { readonly path: string; readonly format: RecordFormat },
): Promise<void> {
  await duck.session(async (connection) => {
    await connection.run(
      `CREATE TEMP TABLE records (series INTEGER, ${NUMBERS.map((n) => `"${n}" DOUBLE`).join(', ')})`,
    )
    const words: StoredSeries[] = []
    const buffers = [new Int32Array(chunkRows), ...NUMBERS.map(() => new Float64Array(chunkRows))]
    const table = { name: 'records', types: [INTEGER, DOUBLE, DOUBLE, DOUBLE, DOUBLE], buffers }
    for await (const batch of batches) {
      for (const series of batch) {
        const number = words.push(series) - 1
        await appendRows(connection, table, series.column.timestamps.length, (from, to) => {
          buffers[0]!.fill(number, 0, to - from)
          NUMBERS.forEach((name, i) => buffers[i + 1]!.set(series.column[name].subarray(from, to)))
        })
        // What is written need not be kept; the words are.
        words[number] = { ...series, column: EMPTY }
      }
    }
    await connection.run(
      `COPY (${selectOf(words, target.format)}) TO ${quote(target.path)} (${OPTIONS[target.format]})`,
    )
  })
}

const EMPTY = {
  timestamps: new Float64Array(),
  values: new Float64Array(),
  collectedAt: new Float64Array(),
  knownAt: new Float64Array(),
}

const OPTIONS: Readonly<Record<RecordFormat, string>> = {
  parquet: 'FORMAT parquet, COMPRESSION snappy',
  csv: `FORMAT csv, HEADER, DELIMITER ','`,
}

/** Words by the number of their series. */
function selectOf(words: readonly StoredSeries[], format: RecordFormat): string {
  const wordSql = wordNames.map((name) => {
    const list = words.map((series) => quote(series[name])).join(', ')
    return `([${list}]::VARCHAR[])[series + 1] AS ${name}`
  })
  const instant = INSTANTS[format]
  const numbers = [
    `${instant('timestamps')} AS timestamp`,
    '"values" AS value',
    `${instant('collectedAt')} AS collected_at`,
    `CASE WHEN isnan("knownAt") THEN NULL ELSE ${instant('knownAt')} END AS known_at`,
  ]
  return `SELECT ${[...wordSql, ...numbers].join(', ')} FROM records`
}

const utc = (column: string): string => `make_timestamp(coalesce(nullif("${column}", 'NaN'), 0)::BIGINT * 1000)`

/** In Parquet an instant in UTC, in CSV its text. */
const INSTANTS: Readonly<Record<RecordFormat, (column: string) => string>> = {
  parquet: (column) => `${utc(column)}::TIMESTAMPTZ`,
  csv: (column) => `strftime(${utc(column)}, '%Y-%m-%dT%H:%M:%S.%gZ')`,
}

interface StoreSurroundings {
  readonly dataDir: string
  readonly threads: number
  readonly clock: Clock
  readonly pool: pg.Pool
  readonly database: Database
  readonly diskLimitBytesPerUser: number
  /** The room on the disk itself, whatever each user may have; left out, it is not checked. */
  readonly disk?: { assertRoomFor(bytes: number): Promise<void> }
  readonly history: HistoryPolicy
  /** How stores outside this machine are reached. */
  readonly access: StoreAccess
  readonly systemBucket: SystemBucket | undefined
}

const DUCK_MEMORY_MB = 512

const TRIAL_STAMPS = Float64Array.from({ length: 10_000 }, (_, day) => day * DAY)
const TRIAL_RUNS = runsOfBlock({
  ticker: 'TRIAL',
  granularity: '1d',
  provider: 'trial',
  type: 'security',
  currency: 'USD',
  collectedAt: 0,
  timestamps: TRIAL_STAMPS,
  knownAt: TRIAL_STAMPS,
  columns: { open: TRIAL_STAMPS, close: TRIAL_STAMPS },
})

/** Joins the rows of data stores to their drivers. DuckDB starts when the first store is needed. */
interface OpenConnector extends StoreConnector {
  readonly writeRecordFile: WriteRecordFile
  /** Starts DuckDB and writes a file with it: the first one takes three times as long as the next. */
  prepare(): Promise<void>
  close(): Promise<void>
}

export function storeConnector(surroundings: StoreSurroundings): OpenConnector {
  const { dataDir, threads, clock, pool, database, diskLimitBytesPerUser, disk, history, access, systemBucket } =
    surroundings
  const folder = join(dataDir, 'stores')
  let opened: Promise<{ duck: Duck; stores: SeriesStores }> | undefined
  let prepared: Promise<void> | undefined

  async function start() {
    const duck = await Duck.open({ memoryLimitMb: DUCK_MEMORY_MB, threads, spillFolder: join(folder, 'spill') })
    const stores = new SeriesStores({
      duck,
      clock,
      database,
      lock: postgresLock(pool, processLock()),
      systemRoot: folder,
      // Beside the system stores, so that no path a user chooses leads into one of them.
      localRoots: [join(folder, 'local')],
      cacheFolder: join(folder, 'cache'),
      diskLimitBytesPerUser,
      ...(disk && { disk }),
      history,
      access,
      systemBucket,
    })
    return { duck, stores }
  }

  async function writeTrial(): Promise<void> {
    const { duck } = await (opened ??= start())
    const spill = new ContainedFolder(folder, 'spill')
    // Two processes may share the folder.
    const file = `trial-${randomUUID()}.parquet`
    try {
      await writeParquet(duck, TRIAL_RUNS, { path: await spill.atNew(file), compression: 'snappy' })
    } finally {
      await spill.remove(file)
    }
  }

  return {
    async check(storeType, connection) {
      const { stores } = await (opened ??= start())
      try {
        await stores.checkConnection(storeType, connection)
        return undefined
      } catch (error) {
        if (error instanceof Problem && isUnreachable(error.cause)) return error.message
        throw error
      }
    },
    async open(store, connection) {
      const { stores } = await (opened ??= start())
      return stores.open({ ...store, settings: settingsOf(store), connectionConfig: connection })
    },
    async discarding(store) {
      const { stores } = await (opened ??= start())
      return stores.discarding(store)
    },
    async writeRecordFile(batches, target) {
      const { duck } = await (opened ??= start())
      await writeRecordFile(duck, batches, target)
    },
    prepare: () => (prepared ??= writeTrial()),
    async close() {
      await prepared?.catch(() => {})
      ;(await opened)?.duck.close()
    },
  }
}

function settingsOf({ partitionStrategy, compression }: DataStore) {
  const known = compressions.find((one): one is Compression => one === compression)
  return { partitionStrategy, compression: known ?? 'snappy' }
}
