import { ManualClock } from '@tradewright/core/clock'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { argon2Hasher } from '../../adapters/argon2/password-hasher.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { deviceCookie, nextName, post, register } from '../../../test-support/visitor.ts'

const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
let server: TestApp
let second: TestApp
beforeAll(async () => {
  server = await createTestApp({ clock, passwordHasher: argon2Hasher() })
  second = await createTestApp({ database: server.database, clock, passwordHasher: argon2Hasher() })
})
afterAll(async () => {
  await second.close()
  await server.close()
})

let addresses = 0
const nextAddress = () => `198.51.${(addresses += 1) >> 8}.${addresses & 255}`

interface From {
  address: string
  device?: string
  app?: TestApp
}

function tryPassword(email: string, password: string, { address, device = '', app = server }: From) {
  const headers = { cookie: device }
  return app.app.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email, password },
    remoteAddress: address,
    headers,
  })
}

function expectLimited(answer: LightMyRequestResponse, seconds: number, inWords: string): void {
  expect(answer.statusCode).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBe(seconds)
  const message = `Too many failed sign-ins. Please try again in ${inWords}.`
  expect(answer.json()).toMatchObject({ success: false, error: message, message })
}

async function failOften(times: number, fail: (attempt: number) => Promise<LightMyRequestResponse>): Promise<void> {
  for (let attempt = 0; attempt < times; attempt += 1) expect((await fail(attempt)).statusCode).toBe(401)
}

/** As if strangers at many addresses had failed this often within the hour. */
async function strangersFailed(userId: number, attempts: number): Promise<void> {
  await failOften(1, () => tryPassword(`${names.get(userId)}`, 'wrong', { address: nextAddress() }))
  const subjects = await server.database.database
    .selectFrom('attempt_counters')
    .select('subject')
    .where('subject', 'like', '%strangers')
    .where('attempts', '=', 1)
    .execute()
  await server.database.database
    .updateTable('attempt_counters')
    .set({ attempts })
    .where(
      'subject',
      'in',
      subjects.map(({ subject }) => subject),
    )
    .execute()
}
const names = new Map<number, string>()

async function registered() {
  const user = await register(server)
  names.set(user.id, user.username)
  return user
}

describe('failed sign-ins', () => {
  it('of strangers at one address do not shut out the owner at another', async () => {
    const { username, password } = await registered()
    const stranger = { address: nextAddress() }
    await failOften(5, (attempt) => tryPassword(username, 'wrong', { ...stranger, app: attempt % 2 ? server : second }))
    expectLimited(await tryPassword(username, password, stranger), 5, '5 seconds')
    expect((await tryPassword(username, password, { address: nextAddress() })).statusCode).toBe(200)
  })

  it('have to wait longer each time, in every process, up to a quarter of an hour', async () => {
    const { username, password } = await registered()
    const from = { address: nextAddress() }
    await failOften(5, () => tryPassword(username, 'wrong', from))
    for (const [seconds, inWords] of [
      [5, '5 seconds'],
      [10, '10 seconds'],
      [20, '20 seconds'],
      [40, '40 seconds'],
      [80, '2 minutes'],
      [160, '3 minutes'],
      [320, '6 minutes'],
      [640, '11 minutes'],
      [900, '15 minutes'],
    ] as const) {
      expectLimited(await tryPassword(username.toUpperCase(), password, { ...from, app: second }), seconds, inWords)
      clock.advance(seconds * 1000)
      await failOften(1, () => tryPassword(username, 'wrong', from))
    }
    expectLimited(await tryPassword(username, password, from), 900, '15 minutes')
    clock.advance(900_000)
    expect((await tryPassword(username, password, from)).statusCode).toBe(200)
  })

  it('are forgotten an hour after the last one', async () => {
    const { username } = await registered()
    const from = { address: nextAddress() }
    await failOften(4, () => tryPassword(username, 'wrong', from))
    clock.advance(60 * 60_000)
    await failOften(4, () => tryPassword(username, 'wrong', from))
  })

  it('are limited for unknown names, too, so that they look the same', async () => {
    const name = nextName()
    const from = { address: nextAddress() }
    await failOften(5, () => tryPassword(name, 'wrong', from))
    expectLimited(await tryPassword(name, 'wrong', from), 5, '5 seconds')
  })

  it('are forgiven by a success', async () => {
    const { username, password } = await registered()
    const from = { address: nextAddress() }
    await failOften(4, () => tryPassword(username, 'wrong', from))
    expect((await tryPassword(username, password, from)).statusCode).toBe(200)
    await failOften(4, () => tryPassword(username, 'wrong', from))
    expect((await tryPassword(username, password, from)).statusCode).toBe(200)
  })

  it('at an address that tries many accounts stop it, but not a device that the account knows', async () => {
    const { username, password } = await registered()
    const address = nextAddress()
    const device = deviceCookie(await tryPassword(username, password, { address }))
    await failOften(50, () => tryPassword(nextName(), 'wrong', { address }))
    expectLimited(await tryPassword(username, password, { address }), 900, '15 minutes')
    expect((await tryPassword(username, password, { address, device })).statusCode).toBe(200)
    expect((await tryPassword(username, password, { address: nextAddress() })).statusCode).toBe(200)
  })

  it('from a hundred unknown networks stop unknown networks alone', async () => {
    const { id, username, password } = await registered()
    const home = { address: nextAddress() }
    const device = deviceCookie(await tryPassword(username, password, home))
    await strangersFailed(id, 100)
    expectLimited(await tryPassword(username, password, { address: nextAddress() }), 3600, '60 minutes')
    expect((await tryPassword(username, password, home)).statusCode).toBe(200)
    expect((await tryPassword(username, password, { address: nextAddress(), device })).statusCode).toBe(200)
  })

  it('on a known device are limited as well, and a device of one account is a stranger to another', async () => {
    const { username, password } = await registered()
    const device = deviceCookie(await tryPassword(username, password, { address: nextAddress() }))
    await failOften(5, () => tryPassword(username, 'wrong', { address: nextAddress(), device }))
    expectLimited(await tryPassword(username, password, { address: nextAddress(), device }), 5, '5 seconds')
    const other = await registered()
    const from = { address: nextAddress(), device }
    await failOften(5, () => tryPassword(other.username, 'wrong', from))
    expectLimited(await tryPassword(other.username, 'wrong', from), 5, '5 seconds')
  })

  it('hardly pass the limit by coming all at once', async () => {
    const { username } = await registered()
    const from = { address: nextAddress() }
    const answers = await Promise.all(Array.from({ length: 40 }, () => tryPassword(username, 'wrong', from)))
    const tried = answers.filter((answer) => answer.statusCode === 401).length
    expect(tried).toBeGreaterThanOrEqual(5)
    // Four at most are between the check and the count.
    expect(tried).toBeLessThanOrEqual(8)
  })

  it('of strangers do not keep a signed-in user from changing the password or leaving', async () => {
    const { id, username, password, cookie } = await registered()
    const local = { address: '127.0.0.1' }
    await failOften(5, () => tryPassword(username, 'wrong', local))
    await strangersFailed(id, 100)
    const body = { current_password: password, new_password: 'blue canoe' }
    expect((await post(server, '/api/auth/password/change', body, { cookie })).json()).toEqual({ success: true })
    const farewell = { username, password: 'blue canoe' }
    expect((await post(server, '/api/user/delete', farewell, { cookie })).json()).toEqual({ success: true })
  })
})

