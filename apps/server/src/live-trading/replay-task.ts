import type { LearningJob } from '@tradewright/engine/backtest/learner'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import { loadModel } from '@tradewright/engine/models/load-model'
import type { EpochDay } from '@tradewright/core/time'

export interface ReplayPayload {
  readonly request: BacktestRequest
  readonly data: MarketData
  readonly model: Uint8Array | undefined
  /** The day on which the deployment first traded. */
  readonly from: EpochDay
}

/** A compute task: the backtest of the days that a deployment lived, decided by the very model that it trades by. */
export async function run({ request, data, model, from }: ReplayPayload): Promise<{ at: number; growth: number }[]> {
  const stored = model && loadModel(model)
  const learn = async ({ columns, predictRows, wantsImportances }: LearningJob) => ({
    probabilities: stored!.predict(columns, predictRows),
    importances: wantsImportances ? stored!.importances() : undefined,
  })
  const { curve } = await runBacktest(planBacktest(request), data, stored && learn)
  const first = curve.days.findIndex((day) => day >= from)
  if (first < 0) return []
  const base = curve.values[first]!
  return Array.from(curve.timestamps.subarray(first), (at, i) => ({ at, growth: curve.values[first + i]! / base }))
}
