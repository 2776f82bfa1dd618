import { expect, it } from 'vitest'
import { exponentOf, isStrayLetter } from './fields.tsx'

it.each([
  ['1e9', 1_000_000_000],
  ['$2.5E-3', 0.0025],
  ['1e2%', 100],
  ['-1.5e+1', -15],
  ['19', null],
  ['1e', null],
  ['e9', null],
  ['1e999', null],
  ['SPY', null],
])('reads %s as %s', (text, value) => {
  expect(exponentOf(text)).toBe(value)
})

it('knows letters, which no number has', () => {
  expect(['e', 'E', 'k', 'é'].every(isStrayLetter)).toBe(true)
  expect(['1', '.', ',', '-', '%', ' ', 'Enter', 'Backspace', 'ArrowLeft'].some(isStrayLetter)).toBe(false)
})
