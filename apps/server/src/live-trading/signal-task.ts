import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { type LiveSignal, signalNow } from '@tradewright/engine/live/signal-now'
import { loadModel } from '@tradewright/engine/models/load-model'

interface SignalPayload {
  readonly request: BacktestRequest
  readonly data: MarketData
  readonly model: Uint8Array | undefined
  readonly at: number
}

/** A compute task: what a strategy wants now. */
export const run = ({ request, data, model, at }: SignalPayload): LiveSignal =>
  signalNow(planBacktest(request), data, model && loadModel(model), at)
