import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { replayMonth } from '@tradewright/engine/live/replay-month'
import type { TradingSchedule } from '@tradewright/engine/live/schedule'
import { loadModel } from '@tradewright/engine/models/catalogue'
import type { EpochDay } from '@tradewright/core/time'

export interface MonthQuestion {
  readonly request: BacktestRequest
  /** A model that was trained before the month; undefined for a strategy that predicts nothing. */
  readonly model: Uint8Array | undefined
  readonly schedule: TradingSchedule
  readonly from: EpochDay
}

/** A compute task: what a deployment would have done in the last month. */
export const run = ({ request, data, model, schedule, from }: MonthQuestion & { readonly data: MarketData }) =>
  replayMonth(planBacktest(request), data, { model: model && loadModel(model), schedule, from })
