import { ManualClock } from '@tradewright/core/clock'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'
import { nextName, register } from '../../test-support/visitor.ts'

const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
let server: TestApp
let second: TestApp
beforeAll(async () => {
  server = await createTestApp({ clock })
  second = await createTestApp({ database: server.database, clock })
})
afterAll(async () => {
  await second.close()
  await server.close()
})

let addresses = 0
const nextAddress = () => `198.51.100.${(addresses += 1)}`

function tryPassword(email: string, password: string, remoteAddress: string, app = server) {
  return app.app.inject({ method: 'POST', url: '/api/login', payload: { email, password }, remoteAddress })
}

function expectLimited(answer: LightMyRequestResponse, minutes: number): void {
  expect(answer.statusCode).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBe(minutes * 60)
  const message = `Too many failed sign-ins. Please try again in ${minutes} minutes.`
  expect(answer.json()).toMatchObject({ success: false, error: message, message })
}

async function failOften(times: number, fail: (attempt: number) => Promise<LightMyRequestResponse>): Promise<void> {
  for (let attempt = 0; attempt < times; attempt += 1) expect((await fail(attempt)).statusCode).toBe(401)
}

describe('failed sign-ins', () => {
  it('lock an account for a quarter of an hour, in every process and from any address', async () => {
    const { username, password } = await register(server)
    await failOften(10, (attempt) => tryPassword(username, 'wrong', nextAddress(), attempt % 2 ? server : second))
    expectLimited(await tryPassword(username, password, nextAddress()), 15)
    clock.advance(5 * 60_000)
    expectLimited(await tryPassword(username.toUpperCase(), password, nextAddress(), second), 10)
    clock.advance(10 * 60_000)
    expect((await tryPassword(username, password, nextAddress())).statusCode).toBe(200)
  })

  it('are limited for names that nobody has, too, so that they look the same', async () => {
    const name = nextName()
    await failOften(10, () => tryPassword(name, 'wrong', nextAddress()))
    expectLimited(await tryPassword(name, 'wrong', nextAddress()), 15)
  })

  it('are forgiven by a success', async () => {
    const { username, password } = await register(server)
    await failOften(9, () => tryPassword(username, 'wrong', nextAddress()))
    expect((await tryPassword(username, password, nextAddress())).statusCode).toBe(200)
    await failOften(9, () => tryPassword(username, 'wrong', nextAddress()))
    expect((await tryPassword(username, password, nextAddress())).statusCode).toBe(200)
  })

  it('lock an address that tries many accounts, and a success there does not help', async () => {
    const address = nextAddress()
    const { username, password } = await register(server)
    await failOften(49, () => tryPassword(nextName(), 'wrong', address))
    expect((await tryPassword(username, password, address)).statusCode).toBe(200)
    await failOften(1, () => tryPassword(nextName(), 'wrong', address))
    expectLimited(await tryPassword(username, password, address), 15)
    expect((await tryPassword(username, password, nextAddress())).statusCode).toBe(200)
  })

  it('hardly pass the limit by coming all at once', async () => {
    const { username } = await register(server)
    const answers = await Promise.all(Array.from({ length: 40 }, () => tryPassword(username, 'wrong', nextAddress())))
    const tried = answers.filter((answer) => answer.statusCode === 401).length
    expect(tried).toBeGreaterThanOrEqual(10)
    // Four at most are between the check and the count.
    expect(tried).toBeLessThanOrEqual(13)
  })
})

describe('registrations', () => {
  const registerFrom = (remoteAddress: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/register',
      payload: { username: nextName(), password: 'x' },
      remoteAddress,
    })

  it('are limited to a hundred an hour from one address', async () => {
    const address = nextAddress()
    const windowEndsAt = new Date(clock.now().getTime() + 30 * 60_000)
    await server.database.database
      .insertInto('attempt_counters')
      .values({ subject: `registrations ${address}`, attempts: 99, window_ends_at: windowEndsAt })
      .execute()
    expect((await registerFrom(address)).statusCode).toBe(200)
    const refused = await registerFrom(address)
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ message: 'Too many registrations. Please try again in 30 minutes.' })
    expect((await registerFrom(nextAddress())).statusCode).toBe(200)
    clock.advance(30 * 60_000)
    expect((await registerFrom(address)).statusCode).toBe(200)
  })
})
