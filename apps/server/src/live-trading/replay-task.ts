import type { EpochDay } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { replay, type ReplayPoint } from '@tradewright/engine/live/replay'
import { loadModel } from '@tradewright/engine/models/load-model'

interface ReplayPayload {
  readonly request: BacktestRequest
  readonly data: MarketData
  readonly model: Uint8Array | undefined
  /** The day on which the deployment was first valued. */
  readonly from: EpochDay
}

/** A compute task: what a backtest of the days that a deployment lived would have made. */
export const run = ({ request, data, model, from }: ReplayPayload): ReplayPoint[] =>
  replay(planBacktest(request), data, model && loadModel(model), from)
