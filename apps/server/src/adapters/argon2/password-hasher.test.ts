import { hash } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { argon2Hasher } from './password-hasher.ts'

const hasher = argon2Hasher()

it('hashes with argon2id and the recommended parameters, salted', async () => {
  const [one, other] = await Promise.all([hasher.hash('same'), hasher.hash('same')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(other)
  expect(await hasher.verify(one, 'same')).toBe(true)
  expect(await hasher.verify(one, 'Same')).toBe(false)
})

it('knows a hash of other parameters for outdated', async () => {
  expect(hasher.isOutdated(await hasher.hash('x'))).toBe(false)
  expect(hasher.isOutdated(await hash('x', { memoryCost: 4096 }))).toBe(true)
  expect(hasher.isOutdated(await hash('x', { algorithm: 1 }))).toBe(true)
})
