import fc from 'fast-check'
import { expect, it } from 'vitest'
import { usernameKey } from './username-key.ts'

it.each([
  ['Alice', 'alice'],
  ['  alice ', 'alice'],
  ['ａｌｉｃｅ', 'alice'],
  ['ﬁnance', 'finance'],
  ['e\u0301', '\u00e9'],
  ['al\u200bice', 'alice'],
])('takes %j and %j for the same user', (one, other) => {
  expect(usernameKey(one)).toBe(usernameKey(other))
})

it('keeps different names apart', () => {
  expect(new Set(['alice', 'alicé', 'al ice', 'a1ice'].map(usernameKey)).size).toBe(4)
})

it('takes a lone accent for the accent without its carrier', () => {
  expect(usernameKey(usernameKey('\u{a8}'))).toBe(usernameKey('\u{a8}'))
})

it('is its own key, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (name) => {
      expect(usernameKey(usernameKey(name))).toBe(usernameKey(name))
    }),
  )
})

it('refuses a name that grows too long for the index', () => {
  expect(() => usernameKey('\ufdfa'.repeat(200))).toThrow('Username is too long.')
})
