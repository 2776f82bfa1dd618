import { hasBlocks, learns } from '@tradewright/core/strategy-kinds'
import { DAY, dayStamp, epochDayOf } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { signalRequest, signalSeries } from '@tradewright/engine/live/signal-data'
import { UPLOADED } from '@tradewright/engine/market/layers/rows'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { shared } from '@tradewright/core/shared-columns'
import { fetchRequired } from '../../backtests/market-data-for.ts'
import type { SeriesAnswer, SeriesSource } from '../../backtests/ports.ts'
import type { ProvidersOf } from '../../market-data/providers.ts'
import type { ComputePool } from '../../workers/compute-pool.ts'
import type { tasks } from '../../workers/tasks.ts'
import { type FixedSignal, fixedSignals } from './fixed-signals.ts'
import type { SignalService } from '../ports/signal-service.ts'
import { memoized } from '../memoize.ts'
import { withSuccessors } from '../ticker-changes/successor-source.ts'

export interface SignalDeps {
  readonly source: SeriesSource
  readonly compute: Pick<ComputePool<typeof tasks>, 'run'>
  /** The user's market data providers, of which some list corporate actions. */
  readonly providersOf: ProvidersOf
}

/** A quote that is older than this is none. */
const NEWEST_DAYS = 10

/**
 * Signals of deployments that decide at one instant: shared series are read, and laid out for the threads, once. Good
 * for that instant, and thrown away with it.
 */
export function signalsOfOnePoll({ source, compute }: Pick<SignalDeps, 'source' | 'compute'>): SignalService['signal'] {
  const tables = memoized<MarketData>()
  const quotes = memoized<SeriesAnswer>()
  // By abort signal: one poll has one user, and one signal.
  const fixed = new WeakMap<AbortSignal, FixedSignal>()

  return async ({ userId, request: run, provider, successors, models, memory, at, tickers }, signal) => {
    const request = signalRequest(run, at)
    const required = signalSeries(planBacktest(request))
    const { granularity, to } = request
    const continued = withSuccessors(source, successors)
    const data = await tables(JSON.stringify([userId, provider, successors, granularity, to, required]), async () =>
      onSharedMemory((await fetchRequired(required, request, { userId, provider, source: continued, signal })).data),
    )
    const prices = newestCloses(data, at)
    const missing = tickers.filter((ticker) => !prices.has(ticker)).sort()
    if (missing.length > 0) {
      const range = { from: dayStamp(epochDayOf(at) - NEWEST_DAYS), to: dayStamp(epochDayOf(at) + 1) }
      const question = { userId, tickers: missing, range, granularity: '1d', provider } as const
      const answer = await quotes(JSON.stringify(question), () => source(question, signal))
      for (const [ticker, price] of newestCloses(answer, at)) prices.set(ticker, price)
    }
    const options = { owner: String(userId), signal }
    // Models and rules take their time, and a thread; fixed percentages of one instant share both.
    const answer =
      learns(request.strategy) || hasBlocks(request.strategy)
        ? compute.run('live-trading/signal', { request, data, models, memory, at }, options)
        : fixed.getOrInsertComputed(signal, () =>
            fixedSignals((payload) => compute.run('live-trading/fixed-signals', payload, options)),
          )(data, request, at)
    const decided = await answer
    const imported = importedNote(data)
    return { signal: imported === undefined ? decided : { ...decided, notes: [...decided.notes, imported] }, prices }
  }
}

/** An import stands before every provider, and a program may have made it: the decision says so. */
function importedNote({ series }: MarketData): string | undefined {
  const tickers = [...series].flatMap(([ticker, { sources }]) =>
    sources.some(({ provider }) => provider === UPLOADED) ? [ticker] : [],
  )
  return tickers.length === 0 ? undefined : `Imported data were used for ${tickers.toSorted().join(', ')}.`
}

/** Threads read the same columns instead of copying them again. */
function onSharedMemory({ series, actions }: MarketData): MarketData {
  const moved = ({ timestamps, columns, knownAt, ...table }: SeriesTable): SeriesTable => ({
    ...table,
    timestamps: shared(timestamps),
    columns: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, shared(column)])),
    ...(knownAt && { knownAt: shared(knownAt) }),
  })
  const tables = new Map([...series].map(([symbol, table]) => [symbol, moved(table)]))
  return { series: tables, ...(actions && { actions }) }
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
