import { Problem } from '@tradewright/core/problem'
import { describe, expect, it } from 'vitest'
import { storeTypes } from '../../market-data/stores/data-store.ts'
import { assertRequiredFields, missingFields, portOf, requiredFields } from './store-access.ts'

describe('connection settings of a store', () => {
  it.each(storeTypes)('%s names every required field that is missing [SET-034]', (type) => {
    expect(missingFields(type, {})).toEqual(requiredFields[type])
    expect(() => assertRequiredFields(type, {})).toThrow(
      `Please fill in required fields: ${requiredFields[type].join(', ')}`,
    )
    const filled = Object.fromEntries(requiredFields[type].map((field) => [field, 'x']))
    expect(() => assertRequiredFields(type, filled)).not.toThrow()
  })

  it('takes blanks for nothing', () => {
    expect(missingFields('s3', { bucket: '  ', region: 'eu-west-1' })).toEqual(['bucket'])
  })

  it('refuses a port that is none', () => {
    expect(portOf({}, 5432)).toBe(5432)
    expect(portOf({ port: '6543' }, 5432)).toBe(6543)
    expect(() => portOf({ port: 'high' }, 5432)).toThrow(Problem)
    expect(() => portOf({ port: 70_000 }, 5432)).toThrow('"70000" is not a port')
  })
})
