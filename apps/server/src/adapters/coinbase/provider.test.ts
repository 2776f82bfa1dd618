import { DAY, dateOf, dayStamp, HOUR } from '@tradewright/core/time'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { providerSuite } from '../../../test-support/provider-suite.ts'
import { deliveredBy, remoteProvider } from '../../../test-support/remote-provider.ts'
import { startCoinbaseStandIn } from '../../../test-support/stand-ins/coinbase.ts'
import { madeUpBar } from '../../../test-support/stand-ins/made-up-market.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { coinbaseProvider } from './provider.ts'

const range = { from: dayStamp(dateOf('2024-01-01')), to: dayStamp(dateOf('2025-12-01')) }

providerSuite('coinbase', async () => {
  const surroundings = testSurroundings()
  const standIn = await startCoinbaseStandIn(() => surroundings.timing.now())
  return remoteProvider({
    provider: coinbaseProvider(standIn.url, surroundings),
    standIn,
    surroundings,
    tickers: ['BTC-USD', 'ETH-USD'],
    unknownTicker: 'NOSUCH-USD',
    range,
    isAbout: ({ path }, ticker) => path.includes(ticker),
  })
})

describe('coinbase', () => {
  let standIn: StandIn
  let surroundings: ReturnType<typeof testSurroundings>
  beforeEach(async () => {
    surroundings = testSurroundings()
    standIn = await startCoinbaseStandIn(() => surroundings.timing.now())
  })
  afterEach(() => standIn.close())

  async function silverOf(granularity: '1d' | '1h' | '30m', from: number, to: number) {
    const provider = coinbaseProvider(standIn.url, surroundings)
    return (await deliveredBy(provider, { tickers: ['BTC-USD'], granularity, range: { from, to } })).silver
  }

  it('asks for 300 candles a call and joins them without a gap or a double', async () => {
    const silver = await silverOf('1h', range.from, range.from + 30 * DAY)
    expect(standIn.requests).toHaveLength(3)
    expect(silver.timestamps).toEqual(Float64Array.from({ length: 720 }, (_, i) => range.from + i * HOUR))
  })

  it('reads low, high, open and close in the order in which they are sent', async () => {
    const silver = await silverOf('1d', range.from, range.from + DAY)
    const row = Object.fromEntries(Object.entries(silver.columns).map(([name, column]) => [name, column[0]]))
    expect(row).toEqual(madeUpBar('BTC-USD', range.from))
  })

  it('keeps the other candles where one has a close that is no number', async () => {
    const days = async () => (await silverOf('1d', range.from, range.from + 10 * DAY)).timestamps.length
    expect(await days()).toBe(10)
    standIn.misbehave('nan')
    expect(await days()).toBe(9)
  })

  it('asks for no day before the exchange existed', async () => {
    await silverOf('1d', dayStamp(dateOf('2000-01-01')), dayStamp(dateOf('2015-03-01')))
    expect(standIn.requests).toHaveLength(1)
  })

  it('builds half hours, only complete ones', async () => {
    const now = surroundings.timing.now()
    surroundings.timing.advance(20 * 60_000)
    const silver = await silverOf('30m', now - HOUR, now + DAY)
    expect(silver.timestamps).toEqual(Float64Array.of(now - HOUR, now - HOUR / 2))
  })
})
