import { expect, it } from 'vitest'
import { automaticStepPct, restOf, toParamValue } from './form-values.ts'

it('reads values with commas as lists, numbers where they are numeric [BT-120]', () => {
  expect(toParamValue('5, 10,close')).toEqual([5, 10, 'close'])
  expect(toParamValue('14')).toBe(14)
  expect(toParamValue('SPY')).toBe('SPY')
  expect(toParamValue('')).toBe('')
  expect(toParamValue(3)).toBe(3)
})

it('takes a quarter of the test window for a step, at least 1', () => {
  expect(automaticStepPct(10)).toBe(2.5)
  expect(automaticStepPct(2)).toBe(1)
  expect(automaticStepPct('')).toBeNull()
})

it('keeps two sizes at 100 together, and empty with an empty one', () => {
  expect(restOf(62.5)).toBe(37.5)
  expect(restOf('')).toBe('')
})
