import { GOOGLE_CALLBACK_PATH, GOOGLE_LOGIN_PATH } from '@tradewright/contract/auth'
import type { FactorQuestion } from '@tradewright/contract/second-factor'
import { ManualClock } from '@tradewright/core/clock'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGoogleStandIn, type GoogleStandIn } from '../../../test-support/google-stand-in.ts'
import { visitGoogle } from '../../../test-support/google-visitor.ts'
import { SoftwarePasskey } from '../../../test-support/software-passkey.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { cookieHeader, headersOf, post, register, type RegisteredUser, signIn } from '../../../test-support/visitor.ts'
import { codeAt } from '../../auth/totp.ts'

const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
let google: GoogleStandIn
let server: TestApp
let second: TestApp
beforeAll(async () => {
  google = await startGoogleStandIn({ redirectUris: [`http://localhost${GOOGLE_CALLBACK_PATH}`] })
  server = await createTestApp({ clock, environment: google.environment })
  second = await createTestApp({ clock, database: server.database })
})
afterAll(async () => {
  await second.close()
  await server.close()
  await google.close()
})

const HALF_MINUTE = 30_000
const nextCode = (secret: string) => {
  clock.advance(HALF_MINUTE)
  return codeAt(secret, clock.now())
}
const get = (url: string, headers: Record<string, string>) => server.app.inject({ url, headers })
const codeOf = (answer: LightMyRequestResponse) => answer.json<{ code?: string }>().code

interface Protected extends RegisteredUser {
  headers: Record<string, string>
  secret: string
  recovery: string[]
}

/** With an authenticator app. */
async function protectedUser(): Promise<Protected> {
  const user = await register(server)
  const headers = { cookie: user.cookie }
  const begun = await post(server, '/api/auth/factors/totp/begin', { password: user.password }, headers)
  const { secret } = begun.json<{ secret: string }>()
  const body = { name: 'Phone', secret, code: nextCode(secret), password: user.password }
  const added = await post(server, '/api/auth/factors/totp', body, headers)
  expect(added.statusCode, added.body).toBe(200)
  return { ...user, headers, secret, recovery: added.json<{ recovery_codes: string[] }>().recovery_codes }
}

/** The cookie of a sign-in whose password was right. */
async function firstStep({ username, password }: RegisteredUser): Promise<string> {
  const answer = await signIn(server, username, password)
  expect([answer.statusCode, codeOf(answer)]).toEqual([401, 'sign-in.second-step'])
  expect(answer.json()).not.toHaveProperty('token')
  const cookie = cookieHeader(answer)
  expect(cookie).toMatch(/^tradewright_second_step=[\w-]{43}$/)
  return cookie
}
const secondStep = (cookie: string, body: object, app = server) => post(app, '/api/login/second-step', body, { cookie })

