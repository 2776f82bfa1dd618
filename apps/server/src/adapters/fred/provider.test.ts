import { UNKNOWN_RELEASE } from '@tradewright/core/category'
import { dateOf, dayStamp, formatDate, epochDayOf } from '@tradewright/core/time'
import type { FetchRequest } from '@tradewright/engine/market/provider'
import { afterEach, describe, expect, it } from 'vitest'
import { type ProviderUnderTest, providerSuite } from '../../../test-support/provider-suite.ts'
import { deliveredBy, remoteProvider } from '../../../test-support/remote-provider.ts'
import { type FredStandInOptions, madeUpReleases, startFredStandIn } from '../../../test-support/stand-ins/fred.ts'
import { madeUpValue } from '../../../test-support/stand-ins/made-up-market.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { fredProvider } from '../market-data/built-in-providers.ts'

const KEY = 'abcdefghijklmnopqrstuvwxyz012345'
const range = { from: dayStamp(dateOf('2023-01-01')), to: dayStamp(dateOf('2026-01-01')) }

async function subject(apiKey: string | undefined): Promise<ProviderUnderTest> {
  const surroundings = testSurroundings()
  const standIn = await startFredStandIn(() => surroundings.timing.now(), { apiKey: KEY })
  return remoteProvider({
    provider: fredProvider({ jsonUrl: standIn.url, csvUrl: standIn.url, apiKey }, surroundings),
    standIn,
    surroundings,
    tickers: ['CPIAUCSL', 'DGS10'],
    unknownTicker: 'FRED:NOSUCH',
    range,
    secrets: [KEY],
    isAbout: ({ query }, ticker) => query.get('id') === ticker || query.get('series_id') === ticker,
    // Rates below zero exist.
    dataFaults: ['nan', 'time-runs-backwards'],
  })
}

providerSuite('fred with a key', () => subject(KEY))
providerSuite('fred without a key', () => subject(undefined))

