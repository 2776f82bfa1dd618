import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { RulesMemory } from '@tradewright/engine/live/rules-follower'
import { type LiveSignal, signalNow } from '@tradewright/engine/live/signal-now'
import { versionsOf } from './model-versions.ts'
import type { ModelBytes } from '../ports/signal-service.ts'

interface SignalPayload {
  readonly request: BacktestRequest
  readonly data: MarketData
  readonly models: readonly ModelBytes[]
  readonly memory?: RulesMemory | undefined
  readonly at: number
}

/** A compute task: what a strategy wants now. */
export const run = ({ request, data, models, memory, at }: SignalPayload): LiveSignal =>
  signalNow(planBacktest(request), data, versionsOf(models), at, memory)
