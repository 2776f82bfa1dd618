import { DAY, dateOf, dayStamp, HOUR } from '@tradewright/core/time'
import type { FetchRequest } from '@tradewright/engine/market/provider'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { providerSuite } from '../../../test-support/provider-suite.ts'
import { askProvider, deliveredBy, remoteProvider } from '../../../test-support/remote-provider.ts'
import { startCoinalyzeStandIn } from '../../../test-support/stand-ins/coinalyze.ts'
import { madeUpValue } from '../../../test-support/stand-ins/made-up-market.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { coinalyzeProvider } from './provider.ts'

const KEY = 'coinalyze-system-key'
const range = { from: dayStamp(dateOf('2025-06-01')), to: dayStamp(dateOf('2025-12-01')) }
const never = new AbortController().signal

providerSuite('coinalyze', async () => {
  const surroundings = testSurroundings()
  const standIn = await startCoinalyzeStandIn(() => surroundings.timing.now(), KEY)
  return remoteProvider({
    provider: coinalyzeProvider({ baseUrl: standIn.url, apiKey: KEY }, surroundings),
    standIn,
    surroundings,
    tickers: ['BTC-FR', 'BTC-OI'],
    unknownTicker: 'NOSUCH-FR',
    range,
    secrets: [KEY],
    isAbout: ({ path }, ticker) => path.includes(ticker === 'BTC-OI' ? 'open-interest' : 'funding-rate'),
    // Funding rates and the like may be negative.
    dataFaults: ['nan', 'time-runs-backwards'],
  })
})

describe('coinalyze', () => {
  let standIn: StandIn
  let surroundings: ReturnType<typeof testSurroundings>
  beforeEach(async () => {
    surroundings = testSurroundings()
    standIn = await startCoinalyzeStandIn(() => surroundings.timing.now(), KEY)
  })
  afterEach(() => standIn.close())

  const provider = (apiKey: string | undefined = KEY) =>
    coinalyzeProvider({ baseUrl: standIn.url, apiKey }, surroundings)
  const fetchAll = (tickers: string[], request: Partial<FetchRequest> = {}) =>
    askProvider(provider(), { tickers, range, ...request })
  const silverOf = async (ticker: string, request?: Partial<FetchRequest>) =>
    (await deliveredBy(provider(), { tickers: [ticker], range, ...request })).silver

  it.each([
    ['BTC-FR', 'BTCUSDT_PERP.A FR', 1 / 100],
    ['BTC-OI', 'BTCUSDT_PERP.A OI', 1e9],
    ['BTC-LS', 'BTCUSDT_PERP.A LS', 1],
    ['BTC-USD-FR', 'BTCUSDT_PERP.A FR', 1 / 100],
    ['ETH-LS', 'ETHUSDT_PERP.6 LS', 1],
  ])('takes %s from the perpetual that stands for the coin, amounts in USD', async (ticker, series, scale) => {
    const silver = await silverOf(ticker)
    expect(silver.columns['value']![0]).toBeCloseTo(madeUpValue(series, range.from) * scale, 6)
  })

  it('adds long and short liquidations, and reads a quiet interval as zero', async () => {
    const now = surroundings.timing.now()
    const silver = await silverOf('BTC-LIQ', { granularity: '1h', range: { from: now - 2 * DAY, to: now } })
    const { value, long_liquidations: long, short_liquidations: short } = silver.columns
    expect(silver.timestamps).toHaveLength(Math.round((silver.timestamps.at(-1)! - silver.timestamps[0]!) / HOUR) + 1)
    silver.timestamps.forEach((stamp, row) => {
      const isQuiet = (stamp / HOUR) % 5 === 0
      expect(value![row]).toBe(long![row]! + short![row]!)
      expect(value![row] === 0).toBe(isQuiet)
    })
  })

  it('stays within 40 calls a minute, in which every symbol counts', async () => {
    const coins = Array.from({ length: 30 }, (_, i) => `COIN${i}-FR`)
    const results = await fetchAll([...coins, 'BTC-OI', 'ETH-OI'])
    expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => 'delivered'))
    expect(standIn.requests.map(({ query }) => query.get('symbols')?.split(',').length)).toEqual([undefined, 20, 10, 2])
    const more = await fetchAll(coins)
    expect(more.map(({ outcome }) => outcome)).toEqual(more.map(() => 'delivered'))
    // The vendor counts too and would have said 429; we waited for the minute instead.
    expect(surroundings.timing.slept).not.toEqual([])
  })

  it('pages daily history back until there is none', async () => {
    const silver = await silverOf('BTC-FR', { range: { from: dayStamp(dateOf('2019-01-01')), to: range.to } })
    expect(standIn.requests.filter(({ path }) => path.includes('funding')).length).toBe(3)
    expect(silver.timestamps).toHaveLength((range.to - dayStamp(dateOf('2019-01-01'))) / DAY)
  })

  it('says which key is missing', async () => {
    const fetching = Array.fromAsync(
      coinalyzeProvider({ baseUrl: standIn.url, apiKey: undefined }, surroundings).fetch(
        { tickers: ['BTC-FR'], granularity: '1d', range, categories: ['value'] },
        never,
      ),
    )
    await expect(fetching).rejects.toThrow('Coinalyze needs a key: set COINALYZE_API_KEY.')
  })
})
