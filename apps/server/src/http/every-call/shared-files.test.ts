import { dateOf, dayStamp } from '@tradewright/core/time'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim, hasShared, numbers, readShared, readSharedCsv, someFiles } from '../../../../../scripts/shared-data.ts'
import { noCompute } from '../../../test-support/no-compute.ts'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { openMarketData } from '../../areas/market-data.ts'
import { readConfig } from '../../config.ts'
import { createLog } from '../../log.ts'
import { systemClock } from '../../system-clock.ts'

const DAILY = 'data/equities/daily'
const MACRO = 'data/macro'
const HOURLY = 'data/crypto/hourly/BTC-USD.csv'
const EVER = { from: dayStamp(dateOf('1800-01-01')), to: dayStamp(dateOf('2100-01-01')) }

const dataDir = mkdtempSync(join(tmpdir(), 'tradewright-files-'))
let server: TestApp
let user: Caller
beforeAll(async () => {
  server = await createTestApp({ environment: { DATA_DIR: dataDir } })
  user = await caller(server)
})
afterAll(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const filesOf = (folder: string) =>
  readdirSync(join(process.env['TRADEWRIGHT_DATA'] ?? '../shared/data', folder.replace(/^data\//, '')))

async function upload(path: string, fields: Record<string, string>): Promise<void> {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head =
    '--cut\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n'
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/data-collector/import',
    headers: { ...user.headers, 'content-type': 'multipart/form-data; boundary=cut' },
    payload: `${parts.join('')}${head}${readShared(path)}\r\n--cut--\r\n`,
  })
  expect(answer.statusCode, `${path}: ${answer.body}`).toBe(200)
}

/** As another process would find them: with DuckDB, from the Parquet files. */
async function readBack(tickers: readonly string[], granularity: '1d' | '1h') {
  const config = readConfig({ DATA_DIR: dataDir })
  const log = createLog({ logLevel: 'silent' })
  const area = openMarketData(config, { ...server.foundation, compute: noCompute }, systemClock, log)
  const { series } = await area.stores.defaultOf(user.id)
  const tables = await series.read({ layer: 'gold', tickers, granularity, range: EVER, categories: [] })
  await area.close()
  return new Map(tables.map((table) => [table.ticker, table]))
}

/** -1 when all doubles are the same, bit by bit. */
const firstDifference = (a: Float64Array | undefined, b: Float64Array): number =>
  a?.length === b.length ? b.findIndex((value, i) => !Object.is(a[i], value)) : Number.NaN

describe('real files, imported through the call and read back from the local store', () => {
  it.skipIf(!hasShared(DAILY))(
    claim('have every double of the daily files of stocks and funds', DAILY),
    { timeout: 240_000 },
    async () => {
      const tickers = someFiles(DAILY).map((file) => file.replace('.csv', ''))
      expect(tickers.length).toBeGreaterThan(2)
      for (const ticker of tickers) await upload(`${DAILY}/${ticker}.csv`, { ticker })
      const tables = await readBack(tickers, '1d')
      for (const ticker of tickers) {
        const csv = readSharedCsv(`${DAILY}/${ticker}.csv`)
        const { columns, timestamps } = tables.get(ticker)!
        for (const name of ['open', 'high', 'low', 'close', 'volume', 'adj_close']) {
          expect(firstDifference(columns[name], numbers(csv[name])), `${ticker} ${name}`).toBe(-1)
        }
        const days = Float64Array.from(csv['date']!, (date) => dayStamp(dateOf(date)))
        expect(firstDifference(timestamps, days), `${ticker} dates`).toBe(-1)
        const paid = numbers(csv['dividend']).map((amount) => (amount > 0 ? amount : Number.NaN))
        const found = columns['dividend'] ?? new Float64Array(paid.length).fill(Number.NaN)
        expect(firstDifference(found, paid), `${ticker} dividends`).toBe(-1)
      }
    },
  )

  it.skipIf(!hasShared(MACRO))(
    claim('have every observation of the economic series', MACRO),
    { timeout: 120_000 },
    async () => {
      const tickers = filesOf(MACRO)
        .map((file) => file.replace('.csv', ''))
        .filter((name) => /^[A-Z0-9]+$/.test(name))
      expect(tickers.length).toBeGreaterThan(3)
      for (const ticker of tickers) await upload(`${MACRO}/${ticker}.csv`, { ticker })
      const tables = await readBack(tickers, '1d')
      for (const ticker of tickers) {
        const values = numbers(readSharedCsv(`${MACRO}/${ticker}.csv`)['value']).filter((value) => !Number.isNaN(value))
        expect(firstDifference(tables.get(ticker)?.columns['value'], values), ticker).toBe(-1)
      }
    },
  )

  it.skipIf(!hasShared(HOURLY))(
    claim('have every bar of an hourly file whose volume the user had to name', HOURLY),
    { timeout: 120_000 },
    async () => {
      const columns = JSON.stringify({ volume_base: 'volume' })
      await upload(HOURLY, { ticker: 'BTC-USD', granularity: '1h', columns })
      const table = (await readBack(['BTC-USD'], '1h')).get('BTC-USD')!
      const csv = readSharedCsv(HOURLY)
      const hours = Float64Array.from(csv['time_utc']!, (time) => Date.parse(time))
      expect(firstDifference(table.timestamps, hours)).toBe(-1)
      for (const name of ['open', 'high', 'low', 'close']) {
        expect(firstDifference(table.columns[name], numbers(csv[name])), name).toBe(-1)
      }
      expect(firstDifference(table.columns['volume'], numbers(csv['volume_base']))).toBe(-1)
    },
  )
})
