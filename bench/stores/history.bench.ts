import { globSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '@tradewright/core/random'
import { DAY } from '@tradewright/core/time'
import { sliceRows } from '@tradewright/engine/market/layers/rows'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import pg from 'pg'
import { type Bench, benchRow } from '../bench.ts'
import { bestOf, openLocal, type StoreSite, startStoreSite } from './local.ts'
import { dailyBars, FIRST_DAY, tickerName } from './market-data.ts'

/**
 * Ten years of sessions, one by one: a job collects every ticker's bar of the day, and one bar is corrected, of the day
 * before, or, now and then, of any day before that. `HISTORY_DAYS_MEASURED` and `HISTORY_TICKERS` make it shorter.
 */
const DAYS = Number(process.env['HISTORY_DAYS_MEASURED'] ?? 2_520)
const TICKERS = Number(process.env['HISTORY_TICKERS'] ?? 100)
const OLD_CORRECTION_INTERVAL = 20
const GOAL = { on: 'ratio', under: 1.1 } as const
const PEER = 'the same store without history'

interface Side {
  readonly site: StoreSite & { stop(): Promise<void> }
  readonly store: SeriesStore
  readonly close: () => Promise<void>
  spentMs: number
}

const storesHistory: Bench = {
  name: 'stores-history',
  async run(report) {
    const root = await mkdtemp(join(tmpdir(), 'tradewright-bench-'))
    let now = FIRST_DAY
    const open = async (name: string, historyMs: number): Promise<Side> => {
      const site = await startStoreSite(await mkdtemp(join(root, name)))
      return { site, ...(await openLocal(site, 'none', { historyMs, now: () => new Date(now) })), spentMs: 0 }
    }
    const [kept, plain] = [await open('kept-', 100 * 366 * DAY), await open('plain-', 0)]
    try {
      const bars = Array.from({ length: TICKERS }, (_, index) => commonDays(dailyBars(index, DAYS)))
      const random = new Random(1)
      for (let day = 1; day < DAYS; day++) {
        now = FIRST_DAY + day * DAY
        // As autovacuum does in ten years, which pass in minutes here.
        if (day % 60 === 0) await vacuum(kept)
        const blocks = changesOf(bars, day, now, random)
        // In turns, so that what the machine does besides meets both.
        for (const side of day % 2 === 0 ? [kept, plain] : [plain, kept]) {
          const start = performance.now()
          await side.store.write('gold', blocks)
          side.spentMs += performance.now() - start
        }
      }
      const versus = (bench: string, unit: string, ours: number, value: number) =>
        report(benchRow({ bench: `stores-history/${bench}`, ours, unit, peer: { name: PEER, value }, goal: GOAL }))
      versus('writing', 's', kept.spentMs / 1_000, plain.spentMs / 1_000)
      const [files, database] = [await diskOf(kept), await historyInDatabase(kept)]
      versus('disk', 'MB', (files + database) / 1e6, (await diskOf(plain)) / 1e6)
      report(benchRow({ bench: 'stores-history/disk, of it in the database', ours: database / 1e6, unit: 'MB' }))
      versus('reading', 'ms', await bestOf(5, () => readAll(kept.store)), await bestOf(5, () => readAll(plain.store)))
      const middle = FIRST_DAY + Math.floor(DAYS / 2) * DAY
      const asOf = await bestOf(3, () => readAll(kept.store, middle))
      report(benchRow({ bench: 'stores-history/reading as of the middle', ours: asOf, unit: 'ms' }))
    } finally {
      for (const { close, site } of [kept, plain]) {
        await close()
        await site.stop()
      }
      await rm(root, { recursive: true })
    }
  },
}
export default storesHistory

const commonDays = (block: SeriesBlock): SeriesBlock => ({
  ...block,
  timestamps: block.timestamps.map((_, row) => FIRST_DAY + row * DAY),
})

function changesOf(bars: readonly SeriesBlock[], day: number, collectedAt: number, random: Random): SeriesBlock[] {
  const today = bars.map((block) => ({ ...sliceRows(block, day, day + 1), collectedAt }))
  const row = day % OLD_CORRECTION_INTERVAL === 0 ? Math.floor(random.float() * day) : day - 1
  const corrected = sliceRows(bars[day % TICKERS]!, row, row + 1)
  const columns = Object.fromEntries(
    Object.entries(corrected.columns).map(([name, column]) => [name, column.map((value) => nudged(value, day))]),
  )
  return [...today, { ...corrected, columns, collectedAt }]
}

const nudged = (value: number, day: number): number => Math.round((value + 0.01 * (1 + (day % 50))) * 100) / 100

/** The files that make up the store and its history; replaced ones, which go after a quarter of an hour, are not counted. */
async function diskOf({ site }: Side): Promise<number> {
  const [row] = await ask<{ bytes: string; files: string }>(
    site,
    'SELECT sum(bytes) AS bytes, count(*) AS files FROM store_files WHERE retired_version IS NULL OR is_history',
  )
  const onDisk = globSync(join(site.folder, 'store', '**', '*.parquet')).reduce(
    (sum, path) => sum + statSync(path).size,
    0,
  )
  if (onDisk < Number(row!.bytes)) throw new Error('the catalogue counts more bytes than there are')
  return Number(row!.bytes)
}

async function historyInDatabase({ site }: Side): Promise<number> {
  const [row] = await ask<{ bytes: string }>(
    site,
    `SELECT pg_total_relation_size('store_changes') + pg_total_relation_size('store_removed_rows') AS bytes`,
  )
  return Number(row!.bytes)
}

const vacuum = ({ site }: Side) => ask(site, 'VACUUM store_changes, store_removed_rows')

async function ask<Row extends pg.QueryResultRow>({ databaseUrl }: StoreSite, query: string): Promise<Row[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query<Row>(query)).rows
  } finally {
    await client.end()
  }
}

const readAll = (store: SeriesStore, asOf?: number) =>
  store.read({
    layer: 'gold',
    tickers: Array.from({ length: TICKERS }, (_, index) => tickerName(index)),
    granularity: '1d',
    range: { from: 0, to: FIRST_DAY + 20 * 366 * DAY },
    categories: [],
    asOf,
  })
