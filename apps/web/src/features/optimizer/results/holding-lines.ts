import type { BuyAndHoldComparison, ComparedCurves } from '@tradewright/contract/optimization-results'
import type { NamedLine } from '../../../ui/chart/draw-line-chart.ts'

const secondsOf = (date: string): number => Date.parse(date) / 1000

/** Growth of one dollar over the test windows and, from there on, over the hold-out. */
export function holdingLines({ test_curve: test, hold_out_curve: holdOut }: BuyAndHoldComparison): NamedLine[] {
  const line = (name: string, field: 'winner' | 'buy_and_hold'): NamedLine => {
    const reached = test[field].at(-1) ?? 1
    const later = (holdOut?.dates ?? []).map((date, i) => point(date, reached * (holdOut?.[field][i] ?? 1)))
    const last = pointsOf(test, field).at(-1)?.time ?? 0
    // Test and hold-out may share a date: a chart takes each instant once.
    return { name, points: [...pointsOf(test, field), ...later.filter(({ time }) => time > last)] }
  }
  return [line('Winner', 'winner'), line('Buy and hold', 'buy_and_hold')]
}

/** Growth of one dollar over one curve. */
export const curveLines = (curves: ComparedCurves, own: string): NamedLine[] => [
  { name: own, points: pointsOf(curves, 'winner') },
  { name: 'Buy and hold', points: pointsOf(curves, 'buy_and_hold') },
]

const point = (date: string, value: number) => ({ time: secondsOf(date), value })

const pointsOf = (curves: ComparedCurves, field: 'winner' | 'buy_and_hold') =>
  curves.dates.map((date, i) => point(date, curves[field][i] ?? 1))
