import type { ReceivedSignal, SignalBounds } from '@tradewright/core/external-signal'
import type { Granularity } from '@tradewright/core/granularity'
import type { RulesTree } from '@tradewright/core/rules/tree'
import type { EpochDay } from '@tradewright/core/time'
import type { Selection } from '../features/catalogue.ts'
import { defaultWindowPercentages, type WindowPercentages } from '../models/splits.ts'
import type { AllocationRow } from '../trading/allocation.ts'
import { DEFAULT_COST_BPS } from '../trading/costs.ts'
import type { FillTiming } from '../trading/fill-timing.ts'
import type { MaintenanceMargin } from '../trading/margin.ts'
import type { StopRule, StopType } from '../trading/position-stops.ts'
import type { RebalanceFrequency } from '../trading/rebalance-calendar.ts'

/** Holds fixed percentages. Predicts nothing. */
interface AllocationStrategy {
  readonly kind: 'allocation'
  readonly allocation: readonly AllocationRow[]
}

/** Predicts a target, and holds one allocation or the other according to it. */
export interface MlStrategy {
  readonly kind: 'ml'
  /** First part of the rows, in percent; not used with walk-forward. */
  readonly trainPct: number
  readonly walkForward: WindowPercentages | undefined
  readonly features: readonly Selection[]
  readonly target: Selection
  /** Held while the signal is 1. */
  readonly buy: readonly AllocationRow[]
  /** Held while it is 0; no rows are cash. */
  readonly sell: readonly AllocationRow[]
}

/** Holds what a tree of rules says: docs/rules.md. */
export interface RulesStrategy {
  readonly kind: 'rules'
  readonly tree: RulesTree
}

/** Holds what the last signal from outside says, within a list of allocations: docs/external-signals.md. */
export interface ExternalStrategy extends SignalBounds {
  readonly kind: 'external'
  /** Received ones, oldest first. A deployment fills in those that it knows when it decides. */
  readonly signals: readonly ReceivedSignal[]
}

/** What becomes of a traded ticker whose prices end before those of the others. */
export const endedTickerChoices = ['stop', 'cash', 'replace'] as const
export type EndedTickerChoice = (typeof endedTickerChoices)[number]

/**
 * What a cash flow is counted in: dollars (those of the start where inflation is adjusted for), percent of the account's
 * balance at that close, or dollars of the start that grow with consumer prices while results stay in dollars as they were.
 */
export const cashflowKinds = ['dollars', 'percent', 'inflation'] as const
type CashflowKind = (typeof cashflowKinds)[number]

/** Whether consumer prices decide anything. */
export const needsPriceIndex = ({ adjustInflation, cashflow, cashflowKind }: BacktestSettings): boolean =>
  adjustInflation || (cashflow !== 0 && cashflowKind === 'inflation')

export interface BacktestSettings {
  /** First and last session date, both included. */
  readonly from: EpochDay
  readonly to: EpochDay
  /**
   * An allocation is invested at the close before `from`, so that the first session's return counts, as in most printed
   * tables. Else it is invested at the first close. An ML strategy begins with its first prediction either way.
   */
  readonly includeFirstReturn: boolean
  readonly granularity: Granularity
  readonly startValue: number
  /** Paid in (or, negative, out) at the end of each period, in the unit of its kind. */
  readonly cashflow: number
  readonly cashflowFrequency: 'yearly' | 'monthly' | 'quarterly'
  /** Absent: dollars. */
  readonly cashflowKind?: CashflowKind
  readonly adjustInflation: boolean
  readonly reinvestDividends: boolean
  readonly referenceTicker: string | undefined
  readonly rebalanceFrequency: RebalanceFrequency
  readonly rebalanceBandPct: number | undefined
  readonly tradingCostBps: number
  readonly commission: number
  /** Half of the distance of bid and ask, which each trade pays beside the cost; absent: 0. */
  readonly halfSpreadBps?: number
  /** Times the square-root law of market impact: 1 is usual, 0 or absent charges none. */
  readonly impactFactor?: number
  /** When decisions by a model or by rules are filled; allocations trade at closes. */
  readonly fillTiming: FillTiming
  readonly seed: number
  /** What borrowed shares cost, in percent of their value a year; absent: there are no short positions. */
  readonly shortBorrowPct?: number | undefined
  /** Closes a position that falls by so many percent; absent or without a percentage: nothing does. */
  readonly stopType?: StopType
  readonly stopPct?: number
  /** What positions on borrowed money or shares must be covered by; absent in earlier requests: nothing was asked for. */
  readonly maintenanceMargin?: MaintenanceMargin
  /** Whose returns count as free of risk; undefined is the 3-month T-bill where its rate is at hand. */
  readonly riskFreeTicker: string | undefined
  /** Real and synthetic prices may be traded in one run. */
  readonly allowMixedPrices: boolean
  /** What becomes of a traded ticker whose prices end before those of the others. */
  readonly endedTicker: EndedTickerChoice
  /** What is held in its place, of `replace`. */
  readonly replacementTicker: string | undefined
  /** What a ticker that ended still changed by after its last price, in percent of it: -100 is a total loss. Absent: 0. */
  readonly delistingReturnPct?: number
}

/** Undefined where positions have none. */
export const stopOf = ({ stopType, stopPct }: Pick<BacktestSettings, 'stopType' | 'stopPct'>): StopRule | undefined =>
  stopType !== undefined && stopPct !== undefined ? { type: stopType, pct: stopPct } : undefined

export interface BacktestRequest extends BacktestSettings {
  readonly strategy: AllocationStrategy | MlStrategy | RulesStrategy | ExternalStrategy
}

/** The fixed percentages of a strategy: what it holds, or of a model what it holds on Buy and on Sell. Rules have none. */
export function fixedRows(strategy: BacktestRequest['strategy']): readonly (readonly AllocationRow[])[] {
  if (strategy.kind === 'rules') return []
  if (strategy.kind === 'external') return strategy.allocations.map(({ rows }) => rows)
  return strategy.kind === 'ml' ? [strategy.buy, strategy.sell] : [strategy.allocation]
}

/** Initial values of the forms, apart from the dates. */
export const defaultSettings: Omit<BacktestSettings, 'from' | 'to'> = {
  includeFirstReturn: false,
  granularity: '1d',
  startValue: 10_000,
  cashflow: 0,
  cashflowFrequency: 'yearly',
  cashflowKind: 'dollars',
  adjustInflation: false,
  reinvestDividends: true,
  referenceTicker: undefined,
  rebalanceFrequency: 'yearly',
  rebalanceBandPct: undefined,
  tradingCostBps: DEFAULT_COST_BPS,
  commission: 0,
  halfSpreadBps: 0,
  impactFactor: 0,
  fillTiming: 'next_open',
  seed: 42,
  shortBorrowPct: undefined,
  maintenanceMargin: 'us',
  riskFreeTicker: undefined,
  allowMixedPrices: false,
  endedTicker: 'stop',
  replacementTicker: undefined,
  delistingReturnPct: 0,
}

/** Exchanges were never closed for longer than a week (September 2001). */
const CLOSE_BEFORE_DAYS = 10

/** The first day whose prices a run may trade at. */
export const firstPricedDay = ({ from, includeFirstReturn }: BacktestSettings): EpochDay =>
  includeFirstReturn ? from - CLOSE_BEFORE_DAYS : from

export const defaultMl = { trainPct: 70, walkForward: undefined, defaultWindows: defaultWindowPercentages } as const
