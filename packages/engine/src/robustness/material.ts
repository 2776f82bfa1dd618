import type { FillTiming } from '@tradewright/core/backtest-settings'
import type { Column } from '@tradewright/core/column'
import { shared, sharedBytes } from '@tradewright/core/shared-columns'
import { withColumns } from '../trading/price-table.ts'
import type { AccountConditions } from '../backtest/account-run.ts'
import type { ModelChoice } from '../models/settings.ts'

/** What a strategy decided at each bar of its run, so that it can be traded again under other conditions. */
export interface DecisionTape {
  /** By bar: the place in `weights`, or -1 where nothing was decided. */
  readonly decisions: Int32Array
  /** Target weights by ticker; what is missing to 1 is cash. */
  readonly weights: readonly Float64Array[]
}

/** The same strategy with something changed. */
export interface VariedTape {
  readonly label: string
  readonly tape: DecisionTape
}

/** What a reader compares the strategy with. */
interface ComparedCurve {
  readonly name: string
  /** What one dollar became by each bar of the run; NaN where it has no price yet. */
  readonly growth: Column
}

/**
 * All that the checks read: prices, decisions and yardsticks of one run. Plain data with its columns on shared memory, so
 * that any thread can run any part of a check.
 */
export interface BoardMaterial {
  readonly kind: 'allocation' | 'ml' | 'rules' | 'external'
  /** Prices of a traded ticker come from the sample market. */
  readonly isSynthetic: boolean
  /** Conditions at the traded bars. Cash flows are left out: they do not change a time-weighted return. */
  readonly conditions: AccountConditions
  readonly tape: DecisionTape
  readonly fillTiming: FillTiming
  /** Whether the calendar of the settings brings the account back to its weights. */
  readonly rebalances: boolean
  /** What a strategy that times the market is compared with; undefined for fixed percentages. */
  readonly holding: { readonly name: string; readonly weights: Float64Array } | undefined
  /** Return of each step between two bars that was free of risk. */
  readonly riskFree: Column | undefined
  readonly reference: ComparedCurve | undefined
  /** By bar: dollars of the first day per dollar; undefined where no price index is at hand. */
  readonly priceDeflator: Column | undefined
  /** As the settings of the run had them, for the simulation of the future. */
  readonly flows: {
    readonly amount: number
    readonly frequency: 'yearly' | 'monthly' | 'quarterly'
    readonly kind: 'dollars' | 'percent' | 'inflation'
  }
  readonly neighbours: readonly VariedTape[]
  /** What a model learned from, to be learned again; undefined where nothing was learned. */
  readonly learning?: LearningMaterial | undefined
  /** Checked so many sessions later, for rules, whose decisions depend on it. */
  readonly laterChecks: readonly VariedTape[]
}

/** Over the whole period of the run, its training included. */
export interface LearningMaterial {
  readonly model: ModelChoice
  /** Bars that a label looks ahead. */
  readonly horizon: number
  readonly columns: readonly Float64Array[]
  /** By bar; -1 where it is not known. */
  readonly labels: Int8Array
  /** Bars at which every feature has a value. */
  readonly usableRows: Int32Array
  readonly weights: Readonly<Record<0 | 1, Float64Array>>
  readonly conditions: AccountConditions
  readonly riskFree: Column | undefined
}

/** How many paths, resamples and the like the checks draw. */
export interface BoardEffort {
  readonly paths: number
  readonly resamples: number
  readonly permutations: number
  /** Groups of bars for cross-validation; two are tested at a time. */
  readonly groups: number
}

export const FULL_EFFORT: BoardEffort = { paths: 10_000, resamples: 2_000, permutations: 500, groups: 8 }

/** Makes its columns visible to every thread. */
export function shareMaterial(material: BoardMaterial): BoardMaterial {
  const { learning } = material
  const tapes = new Map<Float64Array, Float64Array>()
  return {
    ...material,
    conditions: sharedConditions(material.conditions),
    tape: sharedTape(material.tape, tapes),
    riskFree: own(material.riskFree),
    reference: material.reference && { ...material.reference, growth: shared(material.reference.growth) },
    priceDeflator: own(material.priceDeflator),
    neighbours: material.neighbours.map((one) => ({ ...one, tape: sharedTape(one.tape, tapes) })),
    laterChecks: material.laterChecks.map((one) => ({ ...one, tape: sharedTape(one.tape, tapes) })),
    learning: learning && {
      ...learning,
      columns: learning.columns.map(shared),
      labels: sharedBytes(learning.labels),
      usableRows: sharedWholes(learning.usableRows),
      conditions: sharedConditions(learning.conditions),
      riskFree: own(learning.riskFree),
    },
  }
}

const own = (column: Column | undefined) => column && shared(column)

function sharedConditions(conditions: AccountConditions): AccountConditions {
  const { prices } = conditions.table
  return {
    ...conditions,
    table: {
      ...conditions.table,
      prices: { ...withColumns(prices, shared), days: sharedWholes(prices.days) },
    },
    deflator: own(conditions.deflator),
    flowDeflator: undefined,
    borrowingCosts: own(conditions.borrowingCosts),
  }
}

function sharedTape({ decisions, weights }: DecisionTape, known: Map<Float64Array, Float64Array>): DecisionTape {
  const own = (column: Float64Array) => {
    const copy = known.get(column) ?? shared(column)
    known.set(column, copy)
    return copy
  }
  return { decisions: sharedWholes(decisions), weights: weights.map(own) }
}

function sharedWholes(column: Int32Array): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(column.byteLength))
  copy.set(column)
  return copy
}