describe('an authenticator app', () => {
  it('is asked for after the password, in any process, and signs in with a code once', async () => {
    const user = await protectedUser()
    const cookie = await firstStep(user)
    expect((await get('/api/user', { cookie })).statusCode).toBe(401)
    const question = (await get('/api/login/second-step', { cookie })).json<FactorQuestion>()
    expect(question).toEqual({ methods: ['totp', 'recovery code'], passkey_options: null })
    const code = nextCode(user.secret)
    const signedIn = await secondStep(cookie, { code }, second)
    expect(signedIn.json()).toMatchObject({ username: user.username, return_path: null })
    expect((await get('/api/user', { cookie: cookieHeader(signedIn) })).statusCode).toBe(200)
    expect(codeOf(await secondStep(cookie, { code: nextCode(user.secret) }))).toBe('sign-in.step-ended')
    expect(codeOf(await secondStep(await firstStep(user), { code }))).toBe('factor.wrong')
  })

  it('gives ten minutes for the second step, and none after a new password', async () => {
    const user = await protectedUser()
    const late = await firstStep(user)
    clock.advance(10 * 60_000)
    expect(codeOf(await secondStep(late, { code: nextCode(user.secret) }))).toBe('sign-in.step-ended')
    const before = await firstStep(user)
    await post(server, '/api/auth/factors/confirm', { code: nextCode(user.secret) }, user.headers)
    const change = { current_password: user.password, new_password: 'another horse' }
    expect((await post(server, '/api/auth/password/change', change, user.headers)).statusCode).toBe(200)
    expect(codeOf(await secondStep(before, { code: nextCode(user.secret) }))).toBe('sign-in.wrong')
  })

  it('needs the password to be added, and a code that proves it', async () => {
    const user = await register(server)
    const headers = { cookie: user.cookie }
    const begin = (password: string) => post(server, '/api/auth/factors/totp/begin', { password }, headers)
    expect(codeOf(await begin(''))).toBe('password.missing')
    expect(codeOf(await begin('a guess'))).toBe('password.wrong')
    const { secret } = (await begin(user.password)).json<{ secret: string }>()
    const add = (code: string, password = user.password) =>
      post(server, '/api/auth/factors/totp', { name: 'Phone', secret, code, password }, headers)
    expect(codeOf(await add('000000'))).toBe('factor.code')
    expect(codeOf(await add(nextCode(secret), 'a guess'))).toBe('password.wrong')
    expect((await get('/api/auth/factors', headers)).json()).toMatchObject({ factors: [], recovery_codes: 0 })
  })

  it('does not tell more to who does not know the password', async () => {
    const user = await protectedUser()
    expect(codeOf(await signIn(server, user.username, 'a guess'))).toBe('sign-in.wrong')
  })

  it('keeps its secret sealed, and is not in the export', async () => {
    const user = await protectedUser()
    const { rows } = await server.database.pool.query<{ sealed_secret: Buffer }>(
      'SELECT sealed_secret FROM second_factors WHERE user_id = $1',
      [user.id],
    )
    expect(rows[0]!.sealed_secret.toString('latin1')).not.toContain(user.secret)
    const exported = (await get('/api/user/export', user.headers)).body
    expect(exported).toContain('"second_factors"')
    for (const hidden of [user.secret, 'sealed_secret', 'code_hash']) expect(exported).not.toContain(hidden)
  })
})

describe('guessing codes', () => {
  it('is counted for the account, from wherever and however many at once', async () => {
    const user = await protectedUser()
    const tickets = await Promise.all(Array.from({ length: 4 }, () => firstStep(user)))
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => secondStep(tickets[i % 4]!, { code: '000000' }, i % 2 ? server : second)),
    )
    const compared = answers.filter((answer) => codeOf(answer) === 'factor.wrong')
    expect(compared.length).toBe(5)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(35)
    const refused = await secondStep(tickets[0]!, { code: nextCode(user.secret) })
    expect(refused.statusCode).toBe(429)
    // The owner's open session is another place.
    const confirmed = await post(server, '/api/auth/factors/confirm', { code: nextCode(user.secret) }, user.headers)
    expect(confirmed.statusCode).toBe(200)
    clock.advance(15 * 60_000)
    expect((await secondStep(await firstStep(user), { code: nextCode(user.secret) })).statusCode).toBe(200)
  })

  it('is told to the owner', async () => {
    const user = await protectedUser()
    await secondStep(await firstStep(user), { code: '000000' })
    const { entries } = (await get('/api/auth/security-log', user.headers)).json<{ entries: { kind: string }[] }>()
    expect(entries.map(({ kind }) => kind)).toEqual(['factor.failed', 'factor.added', 'account.registered'])
  })
})

