import { DAY, dateOf, dayStamp, HOUR, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { memorySeriesStore } from '@tradewright/engine/market/memory-store/memory-series-store'
import { sampleProvider } from '@tradewright/engine/market/sample/sample-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { createTestUser } from '../../../test-support/test-user.ts'
import { AskedSeries } from '../../market-data/collect/fetch-missing.ts'
import { createSeriesFor } from '../../market-data/series-for.ts'
import { createDataStoreRows, createCoverageStore } from '../../stores/market-data/data-stores.ts'
import { lastStoredPrices } from './last-stored-prices.ts'
import { marketPrices } from './market-prices.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const wednesday = dateOf('2026-03-04')

/** The sample market alone, at this moment. */
async function open(at: number) {
  const userId = await createTestUser(test.database, `prices-${at}-${Math.round(at / DAY)}`)
  const { id } = await createDataStoreRows(test.database).systemStore(userId)
  const series = memorySeriesStore()
  const store = { id, name: 'System Storage', series }
  const seriesFor = createSeriesFor({
    coverage: createCoverageStore(test.database),
    asked: new AskedSeries(() => at),
    now: () => at,
    stores: { defaultOf: async () => store, find: async () => store },
    providersOf: async () => [sampleProvider({ now: () => new Date(at) })],
  })
  const prices = marketPrices(seriesFor, lastStoredPrices({ defaultOf: async () => store }))
  const latest = async (ticker: string) => (await prices.latest(userId, [ticker], at)).get(ticker)
  return { prices, latest, userId, at, series }
}

describe('prices of the paper account', () => {
  it('are those of the running session, and else its last close', async () => {
    const during = await open(nyse.openOf(wednesday) + 2 * HOUR)
    const after = await open(nyse.closeOf(wednesday) + 2 * HOUR)
    const [now, close] = [await during.latest('SPY'), await after.latest('SPY')]
    expect(now?.isSynthetic).toBe(true)
    expect(String(now?.price)).not.toBe(String(close?.price))
    const bars = await after.prices.bars(after.userId, ['SPY'], { from: wednesday - 7, last: wednesday })
    const spy = bars.get('SPY')!
    expect(spy.map(({ day }) => day)).toEqual([...nyse.sessionsBetween(wednesday - 7, wednesday + 1)])
    expect(String(close?.price)).toBe(String(spy.at(-1)?.close))
    const yesterday = String(spy.at(-2)?.close)
    expect(String(now?.price)).not.toBe(yesterday)
  })

  it('of coins are those of the last hour, also on a Sunday', async () => {
    const { latest } = await open((wednesday + 4) * DAY + 15 * HOUR + MINUTE)
    expect((await latest('BTC-USD'))?.price.isPositive).toBe(true)
  })

  it('do not exist for what is not traded', async () => {
    const { prices, userId, at } = await open(nyse.openOf(wednesday) + HOUR)
    expect(await prices.isKnown(userId, 'ZZZZZ', at)).toBe(false)
    expect(await prices.isKnown(userId, 'CASHX', at)).toBe(false)
    expect(await prices.isKnown(userId, 'SPY', at)).toBe(true)
  })

  it('are the last known close where nothing newer is stored or in reach, with its day', async () => {
    const { latest, series } = await open(nyse.openOf(wednesday) + HOUR + MINUTE)
    const day = dateOf('2025-01-15')
    await series.write('gold', [
      {
        ticker: 'GONE',
        granularity: '1d',
        provider: 'csv',
        type: 'security',
        currency: 'USD',
        collectedAt: 0,
        timestamps: Float64Array.of(dayStamp(day)),
        columns: { close: Float64Array.of(12.5) },
      },
    ])
    const known = await latest('GONE')
    expect([String(known?.price), known?.isSynthetic, known?.at]).toEqual(['12.5', false, dayStamp(day)])
  })

  it('come with what goes ex', async () => {
    const { prices, userId } = await open(nyse.closeOf(wednesday))
    const bars = await prices.bars(userId, ['SPY'], { from: wednesday - 400, last: wednesday })
    expect(bars.get('SPY')!.filter(({ dividend }) => dividend)).toHaveLength(4)
  })

  it('come with what goes ex on the morning of a session that still runs, where that is stored', async () => {
    const table = {
      ticker: 'SPY',
      granularity: '1d',
      type: 'security',
      currency: 'USD',
      sources: [],
      timestamps: Float64Array.of(dayStamp(wednesday - 1), dayStamp(wednesday)),
      columns: {
        close: Float64Array.of(400, Number.NaN),
        dividend: Float64Array.of(Number.NaN, 1.5),
        split: Float64Array.of(Number.NaN, 2),
      },
    } as const
    const answer = {
      series: new Map([['SPY', table]]),
      actions: new Map(),
      provenance: [],
      missing: [],
      substituted: [],
      leftOut: [],
    }
    const prices = marketPrices(
      async () => answer,
      async () => new Map(),
    )
    const bars = await prices.bars(1, ['SPY'], { from: wednesday - 1, last: wednesday })
    expect(bars.get('SPY')!.map(({ close, dividend, split }) => [close, dividend, split].map(String))).toEqual([
      ['400', 'undefined', 'undefined'],
      ['undefined', '1.5', '2'],
    ])
  })
})
