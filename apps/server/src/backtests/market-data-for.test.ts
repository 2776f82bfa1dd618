import { dateOf, dayStamp } from '@tradewright/core/time'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { defaultSettings } from '@tradewright/engine/backtest/request'
import { expect, it } from 'vitest'
import { marketDataFor } from './market-data-for.ts'
import type { SeriesAnswer, SeriesSource } from './ports.ts'

const plan = planBacktest({
  ...defaultSettings,
  from: dateOf('2020-01-02'),
  to: dateOf('2020-12-31'),
  strategy: {
    kind: 'allocation',
    allocation: [
      { ticker: 'SPY', allocationPct: 50 },
      { ticker: 'AGG?L=2', allocationPct: 50 },
    ],
  },
})

const answering =
  (missing: SeriesAnswer['missing']): SeriesSource =>
  async ({ tickers }) => ({
    series: new Map(),
    actions: new Map(),
    missing: missing.filter(({ ticker }) => tickers.includes(ticker)),
    substituted: [],
  })
const fetchWith = (missing: SeriesAnswer['missing']) =>
  marketDataFor(plan, {
    userId: 1,
    provider: 'auto',
    source: answering(missing),
    signal: new AbortController().signal,
  })

it('asks for each symbol once, without its leverage', async () => {
  const asked: string[] = []
  const source: SeriesSource = async ({ tickers }) => {
    asked.push(...tickers)
    return { series: new Map(), actions: new Map(), missing: [], substituted: [] }
  }
  await marketDataFor(plan, { userId: 1, provider: 'auto', source, signal: new AbortController().signal })
  expect(asked).toEqual([...new Set(asked)])
  expect(asked).toEqual(expect.arrayContaining(['SPY', 'AGG']))
})

it('keeps what a provider got before it failed, and says what is missing', async () => {
  const reason = 'Yahoo stopped answering after 2020-06-30.'
  const { problems } = await fetchWith([{ ticker: 'SPY', reason, hasRows: true, provider: 'Yahoo', failure: 'limit' }])
  expect(problems).toMatchObject([{ sentence: `Part of SPY is missing: ${reason}`, mayRetry: true }])
})

it('names every ticker without which there is no run, and bears the loss of a rate', async () => {
  const lost = (ticker: string) => ({ ticker, reason: `No provider has ${ticker}.`, hasRows: false })
  await expect(fetchWith([lost('SPY'), lost('TB3MS'), lost('AGG')])).rejects.toThrow(
    'There is no data for SPY: No provider has SPY. There is no data for AGG: No provider has AGG.',
  )
  const unreachable = { provider: 'Yahoo Finance', failure: 'network' as const, reason: 'it cannot be reached' }
  await expect(fetchWith([lost('SPY'), lost('AGG')].map((one) => Object.assign(one, unreachable)))).rejects.toThrow(
    // An import may hold other days.
    'There is no data for SPY and AGG between 2020-01-02 and 2020-12-31: Yahoo Finance cannot be reached from this server.',
  )
  await expect(fetchWith([lost('TB3MS')])).resolves.toMatchObject({ problems: [] })
})

it('fetches rates from before the start, and from where they exist, whatever provider is named for prices', async () => {
  const asked: Parameters<SeriesSource>[0][] = []
  const source: SeriesSource = async (request) => {
    asked.push(request)
    return { series: new Map(), actions: new Map(), missing: [], substituted: [] }
  }
  const access = { userId: 1, source, signal: new AbortController().signal }
  await marketDataFor(plan, { ...access, provider: 'yahoo' })
  const requestOf = (ticker: string) => asked.find(({ tickers }) => tickers.includes(ticker))
  expect(requestOf('SPY')).toMatchObject({ provider: 'yahoo', range: { from: dayStamp(dateOf('2020-01-02')) } })
  expect(requestOf('TB3MS')?.provider).toBe('auto')
  // Two month ends before the start are needed to know the level of prices on its first day.
  expect(requestOf('TB3MS')!.range.from).toBeLessThanOrEqual(dayStamp(dateOf('2019-11-01')))
  asked.length = 0
  await marketDataFor(plan, { ...access, provider: 'sample' })
  expect(new Set(asked.map(({ provider }) => provider))).toEqual(new Set(['sample']))
})