describe('recovery codes', () => {
  it('work once each, however they are typed, and are stored as hashes', async () => {
    const user = await protectedUser()
    expect(user.recovery).toHaveLength(10)
    const [first, other] = user.recovery
    const typed = first!.toUpperCase().replaceAll('-', ' ')
    expect((await secondStep(await firstStep(user), { code: typed })).statusCode).toBe(200)
    expect(codeOf(await secondStep(await firstStep(user), { code: first! }))).toBe('factor.wrong')
    expect((await secondStep(await firstStep(user), { code: other! })).statusCode).toBe(200)
    expect((await get('/api/auth/factors', user.headers)).json()).toMatchObject({ recovery_codes: 8 })
  })

  it('are replaced by new ones, and go with the last factor', async () => {
    const user = await protectedUser()
    const made = await post(server, '/api/auth/factors/recovery-codes', {}, user.headers)
    const { recovery_codes: codes } = made.json<{ recovery_codes: string[] }>()
    expect(codeOf(await secondStep(await firstStep(user), { code: user.recovery[0]! }))).toBe('factor.wrong')
    expect((await secondStep(await firstStep(user), { code: codes[0]! })).statusCode).toBe(200)
    const { factors } = (await get('/api/auth/factors', user.headers)).json<{ factors: { id: string }[] }>()
    const remove = () =>
      server.app.inject({ method: 'DELETE', url: `/api/auth/factors/${factors[0]!.id}`, headers: user.headers })
    clock.advance(10 * 60_000)
    expect(codeOf(await remove())).toBe('factor.needed')
    await post(server, '/api/auth/factors/confirm', { code: nextCode(user.secret) }, user.headers)
    expect((await remove()).statusCode).toBe(200)
    expect((await get('/api/auth/factors', user.headers)).json()).toMatchObject({ factors: [], recovery_codes: 0 })
    expect((await signIn(server, user.username, user.password)).statusCode).toBe(200)
  })
})

describe('calls that ask for the factor again', () => {
  it.each([
    ['a new key', 'POST', '/api/keys', { name: 'Notebook', scopes: ['read'], password: 'correct horse' }],
    ['a new password', 'POST', '/api/auth/password/change', { current_password: 'x', new_password: 'a green canoe' }],
    ['another address', 'POST', '/api/auth/email/verify', { email: 'ann@example.com' }],
    ['Google', 'POST', '/api/auth/google/link', { password: 'correct horse' }],
    ['the end of the account', 'POST', '/api/user/delete', { username: 'x' }],
    ['a further factor', 'POST', '/api/auth/factors/totp/begin', { password: 'correct horse' }],
  ] as const)('%s: within ten minutes, in this session alone', async (_, method, url, payload) => {
    const user = await protectedUser()
    const call = (headers = user.headers, app = server) => app.app.inject({ method, url, headers, payload })
    expect(codeOf(await call())).not.toBe('factor.needed')
    clock.advance(10 * 60_000)
    expect(codeOf(await call())).toBe('factor.needed')
    await post(server, '/api/auth/factors/confirm', { code: nextCode(user.secret) }, user.headers)
    expect(codeOf(await call())).not.toBe('factor.needed')
    await expect.poll(async () => codeOf(await call(user.headers, second))).not.toBe('factor.needed')
    const other = await register(server)
    expect(codeOf(await call({ cookie: other.cookie }))).not.toBe('factor.needed')
  })
})

