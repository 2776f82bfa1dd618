import { expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'
import type { PasswordHasher } from './ports.ts'

/** Hashes by writing down, and counts the work. */
function countingHasher() {
  const verified: string[] = []
  const hasher: PasswordHasher = {
    hash: (password) => Promise.resolve(`hash of ${password}`),
    verify(hash, password) {
      verified.push(hash)
      return Promise.resolve(hash === `hash of ${password}`)
    },
    isOutdated: () => false,
  }
  return { hasher, verified }
}

it('does the same work for an unknown user as for a known one, so that the time tells nothing', async () => {
  const { hasher, verified } = countingHasher()
  const passwords = createPasswords(hasher)
  expect(await passwords.verify('hash of secret', 'wrong')).toBe(false)
  expect(await passwords.verify(null, 'wrong')).toBe(false)
  expect(verified).toEqual(['hash of secret', expect.stringMatching(/^hash of [\w-]{43}$/)])
})

it('takes letters and their accents in any Unicode form', async () => {
  const passwords = createPasswords(countingHasher().hasher)
  const hash = await passwords.hash('e\u0301')
  expect(await passwords.verify(hash, '\u00e9')).toBe(true)
})
