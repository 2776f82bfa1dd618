import { expect, it } from 'vitest'
import { copyName, suggestedName } from './names.ts'

it.each([
  ['Core', 'Core copy'],
  ['Core copy', 'Core copy 2'],
  ['Core copy 9', 'Core copy 10'],
  ['Copyright', 'Copyright copy'],
  ['Unnamed strategy', ''],
])('calls the duplicate of %s %s', (name, copy) => {
  expect(copyName(name)).toBe(copy)
})

it('suggests the name of the strategy, or what the run holds', () => {
  expect(suggestedName('Core', 'First')).toBe('Core')
  expect(suggestedName('Unnamed strategy', '60% SPY, 40% AGG 2020-01-02 to 2024-12-31')).toBe('60% SPY, 40% AGG')
})
