import { dateOf } from '@tradewright/core/time'
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
  async () => ({ series: new Map(), actions: new Map(), missing })
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
    return { series: new Map(), actions: new Map(), missing: [] }
  }
  await marketDataFor(plan, { userId: 1, provider: 'auto', source, signal: new AbortController().signal })
  expect(asked).toEqual([...new Set(asked)])
  expect(asked).toEqual(expect.arrayContaining(['SPY', 'AGG']))
})

it('keeps what a provider got before it failed, and says what is missing', async () => {
  const reason = 'Yahoo stopped answering after 2020-06-30.'
  const { shortfalls } = await fetchWith([{ ticker: 'SPY', reason, hasRows: true }])
  expect(shortfalls).toEqual([`A part of SPY is missing: ${reason}`])
})

it('names every ticker without which there is no run, and bears the loss of a rate', async () => {
  const lost = (ticker: string) => ({ ticker, reason: `Nobody has ${ticker}.`, hasRows: false })
  await expect(fetchWith([lost('SPY'), lost('TB3MS'), lost('AGG')])).rejects.toThrow(
    'There is no data for SPY: Nobody has SPY. There is no data for AGG: Nobody has AGG.',
  )
  await expect(fetchWith([lost('TB3MS')])).resolves.toMatchObject({ shortfalls: [] })
})
