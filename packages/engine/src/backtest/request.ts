import type { BacktestSettings } from '@tradewright/core/backtest-settings'
import type { ReceivedSignal, SignalBounds } from '@tradewright/core/external-signal'
import type { RulesTree } from '@tradewright/core/rules/tree'
import type { EpochDay } from '@tradewright/core/time'
import type { Selection } from '../features/catalogue.ts'
import { defaultWindowPercentages, type WindowPercentages } from '../models/splits.ts'
import type { AllocationRow } from '../trading/allocation.ts'
import type { StopRule } from '../trading/position-stops.ts'

export { type BacktestSettings, defaultSettings } from '@tradewright/core/backtest-settings'

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

/** Whether consumer prices decide anything. */
export const needsPriceIndex = ({ adjustInflation, cashflow, cashflowKind }: BacktestSettings): boolean =>
  adjustInflation || (cashflow !== 0 && cashflowKind === 'inflation')

/** The stop of every position; undefined where there is none. */
export const stopOf = ({ stopType, stopPct }: Pick<BacktestSettings, 'stopType' | 'stopPct'>): StopRule | undefined =>
  stopType !== undefined && stopPct !== undefined ? { type: stopType, pct: stopPct } : undefined

export interface BacktestRequest extends BacktestSettings {
  readonly strategy: AllocationStrategy | MlStrategy | RulesStrategy | ExternalStrategy
}

/** The fixed percentages of a strategy: what it holds, or of a model what it holds on Buy and on Sell. Rules have none. */
export const fixedRows = <Kind extends Strategy['kind']>(
  strategy: Extract<Strategy, { kind: Kind }>,
): readonly (readonly AllocationRow[])[] => FIXED_ROWS[strategy.kind](strategy)

type Strategy = BacktestRequest['strategy']
const FIXED_ROWS: {
  readonly [Kind in Strategy['kind']]: (
    strategy: Extract<Strategy, { kind: Kind }>,
  ) => readonly (readonly AllocationRow[])[]
} = {
  allocation: ({ allocation }) => [allocation],
  ml: ({ buy, sell }) => [buy, sell],
  rules: () => [],
  external: ({ allocations }) => allocations.map(({ rows }) => rows),
}

/** Exchanges were never closed for longer than a week (September 2001). */
const CLOSE_BEFORE_DAYS = 10

/** The first day whose prices a run may trade at. */
export const firstPricedDay = ({ from, includeFirstReturn }: BacktestSettings): EpochDay =>
  includeFirstReturn ? from - CLOSE_BEFORE_DAYS : from

export const defaultMl = { trainPct: 70, walkForward: undefined, defaultWindows: defaultWindowPercentages } as const
