import type { Column } from '@tradewright/core/column'
import type { FeatureBars } from './feature-bars.ts'
import { type ParameterDefinition, type ParameterValues, tickerParameter } from './parameters.ts'

/** 1 when it happened, 0 when not, null while it cannot be known yet. Never 0 for unknown. */
export type Label = 0 | 1 | null

interface TargetInput {
  /** The bars of the simulation's rows. */
  readonly bars: FeatureBars
  readonly other: FeatureBars | undefined
}

/** A prediction target. Targets look ahead by design: the label of row t is known at row t + horizon. */
export interface Target {
  /** Stands on the wire and in saved strategies: never changed, never used again. */
  readonly id: number
  readonly key: string
  readonly name: string
  readonly description: string
  readonly parameters: readonly ParameterDefinition[]
  readonly horizon: (values: ParameterValues) => number
  /** Bars from one label to the first that shares no price change with it; left out, the horizon. */
  readonly overlap?: (values: ParameterValues) => number
  readonly knownBefore?: KnownBefore
  readonly compute: (input: TargetInput, values: ParameterValues) => Label[]
}

/**
 * A predictor of the label without any model, for targets that are predictable by construction: the higher the value,
 * the likelier a 1. The significance of an accuracy is about what the model adds to it.
 */
interface KnownBefore {
  readonly kind: KnownBeforeKind
  readonly compute: (input: TargetInput, values: ParameterValues) => Column
}
export type KnownBeforeKind = 'volatility_level'

export const defineTarget = (target: Target): Target => ({
  ...target,
  parameters: [tickerParameter('SPY'), ...target.parameters],
})

export const horizonParameter = (bars: number): ParameterDefinition => ({
  name: 'horizon',
  label: 'Horizon',
  type: 'int',
  default: bars,
  min: 1,
  max: 100_000,
  step: 1,
  description: 'How many bars ahead.',
})

export const percentParameter = (
  name: string,
  label: string,
  pct: number,
  description: string,
): ParameterDefinition => ({
  name,
  label,
  type: 'float',
  default: pct,
  min: -1000,
  max: 1000,
  step: 0.1,
  description,
})

/** Growth over the horizon from each row; NaN where it ends after the data, a price is missing, or nothing can grow. */
export const growthAhead = (price: Column, horizon: number): Column =>
  price.map((now, row) => (row + horizon < price.length && now > 0 ? price[row + horizon]! / now - 1 : Number.NaN))

/** 1 where the test holds, 0 where not, null where the value is missing. */
export const labelWhere = (values: Column, holds: (value: number, row: number) => boolean): Label[] =>
  Array.from(values, (value, row) => (Number.isNaN(value) ? null : holds(value, row) ? 1 : 0))
