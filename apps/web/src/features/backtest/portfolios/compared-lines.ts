import type { BacktestComparison } from '@tradewright/contract/backtests'
import type { NamedLine } from '../../../ui/chart/draw-chart.ts'
import { numbered } from '../results/figures/compared.ts'
import { pointsOf } from '../results/curve/curve-points.ts'

type Compared = Pick<BacktestComparison['compared'][number], 'name' | 'dates' | 'growth'>

export const VIEWS = ['Value', 'Drawdown', '12 months'] as const
export type View = (typeof VIEWS)[number]

/** What the value line begins with, in dollars. */
export const BASE = 10_000

type Values = readonly (number | null)[]

const CHANGES: Record<View, (growth: readonly number[], dates: readonly string[]) => Values> = {
  Value: (growth) => growth.map((value) => value * BASE),
  Drawdown: drawdownsOf,
  '12 months': yearReturnsOf,
}

/** Growth of the base, the fall below the highest value so far, or the return of the year before each day. */
export function linesOf(compared: readonly Compared[], view: View): NamedLine[] {
  const names = numbered(compared.map(({ name }) => name))
  return compared.map(({ dates, growth }, position) => ({
    name: names[position]!,
    points: pointsOf(dates, CHANGES[view](growth, dates)),
  }))
}

export function drawdownsOf(growth: readonly number[]): number[] {
  let highest = 1
  return growth.map((value) => {
    highest = Math.max(highest, value)
    return value / highest - 1
  })
}

/** From the last close at least a year before; none in the first year. Dates ascend. */
export function yearReturnsOf(growth: readonly number[], dates: readonly string[]): (number | null)[] {
  let before = -1
  return growth.map((value, row) => {
    const date = dates[row]!
    const yearAgo = `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`
    while (dates[before + 1]! <= yearAgo) before += 1
    const base = growth[before] ?? 0
    return base > 0 ? value / base - 1 : null
  })
}
