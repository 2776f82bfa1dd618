import { afterAll, beforeAll, expect, it } from 'vitest'
import { argon2Hasher } from '../../adapters/argon2/password-hasher.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { register, type RegisteredUser, signIn } from '../../../test-support/visitor.ts'

let server: TestApp
let greedy: RegisteredUser
let other: RegisteredUser
beforeAll(async () => {
  server = await createTestApp({ passwordHasher: argon2Hasher() })
  greedy = await register(server)
  other = await register(server)
})
afterAll(() => server.close())

it('lets others sign in while one account signs in 520 times at once with its own password', async () => {
  const flood = Array.from({ length: 520 }, () => signIn(server, greedy.username, greedy.password))
  const waits: number[] = []
  for (let i = 0; i < 5; i++) {
    const began = performance.now()
    const answer = await signIn(server, other.username, other.password)
    expect(answer.statusCode, answer.body).toBe(200)
    waits.push(performance.now() - began)
  }
  const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(Math.max(...waits)).toBeLessThan(10_000)
})
