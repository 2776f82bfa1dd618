import type { UtcMillis } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { LiveSignal } from '@tradewright/engine/live/signal-now'
import { setImmediate as turn } from 'node:timers/promises'
import type { FixedSignalsPayload } from './fixed-signals-task.ts'

/** Answers in the order of the questions; fails when any of them does. */
type AskThread = (payload: FixedSignalsPayload) => Promise<LiveSignal[]>

export type FixedSignal = (data: MarketData, request: BacktestRequest, at: UtcMillis) => Promise<LiveSignal>

interface Waiting {
  readonly data: MarketData
  readonly question: FixedSignalsPayload['questions'][number]
  readonly resolve: (signal: LiveSignal) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Fixed percentages are decided in a moment; sending each to a thread takes longer. Those that are asked for in one turn of
 * the loop go together. What fails together is asked one by one, so that each has its own reason.
 */
export function fixedSignals(ask: AskThread): FixedSignal {
  let waiting: Waiting[] = []

  async function send(data: MarketData, group: readonly Waiting[]): Promise<void> {
    try {
      const signals = await ask({ data, questions: group.map(({ question }) => question) })
      for (const [i, { resolve }] of group.entries()) resolve(signals[i]!)
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error)
      else await Promise.all(group.map((one) => send(data, [one])))
    }
  }

  async function sendAll(): Promise<void> {
    await turn()
    const all = waiting
    waiting = []
    await Promise.all([...Map.groupBy(all, ({ data }) => data)].map(([data, group]) => send(data, group)))
  }

  return (data, request, at) =>
    new Promise((resolve, reject) => {
      waiting.push({ data, question: { request, at }, resolve, reject })
      if (waiting.length === 1) void sendAll()
    })
}
