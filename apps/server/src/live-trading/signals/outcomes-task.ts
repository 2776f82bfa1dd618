import type { UtcMillis } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { outcomesAt } from '@tradewright/engine/live/outcomes'

export interface OutcomesQuestion {
  readonly request: BacktestRequest
  readonly bars: readonly UtcMillis[]
}

/** A compute task: what became of predictions. */
export const run = ({ request, bars, data }: OutcomesQuestion & { readonly data: MarketData }): (boolean | null)[] =>
  outcomesAt(planBacktest(request), data, bars)
