import { DAY, dateOf, dayStamp, formatDate } from '@tradewright/core/time'
import type { FetchRequest } from '@tradewright/engine/market/provider'
import { afterEach, describe, expect, it } from 'vitest'
import { providerSuite } from '../../../test-support/provider-suite.ts'
import { askProvider, deliveredBy, remoteProvider } from '../../../test-support/remote-provider.ts'
import { startAlpacaDataStandIn } from '../../../test-support/stand-ins/alpaca-data.ts'
import { madeUpBar } from '../../../test-support/stand-ins/made-up-market.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { alpacaDataProvider } from './provider.ts'

const keys = { keyId: 'PKTESTKEY', secretKey: 'very-secret-key' }
const range = { from: dayStamp(dateOf('2020-08-03')), to: dayStamp(dateOf('2020-12-01')) }

providerSuite('alpaca', async () => {
  const surroundings = testSurroundings()
  const standIn = await startAlpacaDataStandIn(() => surroundings.timing.now(), keys)
  return remoteProvider({
    provider: alpacaDataProvider(standIn.url, keys, surroundings),
    standIn,
    surroundings,
    tickers: ['AAPL', 'BTC-USD'],
    unknownTicker: 'NOSUCH',
    range,
    secrets: Object.values(keys),
    isAbout: ({ query }, ticker) => query.get('symbols') === ticker.replace('-', '/'),
  })
})

describe('alpaca market data', () => {
  let standIn: StandIn
  afterEach(() => standIn.close())

  async function open(pageSize = 10_000) {
    const surroundings = testSurroundings()
    standIn = await startAlpacaDataStandIn(() => surroundings.timing.now(), { ...keys, pageSize })
    return alpacaDataProvider(standIn.url, keys, surroundings)
  }
  const fetchAll = async (tickers: string[], request: Partial<FetchRequest> = {}, pageSize?: number) =>
    askProvider(await open(pageSize), { tickers, range, ...request })
  const delivered = async (ticker: string, request?: Partial<FetchRequest>, pageSize?: number) =>
    deliveredBy(await open(pageSize), { tickers: [ticker], range, ...request })

  it('takes raw bars as they are, stamped with the session date', async () => {
    const { silver } = await delivered('AAPL')
    expect(standIn.requests[0]?.query.get('adjustment')).toBe('raw')
    expect(silver.columns['close']![0]).toBe(madeUpBar('AAPL', range.from).close)
  })

  it('finds dividends by ex-date, though Alpaca files them under the day of payment', async () => {
    const { actions } = await delivered('AAPL', { range: { ...range, to: dayStamp(dateOf('2020-11-10')) } })
    expect(actions.dividends.map(({ exDay, amount }) => [formatDate(exDay), amount])).toEqual([
      ['2020-08-07', 0.82],
      ['2020-11-06', 0.205],
    ])
    expect(actions.splits).toEqual([{ exDay: dateOf('2020-08-31'), ratio: 4 }])
  })

  it('follows the pages of several symbols', async () => {
    const results = await fetchAll(['AAPL', 'MSFT', 'BRK-B'], {}, 50)
    expect(results.map(({ ticker, outcome }) => [ticker, outcome])).toEqual([
      ['AAPL', 'delivered'],
      ['MSFT', 'delivered'],
      ['BRK-B', 'delivered'],
    ])
    expect(standIn.requests.filter(({ path }) => path === '/v2/stocks/bars').length).toBeGreaterThan(4)
    const whole = await delivered('MSFT')
    const paged = results[1]!
    expect(paged.outcome === 'delivered' && paged.silver.timestamps).toEqual(whole.silver.timestamps)
  })

  it('delivers the others when one symbol is called invalid', async () => {
    const results = await fetchAll(['AAPL', 'BAD1', 'MSFT'])
    expect(Object.fromEntries(results.map(({ ticker, outcome }) => [ticker, outcome]))).toEqual({
      AAPL: 'delivered',
      BAD1: 'missing',
      MSFT: 'delivered',
    })
  })

  it('leaves out the hours around the session and begins hours at half past nine', async () => {
    const day = { from: dayStamp(dateOf('2026-03-03')), to: dayStamp(dateOf('2026-03-04')) }
    const { silver, bronze } = await delivered('AAPL', { granularity: '1h', range: day })
    expect([...silver.timestamps].map((stamp) => new Date(stamp).toISOString().slice(11, 16))).toEqual([
      '14:30',
      '15:30',
      '16:30',
      '17:30',
      '18:30',
      '19:30',
      '20:30',
    ])
    expect(bronze.timestamps.length).toBe(32)
    expect(silver.columns['open']![0]).toBe(madeUpBar('AAPL', silver.timestamps[0]!).open)
  })

  it('does not ask for the minutes that the free plan refuses', async () => {
    const surroundings = testSurroundings()
    const now = surroundings.timing.now()
    const { silver } = await delivered('AAPL', { granularity: '1m', range: { from: now - DAY, to: now } })
    expect(silver.timestamps.at(-1)).toBeLessThan(now - 15 * 60_000)
  })
})
