import { expect, it } from 'vitest'
import { labelSides } from './label-sides.ts'

it('puts labels to the right of their dots where there is room', () =>
  expect(
    labelSides(
      [
        { x: 20, y: 20, label: 'SPY' },
        { x: 60, y: 70, label: 'GLD' },
      ],
      [],
    ),
  ).toEqual(['right', 'right']))

it('keeps labels of neighbours apart, and off other dots', () => {
  const close = [
    { x: 50, y: 50, label: 'VNQ' },
    { x: 54, y: 51, label: 'EEM' },
  ]
  expect(labelSides(close, [])).toEqual(['left', 'right'])
  expect(labelSides([close[0]!], [{ x: 55, y: 50 }])).toEqual(['left'])
})

it('cuts no label off at the edge', () =>
  expect(
    labelSides(
      [
        { x: 98, y: 50, label: 'UPRO' },
        { x: 2, y: 50, label: 'TLT' },
      ],
      [],
    ),
  ).toEqual(['left', 'right']))
