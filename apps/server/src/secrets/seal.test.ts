import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sealedBeforeRows } from '../../test-support/sealed-before-rows.ts'
import { createSeal, openBeforeRows, sealedBy, Unreadable } from './seal.ts'

const seal = createSeal('a secret of the application')
const place = { table: 'data_stores', row: 7, userId: 1 }

describe('the seal', () => {
  it('gives back what was sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.nat(), (plain, row, userId) => {
        const where = { table: 'custom_providers', row, userId }
        expect(seal.open(where, seal.seal(where, plain))).toBe(plain)
      }),
    )
  })

  it('never seals the same text to the same bytes', () => {
    expect(seal.seal(place, 'text').equals(seal.seal(place, 'text'))).toBe(false)
  })

  it.each([
    ['row', { ...place, row: 8 }],
    ['row of the same digits', { ...place, row: '7' }],
    ['user', { ...place, userId: 2 }],
    ['table', { ...place, table: 'brokerage_accounts' }],
  ])('does not open in another %s', (_, elsewhere) => {
    expect(() => seal.open(elsewhere, seal.seal(place, 'PK123'))).toThrow(Unreadable)
  })

  it('does not open with another secret, when a bit was changed or the end is missing', () => {
    const sealed = seal.seal(place, 'PK123')
    expect(() => createSeal('another secret entirely').open(place, sealed)).toThrow(Unreadable)
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index]! ^= 1
      expect(() => seal.open(place, changed), `byte ${index}`).toThrow(Unreadable)
      expect(() => seal.open(place, sealed.subarray(0, index)), `${index} bytes`).toThrow(Unreadable)
    }
  })

  it('opens what another known secret sealed, and seals with its own', () => {
    const both = createSeal('the next secret of all', ['a secret of the application'])
    expect(both.open(place, seal.seal(place, 'PK123'))).toBe('PK123')
    expect(() => seal.open(place, both.seal(place, 'PK123'))).toThrow(Unreadable)
  })

  it('names the secret that sealed, without telling it', () => {
    const sealed = seal.seal(place, 'PK123')
    expect(sealedBy(sealed)).toEqual(sealedBy(seal.seal({ ...place, row: 9 }, 'another')))
    expect(sealedBy(sealed)).not.toEqual(sealedBy(createSeal('another secret entirely').seal(place, 'PK123')))
    expect(sealedBy(Buffer.of(9, 1, 2))).toBe('unknown')
  })
})

it('still opens what was sealed for a purpose, but only as such', () => {
  const old = sealedBeforeRows('a secret of the application', 'data store', 'PK123')
  expect(sealedBy(old)).toBe('before rows')
  expect(openBeforeRows('a secret of the application', 'data store', old)).toBe('PK123')
  expect(() => openBeforeRows('a secret of the application', 'custom provider', old)).toThrow(Unreadable)
  expect(() => seal.open(place, old)).toThrow(Unreadable)
})
