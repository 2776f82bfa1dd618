import { ManualClock } from '@tradewright/core/clock'
import { rulesExamples } from '@tradewright/core/rules/examples'
import { parseTicker } from '@tradewright/core/ticker'
import { dateOf, dayStamp, epochDayOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { nyse } from '../trading-calendar.ts'
import { ingest } from '../layers/ingest.ts'
import { marketDataProviderSuite } from '../test-support/market-data-provider-suite.ts'
import { memorySeriesStore } from '../memory-store/memory-series-store.ts'
import type { FetchRequest } from '../provider.ts'
import { sampleMarket, sampleTickers } from './sample-market.ts'
import { sampleProvider } from './sample-provider.ts'

const market = sampleMarket()
const noon = Date.parse('2024-06-12T16:00:00Z')
const request: FetchRequest = {
  tickers: ['SPY', 'BTC-USD', 'BTC-FR', 'CPIAUCSL'],
  granularity: '1d',
  range: { from: dayStamp(dateOf('2020-01-01')), to: dayStamp(dateOf('2030-01-01')) },
  categories: ['open', 'high', 'low', 'close', 'volume', 'value'],
}
const clockAt = (instant: number) => new ManualClock(new Date(instant))

marketDataProviderSuite('the sample market', async () => ({
  provider: sampleProvider(clockAt(noon), market),
  request,
  unknownTicker: 'ZZZZ',
  now: noon,
}))

marketDataProviderSuite('the sample market within the day', async () => ({
  provider: sampleProvider(clockAt(noon), market),
  request: {
    ...request,
    tickers: ['SPY', 'BTC-USD', 'ETH-LIQ'],
    granularity: '5m',
    range: { from: dayStamp(dateOf('2024-06-11')), to: dayStamp(dateOf('2024-06-15')) },
  },
  unknownTicker: 'ZZZZ',
  now: noon,
}))

const fetchOne = async (ticker: string, more: Partial<FetchRequest> = {}, now = noon) => {
  const provider = sampleProvider(clockAt(now), market)
  const [result] = await Array.fromAsync(
    provider.fetch({ ...request, tickers: [ticker], ...more }, new AbortController().signal),
  )
  return result!
}

const lastDay = async (ticker: string, now: number) => {
  const result = await fetchOne(ticker, {}, now)
  return result.outcome === 'delivered' ? formatDate(epochDayOf(result.silver.timestamps.at(-1)!)) : result.outcome
}

describe('the sample provider', () => {
  it('never passes for real', () => {
    expect(sampleProvider(clockAt(noon))).toMatchObject({ id: 'sample', synthetic: true, requiresAuth: false })
  })

  it('serves its own tickers and no others', () => {
    const provider = sampleProvider(clockAt(noon), market)
    for (const ticker of sampleTickers) expect(provider.serves(parseTicker(ticker))).toBe(true)
    expect(provider.serves(parseTicker('ETH-USD-LIQ'))).toBe(true)
    expect(provider.serves(parseTicker('IBM'))).toBe(false)
  })

  it.each(rulesExamples)('has the prices of $name, so that it runs without internet', ({ tree }) => {
    const tickers = [...JSON.stringify(tree).matchAll(/"(?:ticker|cash)":"([^"]+)"/g)].map(([, ticker]) => ticker!)
    const lists = [...JSON.stringify(tree).matchAll(/"tickers":(\[[^\]]+\])/g)].flatMap(
      ([, list]) => JSON.parse(list!) as string[],
    )
    const asked = new Set([...tickers, ...lists])
    expect(asked.size).toBeGreaterThan(0)
    const provider = sampleProvider(clockAt(noon), market)
    // What cash earns is computed.
    const served = (ticker: string) => ['TBILLX', 'CASHX'].includes(ticker) || provider.serves(parseTicker(ticker))
    expect([...asked].filter((ticker) => !served(ticker))).toEqual([])
  })

  it('ends with the last finished session', async () => {
    const today = dateOf('2024-06-12')
    expect(await lastDay('SPY', nyse.closeOf(today) - 1)).toBe('2024-06-11')
    expect(await lastDay('SPY', nyse.closeOf(today))).toBe('2024-06-12')
    expect(await lastDay('BTC-USD', dayStamp(today + 1) - 1)).toBe('2024-06-11')
    // The price index of May is published in the middle of June.
    expect(await lastDay('CPIAUCSL', noon)).toBe('2024-04-01')
    expect(await lastDay('CPIAUCSL', dayStamp(dateOf('2024-06-14')))).toBe('2024-05-01')
  })

  it('delivers the categories asked for, and the splits and dividends inside the range', async () => {
    const result = await fetchOne('AAPL', { categories: ['close'] })
    if (result.outcome !== 'delivered') throw new Error('AAPL was not delivered')
    expect(Object.keys(result.silver.columns)).toEqual(['close'])
    expect(result.actions.dividends.length).toBeGreaterThan(14)
    for (const { exDay } of result.actions.dividends) expect(dayStamp(exDay)).toBeGreaterThanOrEqual(request.range.from)
  })

  it('says why there is nothing', async () => {
    expect(await fetchOne('UNRATE', { granularity: '1m' })).toMatchObject({ reason: 'granularity-not-served' })
    const future = { from: dayStamp(dateOf('2029-01-01')), to: dayStamp(dateOf('2030-01-01')) }
    expect(await fetchOne('SPY', { range: future })).toMatchObject({ reason: 'no-data-in-range' })
  })

  it('fills a store that then holds it bit by bit', async () => {
    const store = memorySeriesStore()
    const result = await fetchOne('KO')
    if (result.outcome !== 'delivered') throw new Error('KO was not delivered')
    await ingest(store, [result], { isSynthetic: (provider) => provider === 'sample' })
    const [table] = await store.read({
      layer: 'gold',
      tickers: ['KO'],
      granularity: '1d',
      range: request.range,
      categories: ['close'],
    })
    expect(table?.columns['close']).toEqual(result.silver.columns['close'])
  })
})
