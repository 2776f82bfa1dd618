import { DAY, dateOf, dayStamp, epochDayOf, formatDate, MINUTE } from '@tradewright/core/time'
import type { FetchRequest } from '@tradewright/engine/market/provider'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { providerSuite } from '../../../test-support/provider-suite.ts'
import { askProvider, deliveredBy, remoteProvider } from '../../../test-support/remote-provider.ts'
import { madeUpBar } from '../../../test-support/stand-ins/made-up-market.ts'
import { startStandIn, type StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { startYahooStandIn } from '../../../test-support/stand-ins/yahoo.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { yahooProvider } from './provider.ts'

const range = { from: dayStamp(dateOf('2020-08-03')), to: dayStamp(dateOf('2020-12-01')) }

providerSuite('yahoo', async () => {
  const surroundings = testSurroundings()
  const standIn = await startYahooStandIn(() => surroundings.timing.now())
  return remoteProvider({
    provider: yahooProvider(standIn.url, surroundings),
    standIn,
    surroundings,
    tickers: ['AAPL', 'BTC-USD'],
    unknownTicker: 'NOSUCH',
    range,
    isAbout: ({ path }, ticker) => path.endsWith(`/${ticker}`),
  })
})

describe('yahoo', () => {
  let standIn: StandIn
  let surroundings: ReturnType<typeof testSurroundings>
  beforeEach(async () => {
    surroundings = testSurroundings()
    standIn = await startYahooStandIn(() => surroundings.timing.now())
  })
  afterEach(() => standIn.close())

  const asked = (ticker: string, request: Partial<FetchRequest> = {}) => ({ tickers: [ticker], range, ...request })
  const provider = () => yahooProvider(standIn.url, surroundings)
  const delivered = (ticker: string, request?: Partial<FetchRequest>) => deliveredBy(provider(), asked(ticker, request))
  const fetchOne = async (ticker: string, request?: Partial<FetchRequest>) =>
    (await askProvider(provider(), asked(ticker, request)))[0]!

  it('gives prices and volumes as they were traded, before and after a split', async () => {
    const { silver } = await delivered('AAPL')
    silver.timestamps.forEach((stamp, row) => {
      const traded = madeUpBar('AAPL', stamp)
      for (const category of ['open', 'high', 'low', 'close', 'volume'] as const) {
        expect(silver.columns[category]![row]).toBeCloseTo(traded[category], 6)
      }
    })
  })

  it('undoes a split that happened after the range, which the answer for the range does not mention', async () => {
    const before = { from: dayStamp(dateOf('2020-08-03')), to: dayStamp(dateOf('2020-08-21')) }
    const { silver, actions } = await delivered('AAPL', { range: before })
    expect(silver.columns['close']![0]).toBeCloseTo(madeUpBar('AAPL', before.from).close, 6)
    expect(actions.splits).toEqual([])
  })

  it('tells splits and dividends by ex-date, dividends as they were paid then', async () => {
    const { actions } = await delivered('AAPL')
    expect(actions.splits).toEqual([{ exDay: dateOf('2020-08-31'), ratio: 4 }])
    expect(actions.dividends.map(({ exDay }) => formatDate(exDay))).toEqual(['2020-08-07', '2020-11-06'])
    expect(actions.dividends[0]?.amount).toBeCloseTo(0.82, 9)
    expect(actions.dividends[1]?.amount).toBeCloseTo(0.205, 9)
  })

  it('cuts a month of minutes into calls of a week, and keeps every bar once', async () => {
    const now = surroundings.timing.now()
    const { silver } = await delivered('AAPL', { granularity: '1m', range: { from: now - 20 * DAY, to: now } })
    const calls = standIn.requests.filter(({ query }) => query.get('interval') === '1m')
    expect(calls.length).toBe(3)
    expect(new Set(silver.timestamps).size).toBe(silver.timestamps.length)
    expect(silver.timestamps.at(-1)).toBe(now - MINUTE)
  })

  it('builds half hours out of quarter hours, only complete ones', async () => {
    const now = surroundings.timing.now()
    const from = dayStamp(epochDayOf(now))
    const { silver, bronze } = await delivered('AAPL', { granularity: '30m', range: { from, to: now + DAY } })
    expect(bronze.granularity).toBe('15m')
    expect([...silver.timestamps].map((stamp) => new Date(stamp).toISOString().slice(11, 16))).toEqual([
      '14:30',
      '15:00',
      '15:30',
    ])
    const [first, second] = [
      madeUpBar('AAPL', silver.timestamps[0]!),
      madeUpBar('AAPL', silver.timestamps[0]! + 15 * MINUTE),
    ]
    expect(silver.columns['open']![0]).toBe(first.open)
    expect(silver.columns['close']![0]).toBe(second.close)
    expect(silver.columns['high']![0]).toBe(Math.max(first.high, second.high))
    expect(silver.columns['volume']![0]).toBe(first.volume + second.volume)
  })

  it('writes class shares as Yahoo does, and answers under our name', async () => {
    const { silver, bronze } = await delivered('BRK.B')
    expect([silver.ticker, bronze.ticker]).toEqual(['BRK.B', 'BRK-B'])
  })

  it('passes on in words why Yahoo refused a range', async () => {
    const now = surroundings.timing.now()
    standIn.behave()
    const result = await fetchOne('AAPL', { granularity: '5m', range: { from: now - 61 * DAY, to: now } })
    expect(result).toMatchObject({
      outcome: 'missing',
      reason: 'beyond-history',
      message: expect.stringContaining('last 60 days'),
    })
  })

  it('waits a minute after a 429 that does not say how long', async () => {
    await standIn.close()
    let calls = 0
    standIn = await startStandIn('yahoo', () => ({ status: calls++ === 0 ? 429 : 404, body: 'Too Many Requests' }))
    await fetchOne('AAPL')
    expect(surroundings.timing.slept).toContain(60_000)
  })
})
