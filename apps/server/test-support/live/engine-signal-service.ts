import { formatDate } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { signalRequest } from '@tradewright/engine/live/signal-data'
import { checksumOf } from '../../src/live-trading/cycle/propose/trained-model.ts'
import type { LiveSignalService } from '../../src/live-trading/signals/signal-service.ts'
import { run as outcomesTask } from '../../src/live-trading/signals/outcomes-task.ts'
import { run as replayMonthTask } from '../../src/live-trading/replay/replay-month-task.ts'
import { run as replayTask } from '../../src/live-trading/replay/replay-task.ts'
import { run as retrainTask } from '../../src/live-trading/retraining/retrain-task.ts'
import { run as signalTask } from '../../src/live-trading/signals/signal-task.ts'
import { run as trainTask } from '../../src/live-trading/retraining/train-task.ts'

const context = { isCancelled: () => false } as Parameters<typeof trainTask>[1]

/** The tasks of the compute threads on this thread, with data at hand: no fetching, and months in seconds. */
export function engineSignalService(data: MarketData): LiveSignalService {
  const storable = <Trained extends { from: number; to: number; bytes: Uint8Array }>(trained: Trained) => ({
    ...trained,
    from: formatDate(trained.from),
    to: formatDate(trained.to),
    checksum: checksumOf(trained.bytes),
  })
  const service: LiveSignalService = {
    signal: async ({ request: run, models, memory, at, tickers }) => {
      const request = signalRequest(run, at)
      const signal = signalTask({ request, data, models, memory, at })
      return { signal, prices: new Map(tickers.map((ticker) => [ticker, closeBefore(data, ticker, at)])) }
    },
    forOnePoll: () => service,
    retrying: () => service,
    train: async ({ request, choice, training }) => storable(trainTask({ request, data, choice, training }, context)),
    retrain: async ({ request, choice, refit }) => {
      const { model, nextAt } = retrainTask({ request, data, choice, refit }, context)
      return { nextAt, model: model && storable(model) }
    },
    replay: async (question) => replayTask({ ...question, data }),
    outcomes: async (question) => outcomesTask({ ...question, data }),
    replayMonth: async (question) => replayMonthTask({ ...question, data }),
    splits: async () => [],
    dividends: async () => [],
    listedActions: async () => undefined,
    dollarVolumes: async () => new Map(),
  }
  return service
}

/** The newest close of a bar that was complete at an instant. */
export function closeBefore({ series }: MarketData, ticker: string, at: number): number {
  const { timestamps, columns } = series.get(ticker)!
  return columns['close']![timestamps.findLastIndex((stamp) => stamp + 86_400_000 <= at)]!
}

export function closeOn({ series }: MarketData, ticker: string, day: number): number {
  const { timestamps, columns } = series.get(ticker)!
  return columns['close']![timestamps.indexOf(day * 86_400_000)]!
}
