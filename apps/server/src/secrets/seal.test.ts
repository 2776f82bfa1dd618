import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSeal } from './seal.ts'

const seal = createSeal('a secret of the application')

describe('the seal', () => {
  it('gives back what was sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, purpose) => {
        expect(seal.open(purpose, seal.seal(purpose, plain))).toBe(plain)
      }),
    )
  })

  it('never seals the same text to the same bytes', () => {
    expect(seal.seal('key', 'text').equals(seal.seal('key', 'text'))).toBe(false)
  })

  it('does not open for another purpose, with another secret, or when a bit was changed', () => {
    const sealed = seal.seal('alpaca key of user 1', 'PK123')
    expect(() => seal.open('alpaca key of user 2', sealed)).toThrow()
    expect(() => createSeal('another secret entirely').open('alpaca key of user 1', sealed)).toThrow()
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index]! ^= 1
      expect(() => seal.open('alpaca key of user 1', changed), `byte ${index}`).toThrow()
    }
  })
})
