import { expect, it } from 'vitest'
import { ProviderDefinition } from '../provider-definition.ts'
import { pagedDefinition } from '../../../test-support/stand-ins/custom-api.ts'
import { readRecords } from './records.ts'

const paged = pagedDefinition('https://api.example.com')
const definition = ProviderDefinition.parse({
  ...paged,
  records: { shape: 'rows', path: [], timestamp: ['t'], timestampFormat: 'unix-seconds', values: { close: ['c'] } },
})

it('reads moments, also as text', () => {
  const { timestamps } = readRecords(
    definition,
    [
      { t: 0, c: 1 },
      { t: '86400', c: 2 },
    ],
    'AAPL',
  )
  expect([...timestamps]).toEqual([0, 86_400_000])
})

it.each([[null], [''], [undefined], ['soon']])('takes no row whose date is %j for one of 1970', (t) => {
  expect(() =>
    readRecords(
      definition,
      [
        { t: 1_700_000_000, c: 1 },
        { t, c: 2 },
      ],
      'AAPL',
    ),
  ).toThrow('is not a date')
})
