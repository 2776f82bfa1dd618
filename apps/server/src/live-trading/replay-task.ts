import type { EpochDay } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { replay, type ReplayPoint } from '@tradewright/engine/live/replay'
import type { TradingSchedule } from '@tradewright/engine/live/schedule'
import { versionsOf } from './model-versions.ts'
import type { ModelBytes } from './ports/signal-service.ts'

interface ReplayPayload {
  readonly request: BacktestRequest
  readonly data: MarketData
  readonly models: readonly ModelBytes[]
  /** The day on which the deployment was first valued. */
  readonly from: EpochDay
  readonly schedule: TradingSchedule
}

/** A compute task: what a backtest of the days that a deployment lived would have made. */
export const run = ({ request, data, models, schedule, from }: ReplayPayload): ReplayPoint[] =>
  replay(planBacktest(request), data, { models: versionsOf(models), schedule, from })
