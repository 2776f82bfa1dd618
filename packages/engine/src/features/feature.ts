import type { Column } from '@tradewright/core/column'
import type { FeatureInput } from './feature-bars.ts'
import { lagParameter, type ParameterDefinition, type ParameterValues, tickerParameter } from './parameters.ts'

/**
 * A pure function of series and parameters to a column on the rows of its ticker. NaN while it warms up and where a
 * value is missing; the value of a row never depends on later rows.
 */
export interface Feature {
  /** Stands on the wire and in saved strategies: never changed, never used again. */
  readonly id: number
  readonly key: string
  readonly name: string
  readonly description: string
  /** Where the formula comes from, and where we depart from it. */
  readonly source: string
  readonly parameters: readonly ParameterDefinition[]
  /** Rows of the ticker that pass before there is a value. */
  readonly warmUp: (values: ParameterValues) => number
  readonly compute: (input: FeatureInput, values: ParameterValues) => Column
}

interface FeatureDefinition extends Feature {
  /** Shown in the form; most features are about stocks. */
  readonly exampleTicker?: string
  readonly defaultLag?: number
}

/** Adds what every feature has: its ticker and its lag. */
export function defineFeature({ exampleTicker = 'SPY', defaultLag = 0, ...definition }: FeatureDefinition): Feature {
  return {
    ...definition,
    parameters: [tickerParameter(exampleTicker), ...definition.parameters, lagParameter(defaultLag)],
    warmUp: (values) => definition.warmUp(values) + values.number('lag'),
    compute: (input, values) => lagged(definition.compute(input, values), values.number('lag')),
  }
}

function lagged(column: Column, lag: number): Column {
  if (lag === 0) return column
  const shifted = new Float64Array(column.length).fill(Number.NaN)
  if (lag < column.length) shifted.set(column.subarray(0, column.length - lag), lag)
  return shifted
}
