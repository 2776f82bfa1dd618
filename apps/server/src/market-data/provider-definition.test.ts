import { expect, it } from 'vitest'
import { pagedDefinition } from '../../test-support/stand-ins/custom-api.ts'
import { ProviderDefinition } from './provider-definition.ts'

const plain = pagedDefinition('https://api.example.com')
const problemOf = (change: object) => ProviderDefinition.safeParse({ ...plain, ...change }).error?.issues[0]?.path

it('takes slashes off the end of the address', () => {
  expect(ProviderDefinition.parse({ ...plain, baseUrl: 'https://api.example.com/v1//' }).baseUrl).toBe(
    'https://api.example.com/v1',
  )
})

it.each([
  ['an address of a megabyte', { baseUrl: `http://example.com/${'/'.repeat(1_000_000)}a` }, ['baseUrl']],
  ['portions too short to come to an end', { limits: { daysPerCall: 1e-300 } }, ['limits', 'daysPerCall']],
  [
    'thousands of categories',
    {
      records: {
        ...plain.records,
        values: Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`c${i}`, 'x'])),
      },
    },
    ['records', 'values'],
  ],
])('refuses %s', (_, change, path) => {
  expect(problemOf(change)).toEqual(path)
})
