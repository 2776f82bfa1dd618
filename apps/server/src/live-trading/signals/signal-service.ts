import { Decimal } from '@tradewright/core/decimal'
import { parseTicker } from '@tradewright/core/ticker'
import { dayStamp, type EpochDay, formatDate, SECOND } from '@tradewright/core/time'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { averageDollarVolume } from '@tradewright/engine/live/average-volume'
import type { ExplainedReplay } from '@tradewright/engine/live/drift-causes'
import { actionsOf } from '@tradewright/engine/market/corporate-actions'
import { marketDataFor } from '../../backtests/market-data-for.ts'
import { portable } from '../../backtests/execute-run.ts'
import { checksumOf } from '../cycle/propose/trained-model.ts'
import type { DataChoice } from '../deployment.ts'
import type { SignalService } from '../ports/signal-service.ts'
import type { ReplayQuestion } from '../replay/replay-task.ts'
import { type SignalDeps, signalsOfOnePoll } from './signals.ts'
import { withSuccessors } from '../ticker-changes/successor-source.ts'

export interface LiveSignalService extends SignalService {
  replay(
    question: ReplayQuestion & DataChoice & { readonly userId: number },
    signal: AbortSignal,
  ): Promise<ExplainedReplay>
}

interface Asked extends DataChoice {
  readonly userId: number
  readonly request: BacktestRequest
}

/** Twenty sessions, with weekends and holidays. */
const VOLUME_CALENDAR_DAYS = 35

/** Short, since trading waits for the listed actions. */
const LISTED_TIMEOUT_MS = 10 * SECOND

const storable = <Trained extends { from: EpochDay; to: EpochDay; bytes: Uint8Array }>(trained: Trained) => ({
  ...trained,
  from: formatDate(trained.from),
  to: formatDate(trained.to),
  checksum: checksumOf(trained.bytes),
})

export function createSignalService(deps: SignalDeps): LiveSignalService {
  const { source, compute } = deps
  const fetch = async ({ userId, request, provider, successors }: Asked, signal: AbortSignal) => {
    const access = { userId, provider, source: withSuccessors(source, successors), signal }
    return portable((await marketDataFor(planBacktest(request), access)).data)
  }

  const actionsIn = async (userId: number, ticker: string, from: number, last: number) => {
    const { symbol } = parseTicker(ticker)
    const range = { from: dayStamp(from), to: dayStamp(last + 1) }
    const signal = AbortSignal.timeout(30_000)
    const { series } = await source({ userId, tickers: [symbol], range, granularity: '1d', provider: 'auto' }, signal)
    const table = series.get(symbol)
    return table ? actionsOf(table) : { splits: [], dividends: [] }
  }

  const signalService: LiveSignalService = {
    signal: (question, signal) => signalsOfOnePoll(deps)(question, signal),

    forOnePoll: () => ({ ...signalService, signal: signalsOfOnePoll(deps) }),

    retrying: () =>
      createSignalService({ ...deps, source: (asked, signal) => source({ ...asked, retries: true }, signal) }),

    async train({ choice, training, isTrial = false, ...asked }, signal) {
      const { userId, request } = asked
      const { data, buffers } = await fetch(asked, signal)
      const payload = { request, data, choice, training }
      const trained = await compute.run('live-trading/train', payload, {
        owner: String(userId),
        signal,
        transfer: buffers,
        ...(isTrial && { lane: 'interactive' }),
      })
      return storable(trained)
    },

    async retrain({ choice, refit, ...asked }, signal) {
      const { userId, request } = asked
      const { data, buffers } = await fetch(asked, signal)
      const options = { owner: String(userId), signal, transfer: buffers }
      const { model, nextAt } = await compute.run('live-trading/retrain', { request, data, choice, refit }, options)
      return { nextAt, model: model && storable(model) }
    },

    async replay({ userId, provider, successors, ...question }, signal) {
      const { request } = question
      const { data, buffers } = await fetch({ userId, request, provider, successors }, signal)
      const options = { owner: String(userId), signal, transfer: buffers }
      return compute.run('live-trading/replay', { ...question, data }, options)
    },

    async replayMonth({ userId, provider, successors, ...question }, signal) {
      const { request } = question
      const { data, buffers } = await fetch({ userId, request, provider, successors }, signal)
      const options = { owner: String(userId), signal, transfer: buffers }
      return compute.run('live-trading/replay-month', { ...question, data }, options)
    },

    async outcomes({ bars, ...asked }, signal) {
      const { userId, request } = asked
      const { data, buffers } = await fetch(asked, signal)
      const options = { owner: String(userId), signal, transfer: buffers }
      return compute.run('live-trading/outcomes', { request, bars, data }, options)
    },

    async dollarVolumes(userId, tickers, last) {
      const range = { from: dayStamp(last - VOLUME_CALENDAR_DAYS), to: dayStamp(last) }
      const signal = AbortSignal.timeout(30_000)
      const asked = { userId, tickers, range, granularity: '1d', provider: 'auto' } as const
      const { series, substituted } = await source(asked, signal)
      const madeUp = new Set(substituted.map(({ ticker }) => ticker))
      return new Map(
        [...series].flatMap(([ticker, table]) => {
          const averageUsd = averageDollarVolume(table)
          return averageUsd === undefined ? [] : [[ticker, { averageUsd, isSynthetic: madeUp.has(ticker) }] as const]
        }),
      )
    },

    async splits(userId, ticker, from, last) {
      const { splits } = await actionsIn(userId, ticker, from, last)
      return splits.filter(({ exDay }) => exDay >= from && exDay <= last).map(({ ratio }) => Decimal.fromNumber(ratio))
    },

    async dividends(userId, ticker, from, last) {
      const { dividends } = await actionsIn(userId, ticker, from, last)
      return dividends.filter(({ exDay }) => exDay >= from && exDay <= last)
    },

    async listedActions(userId, tickers, from, last) {
      const listing = (await deps.providersOf(userId)).find((provider) => provider.listedActions)
      return listing?.listedActions?.(tickers, { from, last }, AbortSignal.timeout(LISTED_TIMEOUT_MS))
    },
  }
  return signalService
}
