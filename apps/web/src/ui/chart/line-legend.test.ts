import { expect, it } from 'vitest'
import { legendOf } from './line-chart.tsx'

const line = (name: string, values: readonly (number | null)[]) => ({
  name,
  points: values.map((value, i) => ({ time: 100 * (i + 1), value })),
})

it('dates the last value of a line that ended before the others', () =>
  expect(legendOf([line('Strategy', [1, 2, null, null]), line('SPY', [1, 2, 3, 4])], null)).toEqual({
    time: 400,
    values: [
      { name: 'Strategy', value: 2, endedAt: 200 },
      { name: 'SPY', value: 4, endedAt: null },
    ],
  }))

it('shows the values at the pointer, and none where a line has none', () =>
  expect(legendOf([line('Strategy', [1, null]), line('SPY', [1, 2])], 200).values.map(({ value }) => value)).toEqual([
    null,
    2,
  ]))

it('has no value to show of an empty line', () =>
  expect(legendOf([line('Strategy', [])], null)).toEqual({
    time: 0,
    values: [{ name: 'Strategy', value: null, endedAt: null }],
  }))
