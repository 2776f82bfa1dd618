import type { UtcMillis } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { type LiveSignal, signalNow } from '@tradewright/engine/live/signal-now'

export interface FixedSignalsPayload {
  readonly data: MarketData
  readonly questions: readonly { readonly request: BacktestRequest; readonly at: UtcMillis }[]
}

/** A compute task: what strategies of fixed percentages want now, all of the same data. */
export const run = ({ data, questions }: FixedSignalsPayload): LiveSignal[] =>
  questions.map(({ request, at }) => signalNow(planBacktest(request), data, [], at))
