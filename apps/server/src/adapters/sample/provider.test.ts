import { ManualClock } from '@tradewright/core/clock'
import type { Granularity } from '@tradewright/core/granularity'
import { dateOf, DAY, dayStamp, HOUR } from '@tradewright/core/time'
import { sampleProvider } from '@tradewright/engine/market/sample/sample-provider'
import { expect, it } from 'vitest'
import { run, type SampleRequest } from '../../market-data/sample-task.ts'
import { sampleOnThreads } from './provider.ts'

const clock = new ManualClock(new Date(dayStamp(dateOf('2026-03-04')) + 15 * HOUR))
const { signal } = new AbortController()
const now = clock.now().getTime()

function asked(granularity: Granularity, days: number) {
  const orders: SampleRequest[] = []
  const provider = sampleOnThreads(clock, async (order) => {
    orders.push(order)
    return run(order)
  })
  const range = { from: now - days * DAY, to: now }
  const request = { tickers: ['BTC-USD', 'SPY', 'NOBODY'], granularity, range, categories: ['close', 'volume'] }
  return { orders, request, results: () => Array.fromAsync(provider.fetch(request, signal)) }
}

it('weeks of hours are made on threads, ticker by ticker, and are the same rows', async () => {
  const { orders, request, results } = asked('1h', 20)
  expect(await results()).toEqual(await Array.fromAsync(sampleProvider(clock).fetch(request, signal)))
  expect(orders.map(({ ticker }) => ticker)).toEqual(['BTC-USD', 'SPY', 'NOBODY'])
})

it.each([
  { what: 'days', granularity: '1d' as const, days: 900 },
  { what: 'the newest minutes', granularity: '1m' as const, days: 1 },
])('$what do not wait for a thread', async ({ granularity, days }) => {
  const { orders, results } = asked(granularity, days)
  expect((await results()).map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered', 'missing'])
  expect(orders).toEqual([])
})
