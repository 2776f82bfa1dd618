import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { LiveSignal } from '@tradewright/engine/live/signal-now'
import { expect, it } from 'vitest'
import { strategyOf } from '../../../test-support/live/fake-signal-service.ts'
import { fixedSignals } from './fixed-signals.ts'
import type { FixedSignalsPayload } from './fixed-signals-task.ts'

const dataOf = (): MarketData => ({ series: new Map() })
const requestOf = (ticker: string) => strategyOf({ [ticker]: 100 }).request

/** Tells the ticker of each question back; the one called BAD has no answer. */
function signalService() {
  const sent: string[][] = []
  const ask = async ({ questions }: FixedSignalsPayload): Promise<LiveSignal[]> => {
    const tickers = questions.map(({ request }) =>
      request.strategy.kind === 'allocation' ? request.strategy.allocation[0]!.ticker : '',
    )
    sent.push(tickers)
    if (tickers.includes('BAD')) throw new Error('There is no data for BAD.')
    return tickers.map((ticker) => ({
      dataAsOf: 0,
      prediction: undefined,
      modelVersion: undefined,
      rules: undefined,
      external: undefined,
      allocation: new Map([[ticker, 100]]),
      fingerprint: '',
      series: [],
      synthetic: [],
      notes: [],
    }))
  }
  const signal = fixedSignals(ask)
  const answer = async (data: MarketData, ticker: string) =>
    [...(await signal(data, requestOf(ticker), 0)).allocation.keys()][0]
  return { answer, sent }
}

it('those that are asked for at once go to a thread together, and each gets its own answer', async () => {
  const { answer, sent } = signalService()
  const [data, other] = [dataOf(), dataOf()]
  expect(await Promise.all([answer(data, 'SPY'), answer(other, 'GLD'), answer(data, 'TLT')])).toEqual([
    'SPY',
    'GLD',
    'TLT',
  ])
  expect(sent).toEqual([['SPY', 'TLT'], ['GLD']])
  expect(await answer(data, 'QQQ')).toBe('QQQ')
  expect(sent).toHaveLength(3)
})

it('one without an answer does not take that of another', async () => {
  const { answer } = signalService()
  const data = dataOf()
  const answers = await Promise.allSettled([answer(data, 'SPY'), answer(data, 'BAD'), answer(data, 'TLT')])
  expect(answers).toEqual([
    { status: 'fulfilled', value: 'SPY' },
    { status: 'rejected', reason: new Error('There is no data for BAD.') },
    { status: 'fulfilled', value: 'TLT' },
  ])
})
