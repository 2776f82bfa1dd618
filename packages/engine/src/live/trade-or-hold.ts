import type { RebalanceFrequency } from '@tradewright/core/backtest-settings'
import { targetName } from '@tradewright/core/external-signal'
import { type EpochDay, epochDayOf, formatDate } from '@tradewright/core/time'
import type { KnownSignal } from '../backtest/external-backtest.ts'
import type { TradingCalendar } from '../market/trading-calendar.ts'
import type { RebalanceReason } from '../rules/evaluator.ts'
import type { Holdings } from '../trading/holdings.ts'
import { isOutsideBand } from '../trading/rebalance-band.ts'
import { periodEnds } from '../trading/rebalance-calendar.ts'
import { type RulesMemory, wantedTrade } from './rules-follower.ts'

/** The last trade of a deployment, as far as the next decision depends on it. */
export interface LastTrade {
  /** The signal that was traded; undefined for a strategy without signals. */
  readonly signal: number | undefined
  readonly day: EpochDay
  /** False while some of its orders did not come through. */
  readonly isComplete: boolean
  /** Tickers that cannot be traded now, where they are all that it lacks; absent where it lacks anything else. */
  readonly waitsFor?: readonly string[]
  /** For a rule strategy: the trade that was carried out, as `wantedTrade` names it. */
  readonly rules?: string
  /** For signals from outside: the key of the target that was traded. */
  readonly external?: string
  /** All that had been contributed by then, as a decimal; absent in trades of earlier versions. */
  readonly contributions?: string
  /** Only its orders are known, from the broker: what signal was traded is not. */
  readonly isAdopted?: true
  /** Why the next decision trades whatever the rest says, as a sentence: a user asked for it. */
  readonly asked?: string
}

interface HoldRules {
  readonly rebalanceFrequency: RebalanceFrequency
  /** Percentage points; 0 is none. */
  readonly thresholdPct: number
}

interface TradeQuestion {
  readonly signal: number | undefined
  readonly last: LastTrade | undefined
  /** The states of a rule strategy; undefined for others. */
  readonly memory: RulesMemory | undefined
  /** The signal from outside that counts; undefined for other strategies. */
  readonly external?: KnownSignal | undefined
  /** All that has been contributed, as a decimal. */
  readonly contributions: string
  readonly today: EpochDay
  readonly calendar: TradingCalendar
  readonly rules: HoldRules
  /** In the order of the holdings. */
  readonly weights: Float64Array
  readonly holdings: Holdings
  readonly prices: Float64Array
  /** Tickers that cannot be traded now, or are held back, with those of `weights` that they are; absent where there are none. */
  readonly blocked?: { readonly tickers: ReadonlySet<string>; readonly rows: readonly boolean[] } | undefined
}

export interface TradeAnswer {
  readonly trades: boolean
  /** As a sentence. */
  readonly reason: string
  /** The strategy wants something else than before, or its calendar says so: what a user left out is wanted again. */
  readonly isNew?: true
  /** The calendar alone says so. */
  readonly isCalendar?: true
}

/**
 * The backtest's rules: trade when the signal changes, at the end of a rebalance period, and outside the band; money
 * that was paid in is spread over the weights at once. A strategy of rules trades when a check wants it to.
 */
