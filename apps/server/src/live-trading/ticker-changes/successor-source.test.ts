import { dateOf, dayStamp } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { SeriesTable } from '@tradewright/engine/market/series'
import type { TickerSuccessor } from '@tradewright/engine/market/successors'
import { expect, it } from 'vitest'
import { rulesData, rulesRequest } from '../../../test-support/live/rules-story.ts'
import type { SeriesSource } from '../../backtests/ports.ts'
import { createSignalService } from '../signals/signal-service.ts'
import type { SignalDeps } from '../signals/signals.ts'
import { withSuccessors } from './successor-source.ts'

const CHANGED = dateOf('2018-10-01')
const successors: TickerSuccessor[] = [
  { from: 'SPY', to: 'SPX', day: CHANGED, perShare: 1, cashPerShare: 0, isRename: true },
]
const whole = rulesData()
const part = (ticker: string, keeps: (stamp: number) => boolean, provider = 'yahoo'): SeriesTable => {
  const table = whole.series.get('SPY')!
  const rows = [...table.timestamps.keys()].filter((row) => keeps(table.timestamps[row]!))
  const take = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]!)
  return {
    ...table,
    ticker,
    timestamps: take(table.timestamps),
    columns: Object.fromEntries(Object.entries(table.columns).map(([name, column]) => [name, take(column)])),
    sources: table.sources.map((source) => Object.assign({}, source, { provider })),
  }
}
const old = part('SPY', (stamp) => stamp < dayStamp(CHANGED))
const renamed = part('SPX', (stamp) => stamp >= dayStamp(CHANGED))

/** A provider that knows each security under the name it had. */
const sourceOf =
  (tables: readonly SeriesTable[]): SeriesSource =>
  async ({ tickers }) => {
    const series = new Map([...whole.series, ...tables.map((table) => [table.ticker, table] as const)])
    if (!tables.some(({ ticker }) => ticker === 'SPY')) series.delete('SPY')
    const found = new Map([...series].filter(([ticker]) => tickers.includes(ticker)))
    return { series: found, actions: new Map(), missing: [], substituted: [] }
  }

it('signals, trainings and replays of a deployment decide by the same series, which has both names', async () => {
  const seen = new Map<string, MarketData>()
  const run = async (task: string, { data }: { data: MarketData }) => {
    seen.set(task, data)
    return { from: 0, to: 1, bytes: new Uint8Array() }
  }
  const compute = { run: run as unknown as SignalDeps['compute']['run'] }
  const service = createSignalService({ source: sourceOf([old, renamed]), compute, providersOf: async () => [] })
  const { signal } = new AbortController()
  const asked = { userId: 1, request: { ...rulesRequest, to: dateOf('2018-12-31') }, provider: 'yahoo', successors }
  await service.signal({ ...asked, models: [], at: dayStamp(dateOf('2018-12-31')), tickers: [] }, signal)
  await service.train({ ...asked, choice: {} as never, training: { mode: 'full_range' } }, signal)
  await service.replay({ ...asked, models: [] } as never, signal)
  expect([...seen.keys()]).toEqual(['live-trading/signal', 'live-trading/train', 'live-trading/replay'])
  for (const { series } of seen.values()) {
    expect([...series.keys()]).not.toContain('SPX')
    expect(series.get('SPY')!.timestamps).toEqual(whole.series.get('SPY')!.timestamps)
    expect(series.get('SPY')!.columns['close']).toEqual(whole.series.get('SPY')!.columns['close'])
  }
})

it.each([
  ['does not join a sample series with real prices', part('SPY', () => true, 'sample'), renamed, ['yahoo']],
  ['does not go on with a sample series', old, part('SPX', () => true, 'sample'), ['yahoo']],
])('%s', async (_, before, after, providers) => {
  const source = withSuccessors(sourceOf([before, after]), successors)
  const range = { from: 0, to: dayStamp(dateOf('2019-12-31')) }
  const asked = { userId: 1, tickers: ['SPY'], range, granularity: '1d', provider: 'auto' } as const
  const { series } = await source(asked, new AbortController().signal)
  expect([...new Set(series.get('SPY')!.sources.map(({ provider }) => provider))]).toEqual(providers)
})
