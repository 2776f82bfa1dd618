import { dateOf, DAY, dayStamp, HOUR, MINUTE, SECOND } from '@tradewright/core/time'
import {
  type FetchRequest,
  type MarketDataProvider,
  type TickerResult,
  ProviderFailure,
} from '@tradewright/engine/market/provider'
import { expect, it } from 'vitest'
import { newestTogether } from './built-in-providers.ts'

const now = dayStamp(dateOf('2026-03-04')) + 15 * HOUR
const newest: FetchRequest = {
  tickers: ['BTC-USD'],
  granularity: '1m',
  range: { from: now - HOUR, to: now },
  categories: ['close'],
}
const { signal } = new AbortController()
const told = (ticker: string): TickerResult => ({ outcome: 'missing', ticker, reason: 'no-data-in-range', message: '' })

function asked(answer: (ticker: string) => TickerResult = told) {
  const questions: string[] = []
  const clock = { now }
  const provider: MarketDataProvider = {
    id: 'slow',
    displayName: 'Slow',
    providerType: 'equities',
    isCustom: false,
    requiresAuth: false,
    synthetic: false,
    limits: { maxTickerBatch: 1, history: { '1m': {} }, supportedCategories: ['close'], bulkMode: false },
    serves: () => true,
    async *fetch({ tickers }) {
      for (const ticker of tickers) {
        questions.push(ticker)
        yield answer(ticker)
      }
    },
  }
  const together = newestTogether(provider, () => clock.now)
  const ask = (request: FetchRequest) => Array.fromAsync(together.fetch(request, signal))
  return { ask, questions, clock }
}

it('who ask for the newest bars of a ticker share one answer, for a quarter of a minute', async () => {
  const { ask, questions, clock } = asked()
  const both = { ...newest, tickers: ['BTC-USD', 'ETH-USD'] }
  const answers = await Promise.all([ask(newest), ask({ ...newest }), ask(both)])
  expect(answers.map((results) => results.map(({ ticker }) => ticker))).toEqual([
    ['BTC-USD'],
    ['BTC-USD'],
    ['BTC-USD', 'ETH-USD'],
  ])
  expect(questions).toEqual(['BTC-USD', 'ETH-USD'])
  clock.now += 16 * SECOND
  await ask(newest)
  expect(questions).toEqual(['BTC-USD', 'ETH-USD', 'BTC-USD'])
})

it('another minute is another question, and history is not shared', async () => {
  const { ask, questions } = asked()
  await ask(newest)
  await ask({ ...newest, range: { from: now - HOUR + MINUTE, to: now + MINUTE } })
  const history = { ...newest, range: { from: now - 30 * DAY, to: now } }
  await ask(history)
  await ask(history)
  expect(questions).toHaveLength(4)
})

it('a failure is told to all who asked for it', async () => {
  const failure = new ProviderFailure('bad-request', 'Slow did not deliver.', { provider: 'slow' })
  const { ask, questions } = asked((ticker) => ({ outcome: 'failed', ticker, failure }))
  const results = await Promise.all([ask(newest), ask(newest)])
  expect(results.flat()).toEqual([
    { outcome: 'failed', ticker: 'BTC-USD', failure },
    { outcome: 'failed', ticker: 'BTC-USD', failure },
  ])
  expect(questions).toHaveLength(1)
})
