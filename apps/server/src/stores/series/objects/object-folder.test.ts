import { expect, it } from 'vitest'
import { objectKeys } from './object-storage.ts'

it.each([
  ['', 'gold/a'],
  ['/', 'gold/a'],
  ['///', 'gold/a'],
  ['market', 'market/gold/a'],
  ['//market/us//', 'market/us/gold/a'],
  ['market//us', 'market//us/gold/a'],
])('keys below %j begin with it once', (prefix, key) => {
  expect(objectKeys(prefix)('gold/a')).toBe(key)
})
