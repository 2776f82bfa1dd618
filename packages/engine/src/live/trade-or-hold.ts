import type { EpochDay } from '@tradewright/core/time'
import type { TradingCalendar } from '../market/calendar/trading-calendar.ts'
import type { Holdings } from '../trading/holdings.ts'
import { isOutsideBand } from '../trading/rebalance-band.ts'
import { periodEnds, type RebalanceFrequency } from '../trading/rebalance-calendar.ts'

/** The last trade of a deployment, as far as the next decision depends on it. */
export interface LastTrade {
  /** The signal that was traded; undefined for a strategy without signals. */
  readonly signal: number | undefined
  readonly day: EpochDay
  /** False while some of its orders did not come through. */
  readonly isComplete: boolean
  /** All that had been contributed by then, as a decimal; absent in trades of earlier versions. */
  readonly contributions?: string
}

interface HoldRules {
  readonly rebalanceFrequency: RebalanceFrequency
  /** Percentage points; 0 is none. */
  readonly thresholdPct: number
}

interface TradeQuestion {
  readonly signal: number | undefined
  readonly last: LastTrade | undefined
  /** All that has been contributed, as a decimal. */
  readonly contributions: string
  readonly today: EpochDay
  readonly calendar: TradingCalendar
  readonly rules: HoldRules
  /** In the order of the holdings. */
  readonly weights: Float64Array
  readonly holdings: Holdings
  readonly prices: Float64Array
}

export interface TradeAnswer {
  readonly trades: boolean
  /** As a sentence. */
  readonly reason: string
}

/**
 * The backtest's rules: trade when the signal changes, at the end of a rebalance period, and outside the band; money
 * that was paid in is spread over the weights at once.
 */
export function tradeOrHold(question: TradeQuestion): TradeAnswer {
  const { signal, last, rules } = question
  if (!last) return { trades: true, reason: 'The deployment is not invested yet.' }
  if (!last.isComplete) return { trades: true, reason: 'The last decision was not carried out completely.' }
  if (signal !== last.signal) return { trades: true, reason: `The signal changed to ${signal === 1 ? 'Buy' : 'Sell'}.` }
  if ((last.contributions ?? question.contributions) !== question.contributions) {
    return { trades: true, reason: 'A contribution is not invested yet.' }
  }
  if (isRebalanceDue(question)) return { trades: true, reason: `The ${rules.rebalanceFrequency} rebalance is due.` }
  if (
    rules.thresholdPct > 0 &&
    isOutsideBand(question.weights, question.holdings, question.prices, rules.thresholdPct)
  ) {
    return { trades: true, reason: `A weight is more than ${rules.thresholdPct} percentage points off its target.` }
  }
  return { trades: false, reason: 'The signal is unchanged and no rebalance is due.' }
}

/** A period ended since the last trade, today included: the session before whose close this is decided. */
function isRebalanceDue({ last, today, calendar, rules }: TradeQuestion): boolean {
  if (!last || last.day >= today) return false
  const sessions = Int32Array.from([last.day, ...calendar.sessionsBetween(last.day + 1, today + 1)])
  return periodEnds(sessions, rules.rebalanceFrequency, calendar.nextSession(today)).includes(1)
}
