import { expect, it } from 'vitest'
import { numberField } from './form-values.ts'

it.each([
  ['1', 1],
  ['-.5', -0.5],
  ['10.', 10],
  ['1e3', 1000],
] as const)('reads %s', (text, value) => {
  expect(numberField('The seed', text)).toBe(value)
})

it.each(['1x', '1.2.3', '0x10', '.', '1'.repeat(900_000), `${'1'.repeat(900_000)}x`])('refuses %.20s', (text) => {
  expect(() => numberField('The seed', text)).toThrow('The seed must be a number')
})