describe('a passkey', () => {
  const origin = 'http://localhost'
  const host = { host: 'localhost' }
  const at = async (url: string, body: object, headers: Record<string, string>) =>
    post(server, url, body, { ...headers, ...host })

  async function withPasskey() {
    const user = await register(server)
    const headers = headersOf({ token: user.token })
    const key = new SoftwarePasskey(origin)
    const begun = await at('/api/auth/factors/passkey/begin', { password: user.password }, headers)
    expect(begun.statusCode, begun.body).toBe(200)
    const { options } = begun.json<{ options: { challenge: string; rp: { id: string } } }>()
    expect(options.rp.id).toBe('localhost')
    const response = key.make(options)
    const added = await at('/api/auth/factors/passkey', { name: 'Key', response }, headers)
    expect(added.statusCode, added.body).toBe(200)
    return {
      user,
      headers,
      key,
      options,
      response,
      recovery: added.json<{ recovery_codes: string[] }>().recovery_codes,
    }
  }
  const questionAt = async (cookie: string, headers: Record<string, string> = host) =>
    (await get('/api/login/second-step', { cookie, ...headers })).json<FactorQuestion>()

  it('signs in after the password, with the bytes of a security key', async () => {
    const { user, key, recovery } = await withPasskey()
    expect(recovery).toHaveLength(10)
    for (let time = 0; time < 2; time += 1) {
      const cookie = await firstStep(user)
      const { methods, passkey_options } = await questionAt(cookie)
      expect(methods).toEqual(['passkey', 'recovery code'])
      const signedIn = await at('/api/login/second-step', { passkey: key.use(passkey_options!) }, { cookie })
      expect(signedIn.statusCode, signedIn.body).toBe(200)
    }
  })

  it('is refused with a used question, at another page, from another key, and as an older copy', async () => {
    const { user, key } = await withPasskey()
    const tryWith = async (make: (options: { challenge: string }) => object) => {
      const cookie = await firstStep(user)
      const { passkey_options } = await questionAt(cookie)
      return codeOf(await at('/api/login/second-step', { passkey: make(passkey_options!) }, { cookie }))
    }
    const cookie = await firstStep(user)
    const used = key.use((await questionAt(cookie)).passkey_options!)
    expect((await at('/api/login/second-step', { passkey: used }, { cookie })).statusCode).toBe(200)
    expect(await tryWith(() => used)).toBe('factor.wrong')
    expect(await tryWith((options) => key.use(options, 'http://localhost.evil.example'))).toBe('factor.wrong')
    expect(await tryWith((options) => new SoftwarePasskey(origin).use(options))).toBe('factor.wrong')
    expect(
      await tryWith((options) => ({ ...key.use(options), ...new SoftwarePasskey(origin).use(options), id: used.id })),
    ).toBe('factor.wrong')
    key.turnBack()
    expect(await tryWith((options) => key.use(options))).toBe('factor.wrong')
  })

  it('is added once for a question, by who was asked', async () => {
    const { headers, response } = await withPasskey()
    expect(codeOf(await at('/api/auth/factors/passkey', { name: 'Again', response }, headers))).toBe('passkey.ended')
    const other = await register(server)
    const begun = await at(
      '/api/auth/factors/passkey/begin',
      { password: other.password },
      headersOf({ token: other.token }),
    )
    const { options } = begun.json<{ options: { challenge: string } }>()
    const foreign = new SoftwarePasskey(origin).make(options)
    expect(codeOf(await at('/api/auth/factors/passkey', { name: 'Key', response: foreign }, headers))).toBe(
      'passkey.ended',
    )
  })

  it('is not offered at an address that is a number', async () => {
    const { user } = await withPasskey()
    const cookie = await firstStep(user)
    expect(await questionAt(cookie, { host: '127.0.0.1' })).toEqual({
      methods: ['recovery code'],
      passkey_options: null,
    })
    const fresh = await register(server)
    const headers = { ...headersOf({ token: fresh.token }), host: '127.0.0.1' }
    const begun = await post(server, '/api/auth/factors/passkey/begin', { password: fresh.password }, headers)
    expect(codeOf(begun)).toBe('passkey.site')
  })
})

it('is asked for after Google as well, and the visitor goes on to where they wanted to go', async () => {
  const begin = async () => {
    const answer = await get(`${GOOGLE_LOGIN_PATH}?return=%2Fstrategies`, {})
    const back = await visitGoogle(answer.headers.location!, { signInAs: 'factor-fan' })
    return get(back.pathname + back.search, { cookie: cookieHeader(answer) })
  }
  const cookie = cookieHeader(await begin())
  const { secret } = (await post(server, '/api/auth/factors/totp/begin', {}, { cookie })).json<{ secret: string }>()
  await post(server, '/api/auth/factors/totp', { name: 'Phone', secret, code: nextCode(secret) }, { cookie })
  const again = await begin()
  expect(again.headers.location).toBe('/login?step=2')
  expect((await get('/api/user', { cookie: cookieHeader(again) })).statusCode).toBe(401)
  const signedIn = await secondStep(cookieHeader(again), { code: nextCode(secret) })
  expect(signedIn.json()).toMatchObject({ return_path: '/strategies' })
})
