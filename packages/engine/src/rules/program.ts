import type { CheckFrequency, PickWeights, Rebalance, Tolerance } from '@tradewright/core/rules/tree'
import type { PlannedFeature } from '../features/catalogue.ts'

/** A tree that is ready to be evaluated: names are replaced by places in lists, and used blocks are written out. */
export interface RulesProgram {
  readonly check: CheckFrequency
  /** What the columns of the inputs are, each once. */
  readonly features: readonly PlannedFeature[]
  /** Tickers that may be held, without CASHX, in the order in which the tree names them. */
  readonly tickers: readonly string[]
  /** The tickers among these that a block sells short. */
  readonly shortTickers: readonly string[]
  /** By ticker: the column of its closes. */
  readonly priceColumns: readonly number[]
  /** Conditions inside others come first. */
  readonly conditions: readonly ProgramCondition[]
  readonly root: ProgramNode
  /** How many nodes of each kind with state there are. */
  readonly sleeves: readonly Sleeve[]
  readonly forks: readonly Fork[]
  /** The place of the cash ticker; -1 for CASHX. */
  readonly cash: number
}

/** A number, or columns times numbers added up. */
export interface ProgramOperand {
  readonly constant: number
  readonly terms: readonly { readonly column: number; readonly times: number }[]
}

interface Stated {
  /** The id, and what tells copies of it apart: `rises/SPY` of a pick's member, `again/bills` of a used block. */
  readonly key: string
  readonly id: string
}

export type ProgramCondition = Stated &
  (
    | {
        readonly kind: 'compare'
        readonly left: ProgramOperand
        readonly right: ProgramOperand
        /** 1 for above, -1 for below. */
        readonly direction: 1 | -1
        readonly tolerance: Tolerance | undefined
      }
    | { readonly kind: 'all'; readonly of: readonly number[] }
    | { readonly kind: 'any'; readonly of: readonly number[] }
    | { readonly kind: 'not'; readonly of: number }
    | { readonly kind: 'streak'; readonly of: number; readonly checks: number }
    | { readonly kind: 'latch'; readonly enter: number; readonly exit: number }
  )

export type ProgramNode = { readonly kind: 'cash' } | Fork | Sleeve

/** An `if`. */
export interface Fork extends Stated {
  readonly kind: 'fork'
  /** The fork's place in `forks`. */
  readonly place: number
  readonly condition: number
  readonly yes: ProgramNode
  readonly no: ProgramNode
}

/** A block that divides its money: `hold`, `pick` or `group`. */
export interface Sleeve extends Stated {
  readonly kind: 'sleeve'
  /** The sleeve's place in `sleeves`. */
  readonly place: number
  /** Tickers by their place (-1 for CASHX), or blocks. */
  readonly parts: readonly (number | ProgramNode)[]
  readonly rest: ProgramNode
  readonly rebalance: Rebalance
  readonly division: FixedDivision | PickDivision
}

interface FixedDivision {
  readonly kind: 'fixed'
  /** By part; they add up to 1 at most. */
  readonly weights: readonly number[]
}

export interface PickDivision {
  readonly kind: 'pick'
  readonly members: readonly PickMember[]
  /** Undefined: all members, in the order of the list. */
  readonly order: 'top' | 'bottom' | undefined
  readonly places: number
  readonly weights: PickWeights
  readonly spreads: boolean
  /** Columns of what weights by risk need. */
  readonly risk: RiskColumns | undefined
  readonly volatilityTarget: (RiskColumns & { readonly volatility: number }) | undefined
}

interface PickMember {
  /** The place in `conditions` of what says whether the member may be held; undefined: none is asked. */
  readonly eligible: number | undefined
  readonly keep: number | undefined
  readonly score: ProgramOperand | undefined
}

export interface RiskColumns {
  /** The column of each member's volatility. */
  readonly volatilities: readonly number[]
  /** The column of each pair's correlation, by `pairOf`; empty where no pair is needed. */
  readonly correlations: ReadonlyMap<number, number>
}

/** The key of a pair in `correlations`. */
export const pairOf = (a: number, b: number, members: number): number => Math.min(a, b) * members + Math.max(a, b)
