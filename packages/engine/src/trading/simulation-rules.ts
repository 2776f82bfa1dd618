import type { FillTiming } from '@tradewright/core/backtest-settings'
import type { TradingCosts } from './costs.ts'
import type { Holdings } from './holdings.ts'
import type { Maintenance } from './margin.ts'
import type { StopRule } from './position-stops.ts'
import type { Trade } from './trade-log.ts'

/** What trades of one ticker at one bar really were, where that is known. */
export interface Executed {
  /** Undefined: the quoted one, with the slippage of the costs. */
  readonly price: number | undefined
  /** A fraction of the traded value. */
  readonly feeShare: number
}

/** The rules of one simulated account. Columns are per bar of the price table. */
export interface SimulationRules {
  readonly startValue: number
  /** The target weights decided at the close of a bar, or undefined to leave things as they are. */
  readonly decide: (bar: number) => Float64Array | undefined
  /** 1 at the bars at which `decide` may answer: it is not asked at others. Undefined: it is asked at every bar. */
  readonly decisionBars?: Uint8Array
  readonly fillTiming: FillTiming
  readonly costs: TradingCosts
  /** In place of the costs, by bar and column of the price table. */
  readonly executed?: (bar: number, ticker: number) => Executed | undefined
  readonly wholeShares?: boolean
  /** Money paid in (or, negative, out) at the close of each bar. */
  readonly flows?: Float64Array
  /** Paid in (or, negative, out) at the close of each bar, as a share of the balance then. */
  readonly flowShares?: Float64Array
  /** 1 where the account is brought back to its target weights at the close. */
  readonly rebalances?: Uint8Array
  /** Also brought back whenever a weight is off by more than so many percentage points. */
  readonly bandPct?: number
  /** The cost of one borrowed dollar over each bar. */
  readonly borrowingCosts?: Float64Array
  /** What borrowed shares cost over a bar, as a share of their value at the bar before. */
  readonly shortCost?: number
  /** In its place: what borrowed shares really cost at each bar, as a share of what it started with. */
  readonly shortCharges?: Float64Array
  /** Closes a position that falls so far, until the next decision or rebalance; needs lows and highs to see it within a bar. */
  readonly stop?: StopRule
  /** What positions must be covered by; below it some are sold at the next price. Undefined: nothing is asked for. */
  readonly maintenance?: Maintenance
}

/** Positions that were sold because the account did not cover what they require. */
export interface ForcedSale {
  /** At whose close the account was below the requirement; it was sold at the opening of the next bar. */
  readonly bar: number
  /** What changed hands. */
  readonly value: number
}

/** A position that its stop closed. */
export interface StopSale {
  readonly bar: number
  readonly ticker: string
  readonly stop: number
  /** Worse than the stop where the bar began beyond it. */
  readonly price: number
}

/** One value per bar. */
export interface SimulationColumns {
  /** The account's value at each close, after everything that happened at it. */
  readonly values: Float64Array
  readonly cash: Float64Array
  /** Value of the positions over value of the account. */
  readonly exposure: Float64Array
  /** Growth of one dollar without the flows: the time-weighted curve. Its first entry has paid the first costs. */
  readonly growth: Float64Array
  /** The amounts really paid in or out: a withdrawal cannot take more than there is. */
  readonly flows: Float64Array
}

export interface SimulationResult extends SimulationColumns {
  readonly dividends: number
  readonly interest: number
  readonly trades: readonly Trade[]
  /** The account at the end. */
  readonly holdings: Holdings
  /** The bar at which nothing was left; the account stays at zero from then on. */
  readonly wipedOutAt: number | undefined
  /** Why nothing was left. */
  readonly wipedOutBy: 'loss' | 'withdrawal' | undefined
  readonly forcedSales: readonly ForcedSale[]
  readonly stopSales: readonly StopSale[]
}

export const emptyColumns = (bars: number): SimulationColumns => ({
  values: new Float64Array(bars),
  cash: new Float64Array(bars),
  exposure: new Float64Array(bars),
  growth: new Float64Array(bars),
  flows: new Float64Array(bars),
})