export function tradeOrHold(question: TradeQuestion): TradeAnswer {
  const { last, rules, memory } = question
  if (!last) return { trades: true, reason: 'The deployment is not invested yet.' }
  if (last.asked !== undefined) return { trades: true, reason: last.asked }
  const isWaiting = !last.isComplete && waits(question, last)
  const changed = last.isAdopted ? farFromTarget(question) : changedSignal(question, last)
  if (changed !== undefined) return { trades: true, reason: changed, isNew: true }
  if (!last.isComplete && !isWaiting)
    return { trades: true, reason: 'The last decision was not carried out completely.' }
  if ((last.contributions ?? question.contributions) !== question.contributions) {
    return { trades: true, reason: 'A contribution is not invested yet.' }
  }
  if (memory && isWaiting) return { trades: false, reason: `${last.waitsFor!.join(', ')} cannot be traded now.` }
  if (memory) return { trades: false, reason: 'No check since the last trade changed the weights of a block.' }
  if (isRebalanceDue(question))
    return { trades: true, reason: `The ${rules.rebalanceFrequency} rebalance is due.`, isNew: true, isCalendar: true }
  const rest = isWaiting ? withoutBlocked(question) : question
  if (rules.thresholdPct > 0 && isOutsideBand(rest.weights, rest.holdings, rest.prices, rules.thresholdPct)) {
    return { trades: true, reason: `A weight is more than ${rules.thresholdPct} percentage points off its target.` }
  }
  const unchanged = 'The signal is unchanged and no rebalance is due.'
  return {
    trades: false,
    reason: isWaiting ? `${last.waitsFor!.join(', ')} cannot be traded now. ${unchanged}` : unchanged,
  }
}

/** Whether all that the last decision lacks still cannot be traded: the rest is not rebalanced again for it. */
const waits = ({ blocked }: TradeQuestion, { waitsFor }: LastTrade): boolean =>
  waitsFor !== undefined && waitsFor.length > 0 && waitsFor.every((ticker) => blocked?.tickers.has(ticker))

/** What can be traded, with its weights in what the account is worth without the rest. */
function withoutBlocked({ weights, holdings, prices, blocked }: TradeQuestion) {
  const kept = [...weights.keys()].filter((row) => !blocked!.rows[row])
  const pick = (values: Float64Array) => Float64Array.from(kept, (row) => values[row]!)
  const sum = pick(weights).reduce((total, weight) => total + weight, 0)
  const all = weights.reduce((total, weight) => total + weight, 0)
  return {
    weights: pick(weights).map((weight) => (sum > 0 ? (weight / sum) * all : weight)),
    holdings: { cash: holdings.cash, quantities: pick(holdings.quantities) },
    prices: pick(prices),
  }
}

function changedSignal({ signal, memory, external }: TradeQuestion, last: LastTrade): string | undefined {
  if (signal !== last.signal) return `The signal changed to ${signal === 1 ? 'Buy' : 'Sell'}.`
  if (external && last.external !== external.key) return `The signal changed to ${targetName(external.target)}.`
  return memory && last.rules !== wantedTrade(memory) ? tradeReason(memory) : undefined
}

/** Percentage points: between two signals the weights differ by more, and by less they drift between two trades. */
const ADOPTED_BAND = 5

/** The signal that was traded last is not known: what is held tells whether it was this one. */
function farFromTarget(question: TradeQuestion): string | undefined {
  const { signal, memory, external, rules, weights, holdings, prices } = question
  const hasSignal = signal !== undefined || memory !== undefined || external !== undefined
  const band = Math.max(rules.thresholdPct, ADOPTED_BAND)
  return hasSignal && isOutsideBand(weights, holdings, prices, band)
    ? `What is held is more than ${band} percentage points off the target.`
    : undefined
}

const WHY = {
  entered: 'entered',
  check: 'at every check',
  calendar: 'by its calendar',
  band: 'outside its band',
  change: 'changed',
} as const satisfies Record<RebalanceReason, string>

function tradeReason({ trade }: RulesMemory): string {
  if (!trade) return 'The strategy was changed, and its rules have had no check yet.'
  const blocks = trade.blocks.map(({ id, reason }) => `${id} (${WHY[reason]})`).join(', ')
  return `The check of ${formatDate(epochDayOf(trade.bar))} divided anew: ${blocks || 'nothing'}.`
}

/** A period ended since the last trade, today included: the session before whose close this is decided. */
function isRebalanceDue({ last, today, calendar, rules }: TradeQuestion): boolean {
  if (!last || last.day >= today) return false
  const sessions = Int32Array.from([last.day, ...calendar.sessionsBetween(last.day + 1, today + 1)])
  return periodEnds(sessions, rules.rebalanceFrequency, calendar.nextSession(today)).includes(1)
}
