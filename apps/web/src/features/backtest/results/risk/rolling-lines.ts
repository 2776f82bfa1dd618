import { rollingBeta, rollingDrawdown, rollingReturn, rollingVolatility } from '@tradewright/core/rolling'

export const ROLLING_MEASURES = {
  return: 'Return',
  volatility: 'Volatility',
  beta: 'Beta',
  drawdown: 'Drawdown',
  sharpe: 'Sharpe',
} as const

export type RollingMeasure = keyof typeof ROLLING_MEASURES

type Values = readonly (number | null)[]

interface RollingInput {
  /** Sharpe comes from the server, which has the risk-free returns. */
  measure: Exclude<RollingMeasure, 'sharpe'>
  /** Bars that the window looks back. */
  window: number
  barsPerYear: number
  growth: Values
  reference: Values | null
}

/** One value per bar of the strategy, and of the reference where it has one of its own. */
export function rollingLines({ measure, window, barsPerYear, growth, reference }: RollingInput) {
  const own = columnOf(growth)
  const other = reference && columnOf(reference)
  const figure = (curve: Float64Array): Float64Array => {
    if (measure === 'return') return rollingReturn(curve, window)
    if (measure === 'drawdown') return rollingDrawdown(curve, window)
    return rollingVolatility(curve, window, barsPerYear)
  }
  if (measure === 'beta') return { own: valuesOf(other ? rollingBeta(own, other, window) : null), reference: null }
  return { own: valuesOf(figure(own)), reference: other && valuesOf(withValuesOf(figure(other), other, window)) }
}

export const barsOf = (months: number, barsPerYear: number): number => Math.round((months / 12) * barsPerYear)

const columnOf = (values: Values) => Float64Array.from(values, (value) => value ?? Number.NaN)

/** A window that begins before the reference does has no figure. */
const withValuesOf = (figures: Float64Array, curve: Float64Array, window: number) =>
  figures.map((figure, at) => (Number.isFinite(curve[at - window]) ? figure : Number.NaN))

const valuesOf = (column: Float64Array | null): (number | null)[] =>
  column ? Array.from(column, (value) => (Number.isFinite(value) ? value : null)) : []
