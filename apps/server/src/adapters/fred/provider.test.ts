import { dateOf, dayStamp, formatDate, epochDayOf } from '@tradewright/core/time'
import type { FetchRequest } from '@tradewright/engine/market/provider'
import { afterEach, describe, expect, it } from 'vitest'
import { type ProviderUnderTest, providerSuite } from '../../../test-support/provider-suite.ts'
import { deliveredBy, remoteProvider } from '../../../test-support/remote-provider.ts'
import { type FredStandInOptions, startFredStandIn } from '../../../test-support/stand-ins/fred.ts'
import { madeUpValue } from '../../../test-support/stand-ins/made-up-market.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { fredProvider } from './provider.ts'

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

  async function fetchOne(
    ticker: string,
    apiKey?: string,
    options?: FredStandInOptions,
    request: Partial<FetchRequest> = {},
  ) {
    const surroundings = testSurroundings()
    standIn = await startFredStandIn(() => surroundings.timing.now(), { apiKey: KEY, ...options })
    const provider = fredProvider({ jsonUrl: standIn.url, csvUrl: standIn.url, apiKey }, surroundings)
    return (await deliveredBy(provider, { tickers: [ticker], range, ...request })).silver
  }
  const known = (silver: Awaited<ReturnType<typeof fetchOne>>, date: string) => {
    const row = silver.timestamps.indexOf(dayStamp(dateOf(date)))
    return formatDate(epochDayOf(silver.knownAt![row]!))
  }

  it('knows an observation from the day it was first published, when FRED tells it', async () => {
    const silver = await fetchOne('CPIAUCSL', KEY)
    expect(known(silver, '2025-08-01')).toBe('2025-09-12')
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
    expect(silver.columns['value']!.at(-1)).toBe(madeUpValue('CPIAUCSL', dayStamp(dateOf('2025-12-01'))))
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
