import { describe, expect, it } from 'vitest'
import {
  combinationAt,
  combinationValues,
  type CompletedStudy,
  heatTable,
  type HeatView,
  sortedVariants,
  variantAt,
} from './study-cells.ts'

/** Two by three by two, each figure its place among all; the ninth is the best. */
const cells = Array.from({ length: 12 }, (_, i) => i)
const figures = cells.map((cell) => (cell === 9 ? 20 : cell === 3 ? null : cell))
const columns = { sharpe: figures, cagr: figures, calmar: figures, maxDrawdown: figures }
const numberOf = (label: string, values: number[]) => ({
  path: label,
  label,
  present: values[0]!,
  from: values[0]!,
  to: values.at(-1)!,
  step: 1,
  values,
})
const study = {
  numbers: [numberOf('A', [1, 2]), numberOf('B', [10, 20, 30]), numberOf('C', [5, 6])],
  measure: 'sharpe',
  results: {
    cells,
    in_sample: columns,
    hold_out: null,
    best: 9,
    present_cell: 1,
    neighbours: [7, 11, 8],
  },
} as unknown as CompletedStudy
const view: HeatView = { row: 0, column: 1, others: 'best', measure: 'sharpe', part: 'in_sample' }
const texts = (shown: HeatView) => heatTable(study, shown).cells.map((row) => row.map(({ text }) => text))

describe('the heat map of two numbers', () => {
  it('keeps the others as the best variant has them, or averages over them', () => {
    // The best has the second value of C: the odd ones.
    expect(texts(view)).toEqual([
      ['1.00', 'n/a', '5.00'],
      ['7.00', '20.00', '11.00'],
    ])
    expect(texts({ ...view, others: 'average' })).toEqual([
      ['0.50', '2.00', '4.50'],
      ['6.50', '14.00', '10.50'],
    ])
    expect(texts({ ...view, row: 1, column: 0 })).toEqual([
      ['1.00', '7.00'],
      ['n/a', '20.00'],
      ['5.00', '11.00'],
    ])
  })

  it('marks the best, its neighbours and the present numbers, and says so to screen readers', () => {
    const { cells: drawn } = heatTable(study, view)
    const marked = (mark: 'isBest' | 'isNear' | 'isPresent') =>
      drawn.flatMap((row, r) => row.flatMap((cell, c) => (cell[mark] ? [[r, c]] : [])))
    expect(marked('isBest')).toEqual([[1, 1]])
    expect(marked('isNear')).toEqual([
      [1, 0],
      [1, 2],
    ])
    expect(marked('isPresent')).toEqual([[0, 0]])
    expect(drawn[1]![1]!.label).toBe('A 2, B 20: Sharpe ratio 20.00')
  })

  it('leads from a cell to its combination', () => {
    expect(combinationAt(study, view, 0, 2)).toBe(5)
    expect(combinationValues(study, 5)).toEqual([1, 30, 6])
    expect(variantAt(study, 5)!.inSample.sharpe).toBe(5)
  })
})

it('variants without a figure come last, whichever way they are sorted', () => {
  const order = (column: 'in_sample sharpe' | 'number 1', isDescending: boolean) =>
    sortedVariants(study, { column, isDescending }, 12).map(({ cell }) => cell)
  expect(order('in_sample sharpe', true).slice(0, 2)).toEqual([9, 11])
  expect(order('in_sample sharpe', true).at(-1)).toBe(3)
  expect(order('in_sample sharpe', false).at(-1)).toBe(3)
  expect(order('number 1', true).slice(0, 4)).toEqual([4, 5, 10, 11])
})
