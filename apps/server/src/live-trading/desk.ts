import { Decimal } from '@tradewright/core/decimal'
import { parseTicker } from '@tradewright/core/ticker'
import { DAY, dayStamp, epochDayOf, formatDate } from '@tradewright/core/time'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { actionsOf } from '@tradewright/engine/market/corporate-actions'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { marketDataFor } from '../backtests/market-data-for.ts'
import type { SeriesSource } from '../backtests/ports.ts'
import { portable } from '../backtests/run-order.ts'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import { checksumOf } from './cycle/model.ts'
import type { DecisionDesk } from './ports/desk.ts'

export interface DeskDeps {
  readonly source: SeriesSource
  readonly compute: Pick<ComputePool<typeof tasks>, 'run'>
}

/** A quote that is older than this is none. */
const NEWEST_DAYS = 10

export interface LiveDesk extends DecisionDesk {
  replay(
    question: {
      userId: number
      request: BacktestRequest
      provider: string
      model: Uint8Array | undefined
      from: number
    },
    signal: AbortSignal,
  ): Promise<{ at: number; growth: number }[]>
}

export function createDesk({ source, compute }: DeskDeps): LiveDesk {
  const fetch = async (userId: number, request: BacktestRequest, provider: string, signal: AbortSignal) =>
    (await marketDataFor(planBacktest(request), { userId, provider, source, signal })).data

  return {
    async signal({ userId, request, provider, model, at, tickers }, signal) {
      const data = await fetch(userId, request, provider, signal)
      const prices = newestCloses(data, at)
      const missing = tickers.filter((ticker) => !prices.has(ticker))
      if (missing.length > 0) {
        const range = { from: dayStamp(epochDayOf(at) - NEWEST_DAYS), to: dayStamp(epochDayOf(at) + 1) }
        const { series } = await source({ userId, tickers: missing, range, granularity: '1d', provider }, signal)
        for (const [ticker, price] of newestCloses({ series }, at)) prices.set(ticker, price)
      }
      const { data: own, buffers } = portable(data)
      const payload = { request, data: own, model, at }
      const options = { owner: String(userId), signal, transfer: buffers }
      return { signal: await compute.run('live-trading/signal', payload, options), prices }
    },

    async train({ userId, request, provider, choice, training }, signal) {
      const { data, buffers } = portable(await fetch(userId, request, provider, signal))
      const payload = { request, data, choice, training }
      const trained = await compute.run('live-trading/train', payload, {
        owner: String(userId),
        signal,
        transfer: buffers,
      })
      const { from, to, bytes } = trained
      return { ...trained, from: formatDate(from), to: formatDate(to), checksum: checksumOf(bytes) }
    },

    async replay({ userId, request, provider, model, from }, signal) {
      const { data, buffers } = portable(await fetch(userId, request, provider, signal))
      const options = { owner: String(userId), signal, transfer: buffers }
      return compute.run('live-trading/replay', { request, data, model, from }, options)
    },

    async splits(userId, ticker, from, last) {
      const { symbol } = parseTicker(ticker)
      const range = { from: dayStamp(from), to: dayStamp(last + 1) }
      const signal = AbortSignal.timeout(30_000)
      const { series } = await source({ userId, tickers: [symbol], range, granularity: '1d', provider: 'auto' }, signal)
      const table = series.get(symbol)
      if (!table) return []
      return actionsOf(table)
        .splits.filter(({ exDay }) => exDay >= from && exDay <= last)
        .map(({ ratio }) => Decimal.fromNumber(ratio))
    },
  }
}

/** By ticker, of rows that are known at the instant. */
function newestCloses({ series }: Pick<MarketData, 'series'>, at: number): Map<string, number> {
  const closes = new Map<string, number>()
  for (const [ticker, { timestamps, columns }] of series) {
    const close = columns['close']
    const row = timestamps.findLastIndex(
      (stamp, i) => stamp <= at && stamp > at - NEWEST_DAYS * DAY && (close?.[i] ?? 0) > 0,
    )
    if (close && row >= 0) closes.set(ticker, close[row]!)
  }
  return closes
}
