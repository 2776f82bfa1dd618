import { expect, it } from 'vitest'
import { barsOf, rollingLines } from './rolling-lines.ts'

const growth = [1, 1.1, 0.99, 1.2]

it('has no figure before the window is full, nor before the reference begins', () => {
  const { own, reference } = rollingLines({
    measure: 'return',
    window: 2,
    barsPerYear: 252,
    growth,
    reference: [null, 1, 1, 1.5],
  })
  expect(own.map((value) => value && Number(value.toFixed(4)))).toEqual([null, null, -0.01, 0.0909])
  expect(reference).toEqual([null, null, null, 0.5])
})

it('has a beta only beside a reference', () => {
  const settings = { measure: 'beta', window: 2, barsPerYear: 252, growth } as const
  expect(rollingLines({ ...settings, reference: null }).own).toEqual([])
  const { own } = rollingLines({ ...settings, reference: growth })
  expect(own.slice(2).map((value) => value?.toFixed(6))).toEqual(['1.000000', '1.000000'])
})

it('counts the bars of a window by the calendar of the run', () => {
  expect([barsOf(12, 252), barsOf(1, 365)]).toEqual([252, 30])
})
