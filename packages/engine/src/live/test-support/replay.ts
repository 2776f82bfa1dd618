import type { MarketData } from '../../backtest/market-data.ts'
import type { BacktestPlan } from '../../backtest/plan.ts'
import { explainedReplay } from '../drift-causes.ts'
import type { Replayed, ReplayPoint } from '../replay.ts'

/** The points of a replay, without the causes of its drift. */
export const replay = (plan: BacktestPlan, data: MarketData, replayed: Replayed): readonly ReplayPoint[] =>
  explainedReplay(plan, data, { ...replayed, decisions: [], orders: [] }).points
