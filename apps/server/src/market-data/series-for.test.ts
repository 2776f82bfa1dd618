import { DAY, dateOf, dayStamp, formatDate, epochDayOf } from '@tradewright/core/time'
import { memorySeriesStore } from '@tradewright/engine/market/memory-store/memory-series-store'
import { noActions } from '@tradewright/engine/market/corporate-actions'
import { refuseImpossibleRows } from '@tradewright/engine/market/layers/rows'
import type { MarketDataProvider } from '@tradewright/engine/market/provider'
import { sampleProvider } from '@tradewright/engine/market/sample/sample-provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { pagedDefinition, startCustomApiStandIn } from '../../test-support/stand-ins/custom-api.ts'
import { madeUpReleases, startFredStandIn } from '../../test-support/stand-ins/fred.ts'
import { madeUpBar } from '../../test-support/stand-ins/made-up-market.ts'
import { type StandIn, startStandIn } from '../../test-support/stand-ins/stand-in.ts'
import { startYahooStandIn } from '../../test-support/stand-ins/yahoo.ts'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { testSurroundings } from '../../test-support/test-surroundings.ts'
import { createTestUser } from '../../test-support/test-user.ts'
import { readHere, customProvider } from '../adapters/custom-provider/provider.ts'
import { fredProvider } from '../adapters/market-data/built-in-providers.ts'
import { yahooProvider } from '../adapters/yahoo/provider.ts'
import { dataProblems } from '../backtests/data-problems.ts'
import { createDataStoreRows, createCoverageStore } from '../stores/market-data/data-stores.ts'
import { AskedSeries } from './collect/fetch-missing.ts'
import { ProviderDefinition } from './provider-definition.ts'
import { createSeriesFor, type SeriesRequest } from './series-for.ts'

const range = { from: dayStamp(dateOf('2020-08-03')), to: dayStamp(dateOf('2020-09-12')) }

const FRED_KEY = 'abcdefghijklmnopqrstuvwxyz012345'

let database: TestDatabase
let yahoo: StandIn
let storeId = 0
const surroundings = testSurroundings()
const now = () => surroundings.timing.now()

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

beforeEach(async () => {
  yahoo = await startYahooStandIn(now)
  const userId = await createTestUser(database.database, `series-for-${++storeId}`)
  storeId = (await createDataStoreRows(database.database).systemStore(userId)).id
})
afterEach(() => yahoo.close())

function open({ sample = true, more = [] as MarketDataProvider[] } = {}) {
  const series = memorySeriesStore()
  const real = yahooProvider(yahoo.url, surroundings)
  const synthetic = sampleProvider({ now: () => new Date(now()) })
  const seriesFor = createSeriesFor({
    coverage: createCoverageStore(database.database),
    asked: new AskedSeries(now),
    now,
    stores: {
      defaultOf: async () => ({ id: storeId, name: 'System Storage', series }),
      find: async () => ({ id: storeId, name: 'System Storage', series }),
    },
    providersOf: async () => [real, ...more, ...(sample ? [synthetic] : [])],
  })
  const ask = (request: Partial<SeriesRequest> = {}, signal = new AbortController().signal) =>
    seriesFor({ userId: 1, tickers: ['AAPL'], range, granularity: '1d', provider: 'auto', ...request }, signal)
  return { ask, series }
}