describe('fred', () => {
  let standIn: StandIn
  afterEach(() => standIn.close())

  async function deliver(
    ticker: string,
    apiKey?: string,
    options?: FredStandInOptions,
    request: Partial<FetchRequest> = {},
  ) {
    const surroundings = testSurroundings()
    standIn = await startFredStandIn(() => surroundings.timing.now(), { apiKey: KEY, ...options })
    const provider = fredProvider({ jsonUrl: standIn.url, csvUrl: standIn.url, apiKey }, surroundings)
    return deliveredBy(provider, { tickers: [ticker], range, ...request })
  }
  const fetchOne = async (...asked: Parameters<typeof deliver>) => (await deliver(...asked)).silver
  const known = (silver: Awaited<ReturnType<typeof fetchOne>>, date: string) => {
    const row = silver.timestamps.indexOf(dayStamp(dateOf(date)))
    return formatDate(epochDayOf(silver.knownAt![row]!))
  }

  it('knows an observation from the day it was first published, when FRED tells it', async () => {
    const silver = await fetchOne('CPIAUCSL', KEY)
    expect(known(silver, '2025-08-01')).toBe('2025-09-12')
  })

  const at = (silver: Awaited<ReturnType<typeof fetchOne>>, category: string, date: string) =>
    silver.columns[category]?.[silver.timestamps.indexOf(dayStamp(dateOf(date)))]

  it('has the value of the first release, how often it was revised, and what was then known of the month before', async () => {
    const silver = await fetchOne('UNRATE', KEY)
    const march = madeUpReleases('UNRATE', dateOf('2025-03-01'))
    expect(march.map(({ released }) => formatDate(released))).toEqual(['2025-04-12', '2025-05-12', '2025-06-12'])
    expect(at(silver, 'value', '2025-03-01')).toBe(march[0]!.value)
    expect(march[0]!.value).not.toBe(march[2]!.value)
    expect(at(silver, 'revisions', '2025-03-01')).toBe(2)
    expect(at(silver, 'revisions', '2025-04-01')).toBe(0)
    // April was published on 12 May, together with the first revision of March.
    expect(at(silver, 'prior', '2025-04-01')).toBe(march[1]!.value)
  })

  it('is not known before the exchange closes on the day of the release, and not to a coin at midnight', async () => {
    const silver = await fetchOne('UNRATE', KEY)
    const row = silver.timestamps.indexOf(dayStamp(dateOf('2025-03-01')))
    const [midnight, close] = [Date.UTC(2025, 3, 12), Date.UTC(2025, 3, 12, 20)]
    expect(silver.knownAt![row]).toBeGreaterThan(midnight)
    expect(silver.knownAt![row]).toBeLessThanOrEqual(close)
  })

  it('delivers every later value with the day it was published', async () => {
    const { revisions } = await deliver('UNRATE', KEY)
    const march = madeUpReleases('UNRATE', dateOf('2025-03-01'))
    expect(revisions!.map(({ columns }) => Object.keys(columns))).toEqual([['revision_1'], ['revision_2']])
    revisions!.forEach((block, i) => {
      const row = block.timestamps.indexOf(dayStamp(dateOf('2025-03-01')))
      expect(block.columns[`revision_${i + 1}`]![row]).toBe(march[i + 1]!.value)
      expect(formatDate(epochDayOf(block.knownAt![row]!))).toBe(formatDate(march[i + 1]!.released))
      expect(block.timestamps).not.toContain(dayStamp(dateOf('2025-04-01')))
    })
  })

  it('says without a key that its values may have been revised, except of quotes', async () => {
    const silver = await fetchOne('UNRATE')
    expect(at(silver, 'value', '2025-03-01')).toBe(madeUpValue('UNRATE', dayStamp(dateOf('2025-03-01'))))
    expect(new Set(silver.columns['revisions'])).toEqual(new Set([UNKNOWN_RELEASE]))
    expect(silver.columns['prior']).toBeUndefined()
    await standIn.close()
    expect(Object.keys((await fetchOne('DGS10')).columns)).toEqual(['value'])
  })

  it('says the same of what was published before FRED kept vintages', async () => {
    const old = { from: dayStamp(dateOf('2020-01-01')), to: dayStamp(dateOf('2022-01-01')) }
    const silver = await fetchOne('UNRATE', KEY, {}, { range: old })
    expect(at(silver, 'revisions', '2020-03-01')).toBe(UNKNOWN_RELEASE)
    expect(at(silver, 'revisions', '2021-03-01')).toBe(2)
  })

  it('falls back to the lag by frequency without a key', async () => {
    expect(known(await fetchOne('CPIAUCSL'), '2025-08-01')).toBe('2025-09-15')
    await standIn.close()
    expect(known(await fetchOne('DGS10'), '2025-08-01')).toBe('2025-08-04')
  })

  it('falls back to it also for what was published before FRED kept vintages', async () => {
    const old = { from: dayStamp(dateOf('2020-01-01')), to: dayStamp(dateOf('2022-01-01')) }
    const silver = await fetchOne('CPIAUCSL', KEY, {}, { range: old })
    expect(known(silver, '2020-03-01')).toBe('2020-04-15')
    expect(known(silver, '2021-03-01')).toBe('2021-04-12')
  })

  it('knows the frequency even when the range holds one observation', async () => {
    const month = { from: dayStamp(dateOf('2025-08-01')), to: dayStamp(dateOf('2025-08-20')) }
    expect(known(await fetchOne('CPIAUCSL', undefined, {}, { range: month }), '2025-08-01')).toBe('2025-09-15')
  })

  it.each([
    ['a dot in the API', KEY, {}],
    ['an empty cell in the CSV', undefined, {}],
    ['a dot in an old CSV', undefined, { legacyCsv: true }],
  ])('leaves the month out that was never published, told by %s', async (_, apiKey, options) => {
    const silver = await fetchOne('CPIAUCSL', apiKey, options)
    const dates = [...silver.timestamps].map((stamp) => formatDate(epochDayOf(stamp)))
    expect(dates.slice(-3)).toEqual(['2025-09-01', '2025-11-01', '2025-12-01'])
    expect(at(silver, 'value', '2025-11-01')).toBe(madeUpValue('CPIAUCSL', dayStamp(dateOf('2025-11-01'))))
  })

  it('reads all pages', async () => {
    const paged = await fetchOne('DGS10', KEY, { pageSize: 100 })
    expect(standIn.requests.length).toBeGreaterThan(7)
    await standIn.close()
    expect(paged.timestamps).toEqual((await fetchOne('DGS10', KEY)).timestamps)
  })

  it('says that the key is wrong, which FRED calls a bad request', async () => {
    await expect(fetchOne('DGS10', 'another-key')).rejects.toMatchObject({
      failure: 'auth',
      message: 'FRED did not deliver DGS10: it rejected the key in FRED_API_KEY.',
    })
  })
})