describe('behind a proxy', () => {
  const throughProxy = (app: TestApp, visitor: string, proxy: string, email: string, password: string) =>
    app.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email, password },
      remoteAddress: proxy,
      headers: { 'x-forwarded-for': visitor },
    })

  it.each([
    ['a proxy of TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.1.0.0/16, 192.0.2.7' }, '10.1.2.3'],
    ['a proxy on this machine with APP_URL', { APP_URL: 'https://trade.example.com' }, '127.0.0.1'],
  ])('the visitor counts: %s', async (_, environment, proxy) => {
    const { username, password } = await registered()
    const app = await createTestApp({ database: server.database, clock, environment })
    const stranger = nextAddress()
    await failOften(5, () => throughProxy(app, stranger, proxy, username, 'wrong'))
    expect((await throughProxy(app, stranger, proxy, username, password)).statusCode).toBe(429)
    expect((await throughProxy(app, nextAddress(), proxy, username, password)).statusCode).toBe(200)
    await app.close()
  })

  it('no visitor gets another address by naming one', async () => {
    const { username, password } = await registered()
    const app = await createTestApp({ database: server.database, clock, environment: { TRUSTED_PROXIES: '10.1.2.3' } })
    const stranger = nextAddress()
    await failOften(5, () => throughProxy(app, nextAddress(), stranger, username, 'wrong'))
    expect((await throughProxy(app, nextAddress(), stranger, username, password)).statusCode).toBe(429)
    await app.close()
  })

  it('a network that is none stops the start', async () => {
    const start = createTestApp({ database: server.database, environment: { TRUSTED_PROXIES: 'my-proxy' } })
    await expect(start).rejects.toThrow('Configuration: TRUSTED_PROXIES must be addresses or networks')
  })
})

describe('registrations', () => {
  const registerFrom = (remoteAddress: string, headers: Record<string, string> = {}) =>
    server.app.inject({
      method: 'POST',
      url: '/api/register',
      payload: { username: nextName(), password: 'x' },
      remoteAddress,
      headers,
    })
  const alreadyRegistered = (address: string, attempts: number) =>
    server.database.database
      .insertInto('attempt_counters')
      .values({
        subject: `registrations ${address}`,
        attempts,
        window_ends_at: new Date(clock.now().getTime() + 30 * 60_000),
      })
      .execute()

  it('are limited to a hundred an hour from one address', async () => {
    const address = nextAddress()
    await alreadyRegistered(address, 99)
    expect((await registerFrom(address)).statusCode).toBe(200)
    const refused = await registerFrom(address)
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ message: 'Too many registrations. Please try again in 30 minutes.' })
    expect((await registerFrom(nextAddress())).statusCode).toBe(200)
    clock.advance(30 * 60_000)
    expect((await registerFrom(address)).statusCode).toBe(200)
  })

  it('on this machine are free, but not those that a proxy passes on', async () => {
    await alreadyRegistered('127.0.0.1', 100)
    expect((await registerFrom('127.0.0.1')).statusCode).toBe(200)
    expect((await registerFrom('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(429)
  })
})
