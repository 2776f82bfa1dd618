// Run by browse.bench.ts: prints its measurements as JSON.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { DAY } from '@tradewright/core/time'
import type { BrowseQuery } from '@tradewright/engine/market/series-store'
import type { Measurement } from '../bench.ts'
import { bestOf, openLocal, type StoreSite } from './local.ts'
import { FIRST_DAY, tickerName } from './market-data.ts'

const site = JSON.parse(process.argv[2]!) as StoreSite
const { folder } = site
const { store, close } = await openLocal(site, 'none')
const FIRST_PAGE: BrowseQuery = { layer: 'gold', sortBy: 'timestamp', sortOrder: 'desc', page: 1, perPage: 50 }
const FILTERED = {
  categories: ['close', 'volume'],
  range: { from: FIRST_DAY + 1000 * DAY, to: FIRST_DAY + 4000 * DAY },
}
const MILLIONTH = 1_000_000 / 50 + 1
const TWENTY = Array.from({ length: 20 }, (_, i) => tickerName(i * 17))
const ALL_TIME = { from: FIRST_DAY - 10_000 * DAY, to: FIRST_DAY + 10_000 * DAY }

const ours = {
  first: await bestOf(5, () => store.browse(FIRST_PAGE)),
  inRange: await bestOf(5, () => store.browse({ ...FIRST_PAGE, range: FILTERED.range })),
  filtered: await bestOf(5, () => store.browse({ ...FIRST_PAGE, ...FILTERED, sortBy: 'value' })),
  searched: await bestOf(5, () => store.browse({ ...FIRST_PAGE, search: 't01', sortBy: 'ticker' })),
  deep: await bestOf(3, () => store.browse({ ...FIRST_PAGE, page: MILLIONTH })),
  deepByValue: await bestOf(3, () => store.browse({ ...FIRST_PAGE, sortBy: 'value', page: MILLIONTH })),
  read: await bestOf(7, () =>
    store.read({ layer: 'gold', tickers: TWENTY, granularity: '1d', range: ALL_TIME, categories: [] }),
  ),
}
const residentMib = process.resourceUsage().maxRSS / 1024
await close()

const files = globSync(join(folder, 'store', 'gold', '**', '*.parquet'))
const theirs = await plainDuckDb(files)
const measurements: Measurement[] = [
  figure('first-page', ours.first, theirs.first, 300),
  figure('first-page-in-a-range', ours.inRange, theirs.inRange, 300),
  figure('first-page-filtered-by-value', ours.filtered, theirs.filtered, 300),
  figure('first-page-searched-by-ticker', ours.searched, theirs.searched, 300),
  figure('page-at-1000000', ours.deep, theirs.deep, 1_500),
  figure('page-at-1000000-by-value', ours.deepByValue, theirs.deepByValue, 1_500),
  figure('read-20-tickers-20-years', ours.read, theirs.read, 100),
  { bench: 'stores-browse/resident', ours: residentMib, unit: 'MiB', goal: { on: 'ours', under: 1024 } },
]
process.stdout.write(JSON.stringify(measurements))

function figure(name: string, value: number, peer: number, limit: number): Measurement {
  return {
    bench: `stores-browse/${name}`,
    ours: value,
    unit: 'ms',
    peer: { name: 'plain DuckDB', value: peer },
    goal: { on: 'ours', under: limit },
  }
}

/** The hand-written equivalent: the page and its total in SQL, over the same files with the same memory. */
async function plainDuckDb(paths: readonly string[]) {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: '512MB',
    threads: '2',
    temp_directory: join(folder, 'spill'),
  })
  const connection = await instance.connect()
  const source = `read_parquet([${paths.map((path) => `'${path}'`).join(', ')}])`
  const ties = 'ticker, category, provider, granularity'
  const { from, to } = FILTERED.range
  const within = `timestamp >= make_timestamp(${from}000) AND timestamp < make_timestamp(${to}000)`
  const filter = `WHERE category IN ('close', 'volume') AND ${within}`
  const search = `WHERE ticker ILIKE '%t01%' OR category ILIKE '%t01%' OR type ILIKE '%t01%' OR currency ILIKE '%t01%'
    OR provider ILIKE '%t01%'`
  const page = async (order: string, where = '', offset = 0) => {
    const rows = await connection.runAndReadAll(
      `SELECT * FROM ${source} ${where} ORDER BY ${order} LIMIT 50 OFFSET ${offset}`,
    )
    rows.getRowObjects()
    await connection.run(`SELECT count(*) FROM ${source} ${where}`)
  }
  const tickers = TWENTY.map((ticker) => `'${ticker}'`).join(', ')
  return {
    first: await bestOf(3, () => page(`timestamp DESC, ${ties}`)),
    inRange: await bestOf(3, () => page(`timestamp DESC, ${ties}`, `WHERE ${within}`)),
    filtered: await bestOf(3, () => page(`value DESC, timestamp, ${ties}`, filter)),
    searched: await bestOf(3, () => page(`ticker DESC, timestamp, category, provider, granularity`, search)),
    deep: await bestOf(2, () => page(`timestamp DESC, ${ties}`, '', 1_000_000)),
    deepByValue: await bestOf(2, () => page(`value DESC, timestamp, ${ties}`, '', 1_000_000)),
    read: await bestOf(7, () =>
      connection.run(`SELECT ticker, category, timestamp, value FROM ${source} WHERE ticker IN (${tickers})
        AND granularity = '1d' ORDER BY ticker, category, timestamp`),
    ),
  }
}
