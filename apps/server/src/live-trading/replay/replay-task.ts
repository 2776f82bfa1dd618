import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { explainedReplay, type Lived } from '@tradewright/engine/live/drift-causes'
import { versionsOf } from '../signals/model-versions.ts'
import type { ModelBytes } from '../ports/signal-service.ts'

/** What a deployment lived, as it travels to a thread. */
export interface ReplayQuestion extends Omit<Lived, 'models'> {
  readonly request: BacktestRequest
  readonly models: readonly ModelBytes[]
}

/** A compute task: what a backtest of the days that a deployment lived would have made, and why it made something else. */
export const run = ({ request, data, models, ...lived }: ReplayQuestion & { readonly data: MarketData }) =>
  explainedReplay(planBacktest(request), data, { ...lived, models: versionsOf(models) })
