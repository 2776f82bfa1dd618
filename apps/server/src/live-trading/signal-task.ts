import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { type LiveSignal, signalNow } from '@tradewright/engine/live/signal-now'
import { versionsOf } from './model-versions.ts'
import type { ModelBytes } from './ports/signal-service.ts'

interface SignalPayload {
  readonly request: BacktestRequest
  readonly data: MarketData
  readonly models: readonly ModelBytes[]
  readonly at: number
}

/** A compute task: what a strategy wants now. */
export const run = ({ request, data, models, at }: SignalPayload): LiveSignal =>
  signalNow(planBacktest(request), data, versionsOf(models), at)
