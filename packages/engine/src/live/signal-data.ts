import { isFixed, receivesSignals } from '@tradewright/core/strategy-kinds'
import { isIntraday } from '@tradewright/core/granularity'
import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import type { BacktestPlan } from '../backtest/plan.ts'
import type { BacktestRequest } from '../backtest/request.ts'
import { isMadeOfRates, type RequiredSeries, requiredSeries } from '../backtest/required-series.ts'

/** Longer than any exchange was closed, so that there is a newest bar to find. */
const RECENT_DAYS = { daily: 45, intraday: 10 } as const

/**
 * The part of a run's data that a signal needs. Fixed percentages are decided by the newest prices, so years of history
 * are not read for them; features and rules with memory go back to a start that never moves.
 */
export function signalRequest(request: BacktestRequest, at: UtcMillis): BacktestRequest {
  const own = { ...request, referenceTicker: undefined, riskFreeTicker: undefined, adjustInflation: false, cashflow: 0 }
  // What became of a ticker that ended is told by its last prices, however long ago they were.
  const carriesOn = request.endedTicker === 'cash' || request.endedTicker === 'replace'
  if (!decidesByNewest(request.strategy.kind) || carriesOn) return own
  const days = isIntraday(request.granularity) ? RECENT_DAYS.intraday : RECENT_DAYS.daily
  return { ...own, from: Math.max(request.from, epochDayOf(at) - days) }
}

/** Nothing of the past decides: fixed percentages, and those that a signal from outside names. */
const decidesByNewest = (kind: BacktestRequest['strategy']['kind']): boolean =>
  isFixed({ kind }) || receivesSignals({ kind })

/** Rates only where a price is made of them: what they say of a result is nothing to a signal. */
export function signalSeries(plan: BacktestPlan): RequiredSeries[] {
  const wantsRates = !decidesByNewest(plan.strategy.kind) || plan.tradedTickers.some(isMadeOfRates)
  return requiredSeries(plan).filter(({ purpose }) => purpose !== 'rates' || wantsRates)
}