describe('seriesFor', () => {
  it('fetches what is missing, stores it in three layers and says where it came from', async () => {
    const { ask, series } = open()
    const answer = await ask()
    const table = answer.series.get('AAPL')!
    expect(table.timestamps).toHaveLength(29)
    expect(Object.keys(table.columns).sort()).toEqual(['close', 'dividend', 'high', 'low', 'open', 'split', 'volume'])
    expect(answer.provenance).toEqual([
      { ticker: 'AAPL', provider: 'yahoo', from: range.from, last: range.to - DAY, rows: 29, synthetic: false },
    ])
    expect(answer.missing).toEqual([])
    const counts = await series.counts()
    expect(Math.min(counts.bronze, counts.silver, counts.gold)).toBeGreaterThan(100)
  })

  it('tells of rows that a provider sent twice, by ticker and date, and leaves them out', async () => {
    const days = ['2020-08-03', '2020-08-04', '2020-08-04', '2020-08-05', '2020-08-05', '2020-08-06'].map((day) =>
      dayStamp(dateOf(day)),
    )
    const bronze: SeriesBlock = {
      ticker: 'AAPL',
      granularity: '1d',
      provider: 'twice',
      type: 'security',
      currency: 'USD',
      collectedAt: now(),
      timestamps: Float64Array.from(days),
      columns: { close: Float64Array.of(10, 11, 12, 13, 13, 14) },
    }
    const { accepted: silver, refused } = refuseImpossibleRows(bronze)
    const twice: MarketDataProvider = {
      ...sampleProvider({ now: () => new Date(now()) }),
      id: 'twice',
      displayName: 'Twice a Day',
      synthetic: false,
      async *fetch() {
        yield {
          outcome: 'delivered',
          ticker: 'AAPL',
          bronze,
          silver,
          refused,
          actions: noActions,
        }
      },
    }
    const { ask } = open({ sample: false, more: [twice] })
    const answer = await ask({ provider: 'twice' })
    expect(dataProblems([], [], answer.leftOut)).toMatchObject([
      {
        tickers: ['AAPL'],
        sentence:
          'Twice a Day sent 2 rows of AAPL that cannot be true, which are left out: 2020-08-04 repeats the timestamp before it, 2020-08-05 repeats the timestamp before it.',
      },
    ])
  })

  it('asks no provider for what is stored, and only for the days that are new', async () => {
    const { ask } = open()
    await ask()
    const before = yahoo.requests.length
    await ask()
    expect(yahoo.requests).toHaveLength(before)
    const longer = await ask({ range: { from: range.from, to: range.to + 7 * DAY } })
    expect(longer.series.get('AAPL')!.timestamps).toHaveLength(34)
    const [asked] = yahoo.requests.slice(before)
    // A day earlier than the first one that is missing, which is how the vendor's time zones are dealt with.
    expect(formatDate(epochDayOf(Number(asked!.query.get('period1')) * 1000))).toBe('2020-09-11')
  })

  it('does not ask again for the weekend at the end of a range, nor for today before the close', async () => {
    const { ask } = open()
    const recent = { from: dayStamp(dateOf('2026-02-02')), to: dayStamp(dateOf('2026-03-06')) }
    const { series } = await ask({ range: recent })
    expect(formatDate(epochDayOf(series.get('AAPL')!.timestamps.at(-1)!))).toBe('2026-03-03')
    const before = yahoo.requests.length
    await ask({ range: recent })
    expect(yahoo.requests).toHaveLength(before)
  })

  it('lets many callers of one range share one request', async () => {
    const alone = open()
    await alone.ask()
    const requestsOfOne = yahoo.requests.length
    await createCoverageStore(database.database).forget(storeId)
    yahoo.requests.length = 0
    const { ask } = open()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(yahoo.requests).toHaveLength(requestsOfOne)
    expect(new Set(answers.map(({ series }) => series.get('AAPL')!.timestamps.length))).toEqual(new Set([29]))
  })

  it('asks itself when the caller it waited for goes away', async () => {
    const { ask } = open()
    yahoo.misbehave('slow', { times: 1 })
    const stalled = new Promise<void>((resolve) => (yahoo.onStall = resolve))
    const leaving = new AbortController()
    const first = ask({}, leaving.signal)
    await stalled
    const second = ask()
    leaving.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    expect((await second).series.get('AAPL')!.timestamps).toHaveLength(29)
  })

  it('ends quietly when a caller leaves that fetches one ticker and waits for another', async () => {
    const { ask } = open()
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    yahoo.misbehave('slow', { times: 2 })
    const stalled = () => new Promise<void>((resolve) => (yahoo.onStall = resolve))
    const [firstStalls, other] = [stalled(), new AbortController()]
    const first = ask({}, other.signal)
    await firstStalls
    const [secondStalls, leaving] = [stalled(), new AbortController()]
    const second = ask({ tickers: ['AAPL', 'MSFT'] }, leaving.signal)
    await secondStalls
    leaving.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    other.abort(new Error('left as well'))
    await expect(first).rejects.toThrow('left as well')
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  })

  it('keeps what a provider sent before it failed, and names what is missing', async () => {
    const { ask } = open({ sample: false })
    yahoo.misbehave('broken', { when: ({ path }) => path.endsWith('/MSFT') })
    const answer = await ask({ tickers: ['AAPL', 'MSFT', 'SPY'] })
    expect([...answer.series.keys()].sort()).toEqual(['AAPL', 'SPY'])
    expect(answer.missing).toEqual([
      {
        ticker: 'MSFT',
        range,
        hasRows: false,
        reason: expect.stringContaining('Yahoo Finance'),
        provider: 'Yahoo Finance',
        failure: 'network',
      },
    ])
  })

  it('takes the sample market only where there is nothing real, and says so', async () => {
    const { ask } = open()
    yahoo.misbehave('down', { when: ({ path }) => path.endsWith('/SPY') })
    const answer = await ask({ tickers: ['AAPL', 'SPY'] })
    expect(answer.missing).toEqual([])
    expect(answer.provenance.map(({ ticker, provider, synthetic }) => [ticker, provider, synthetic])).toEqual([
      ['AAPL', 'yahoo', false],
      ['SPY', 'sample', true],
    ])
    expect(answer.substituted).toMatchObject([{ ticker: 'SPY', provider: 'Yahoo Finance', failure: 'network' }])
  })

  it('does not ask a provider that does not know a ticker again for every other range', async () => {
    await yahoo.close()
    yahoo = await startStandIn('yahoo', () => ({ status: 404, body: { message: 'not found' } }))
    const { ask } = open()
    expect((await ask()).provenance[0]!.synthetic).toBe(true)
    const asked = yahoo.requests.length
    expect(asked).toBeGreaterThan(0)
    await ask({ range: { from: range.from, to: range.to + 7 * DAY } })
    expect(yahoo.requests).toHaveLength(asked)
    surroundings.timing.advance(10 * 60_000)
    await ask({ range: { from: range.from, to: range.to + 14 * DAY } })
    expect(yahoo.requests.length).toBeGreaterThan(asked)
  })

  it('replaces made-up rows once the real ones can be had', async () => {
    const { ask } = open()
    yahoo.misbehave('down')
    expect((await ask()).provenance[0]!.synthetic).toBe(true)
    yahoo.behave()
    surroundings.timing.advance(10 * 60_000)
    expect((await ask()).provenance.map(({ provider }) => provider)).toEqual(['yahoo'])
  })

  it('says of a weekend that the exchange was closed, not that no provider has data', async () => {
    const weekend = { from: dayStamp(dateOf('2012-03-03')), to: dayStamp(dateOf('2012-03-05')) }
    const { missing } = await open({ sample: false }).ask({ range: weekend })
    expect(missing[0]!.reason).toBe('The exchange was closed from 2012-03-03 to 2012-03-04.')
  })

  it('names an unknown ticker when there is no sample data', async () => {
    const { ask } = open({ sample: false })
    const { missing, series } = await ask({ tickers: ['NOSUCH'] })
    expect(series.size).toBe(0)
    expect(missing[0]).toMatchObject({ ticker: 'NOSUCH', reason: 'Yahoo Finance does not know NOSUCH.' })
  })

  it('asks for no more where ten tickers are unknown and nothing comes of the request, and makes up none of the rest', async () => {
    const { ask } = open()
    const unknown = Array.from({ length: 30 }, (_, index) => `NOSUCH${index}`)
    const { missing, substituted } = await ask({ tickers: [...unknown, 'SPY'], stopsAtUnknown: true })
    expect(yahoo.requests.length).toBeLessThan(15)
    expect(missing).toHaveLength(31)
    expect(missing.at(-1)).toMatchObject({
      ticker: 'SPY',
      reason: 'Yahoo Finance was not asked for it, since it does not know 10 others.',
    })
    expect(substituted).toEqual([])
    // It was never asked: the next request has it.
    expect((await ask({ tickers: ['SPY'] })).provenance).toMatchObject([{ ticker: 'SPY', synthetic: false }])
  })

  it.each(['auto', 'yahoo', 'sample'])('fetches what another machine has in a local store: %s', async (provider) => {
    const there = (await open().ask({ provider })).series.get('AAPL')!
    // The same database, and a folder in which nothing is.
    const here = (await open().ask({ provider })).series.get('AAPL')!
    expect(here.columns).toEqual(there.columns)
    expect(here.sources.map((source) => source.provider)).toEqual([provider === 'auto' ? 'yahoo' : provider])
  })

  it('needs no provider for cash, and fetches the ticker under a leverage', async () => {
    const { ask } = open({ sample: false })
    const { series, missing } = await ask({ tickers: ['CASHX', 'TBILLX', 'AAPL?L=2'] })
    expect([...series.keys()]).toEqual(['AAPL'])
    expect(missing).toEqual([])
  })

  it('gives the rows of the provider that was named, even where gold has better ones', async () => {
    const { ask } = open()
    await ask()
    const { provenance } = await ask({ provider: 'sample' })
    expect(provenance).toMatchObject([{ provider: 'sample', synthetic: true }])
    await expect(ask({ provider: 'unknown' })).rejects.toThrow('There is no data provider "unknown".')
  })

  it('takes a custom provider where it is named, and only there', async () => {
    const api = await startCustomApiStandIn(now, 'key')
    const definition = ProviderDefinition.parse(pagedDefinition(api.url))
    const own = customProvider(
      definition,
      { userId: 1, apiKey: 'key' },
      { surroundings, readPage: async (page) => readHere(page) },
    )
    const { ask } = open({ sample: false, more: [own] })
    const named = await ask({ provider: 'my-api' })
    expect(named.series.get('AAPL')!.columns['close']![0]).toBe(madeUpBar('AAPL', range.from).close)
    expect(named.provenance).toMatchObject([{ provider: 'my-api', rows: 29, synthetic: false }])
    const asked = api.requests.length
    await ask({ provider: 'my-api' })
    expect((await ask({ tickers: ['MSFT'] })).provenance).toMatchObject([{ ticker: 'MSFT', provider: 'yahoo' }])
    expect((await ask({ provider: 'my-api', tickers: ['NOSUCH'] })).missing).toMatchObject([
      { ticker: 'NOSUCH', reason: 'My API does not know NOSUCH.', hasRows: false },
    ])
    expect(api.requests).toHaveLength(asked + 1)
    await api.close()
  })

  it.each(['auto', 'fred'])(
    'has economic values as first released, from the day of that release (%s)',
    async (provider) => {
      const fred = await startFredStandIn(now, { apiKey: FRED_KEY })
      onTestFinished(() => fred.close())
      const { ask, series } = open({
        more: [fredProvider({ jsonUrl: fred.url, csvUrl: fred.url, apiKey: FRED_KEY }, surroundings)],
      })
      const months = { from: dayStamp(dateOf('2025-01-01')), to: dayStamp(dateOf('2025-07-01')) }
      const table = (await ask({ tickers: ['UNRATE'], range: months, provider })).series.get('UNRATE')!
      const releases = madeUpReleases('UNRATE', dateOf('2025-03-01'))
      const march = table.timestamps.indexOf(dayStamp(dateOf('2025-03-01')))
      expect(table.columns['value']![march]).toBe(releases[0]!.value)
      expect(table.columns['revisions']![march]).toBe(2)
      expect(epochDayOf(table.knownAt![march]!)).toBe(releases[0]!.released)
      const { categories } = await series.available('silver')
      expect(categories).toEqual(expect.arrayContaining(['revision_1', 'revision_2']))
      expect((await series.available('gold')).categories).not.toContain('revision_1')
    },
  )

  it('has the splits and dividends of bars within the day from the daily series', async () => {
    const { ask } = open({ sample: false })
    const recent = { from: Date.parse('2026-02-25T14:30:00Z'), to: Date.parse('2026-02-27T21:00:00Z') }
    const { series, actions } = await ask({ range: recent, granularity: '1h' })
    expect(series.get('AAPL')!.timestamps).toHaveLength(21)
    expect(actions.get('AAPL')).toEqual({ splits: [], dividends: [] })
  })
})
