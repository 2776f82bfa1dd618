import { ErrorAnswer } from '@tradewright/contract/answers'
import { SignedIn } from '@tradewright/contract/auth'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { nextName, post, register, signIn } from '../../../test-support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await sharedTestApp()
})

/** A 4xx whose sentence stands in both fields that callers read. */
function expectRefused(answer: LightMyRequestResponse, sentence?: string): void {
  expect([answer.statusCode >= 400 && answer.statusCode < 500, answer.body]).toEqual([true, answer.body])
  const { success, error, message } = ErrorAnswer.parse(answer.json())
  expect({ success, error }).toEqual({ success: false, error: message })
  expect(message.length).toBeGreaterThan(5)
  if (sentence) expect(message).toBe(sentence)
}

const raw = (url: string, payload: string, type: string, remoteAddress = '127.0.0.1') =>
  server.app.inject({ method: 'POST', url, payload, remoteAddress, headers: { 'content-type': type } })

const bad: [string, unknown][] = [
  ['missing', undefined],
  ['null', null],
  ['empty', ''],
  ['blank', ' \t '],
  ['a number', 42],
  ['a boolean', true],
  ['an array', ['a']],
  ['an object', { $ne: null }],
]
const USERNAME = 'Username is required.'
const PASSWORD = 'Password is required.'

describe.each([
  ['/api/register', 'username'],
  ['/api/login', 'email'],
] as const)('POST %s', (url, name) => {
  it.each(bad)('refuses a username that is %s [SHELL-060] [SHELL-061] [SHELL-067] [SHELL-070]', async (_, value) => {
    expectRefused(await post(server, url, { [name]: value, password: 'x' }), USERNAME)
  })

  it.each(bad)('refuses a password that is %s [SHELL-060] [SHELL-061] [SHELL-067] [SHELL-070]', async (_, value) => {
    expectRefused(await post(server, url, { [name]: nextName(), password: value }), PASSWORD)
  })

  it.each([
    ['too long', 'x'.repeat(255)],
    ['with a NUL', 'a\0b'],
    ['with a line break', 'a\nb'],
    ['half a surrogate pair', 'a\ud800b'],
    ['of invisible characters alone', '\u200b\u200d\ufeff'],
    ['longer than it looks', '\ufdfa'.repeat(254)],
  ])('refuses a username that is %s', async (_, value) => {
    expectRefused(await post(server, url, { [name]: value, password: 'x' }))
  })

  it('refuses a password that is too long', async () => {
    expectRefused(await post(server, url, { [name]: nextName(), password: 'x'.repeat(1025) }))
  })

  it.each([
    ['not JSON', '{"username": ', 'application/json'],
    ['JSON of another shape', '[]', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a JSON string', '"hello"', 'application/json'],
    ['a number', '1e999', 'application/json'],
    ['an attempt on the prototype', '{"__proto__":{"username":"x"},"password":"x"}', 'application/json'],
    ['empty', '', 'application/json'],
    ['a form', 'username=a&password=b', 'application/x-www-form-urlencoded'],
    ['text', 'username=a', 'text/plain'],
    ['a file', '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
    ['of no known type', 'abc', 'nonsense'],
    ['too large', JSON.stringify({ username: 'x'.repeat(2_000_000) }), 'application/json'],
  ])('refuses a body that is %s [SHELL-075]', async (_, payload, type) => {
    expectRefused(await raw(url, payload, type))
  })

  it('answers or refuses any JSON, and never breaks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), almost(name)), async (body) => {
        // From an address of its own: chance may well try too many passwords.
        const answer = await raw(url, JSON.stringify(body), 'application/json', '192.0.2.1')
        if (answer.statusCode === 200) SignedIn.parse(answer.json())
        else expectRefused(answer)
      }),
      { numRuns: 150 },
    )
  })
})

/** Bodies of the right shape with wrong values, which chance alone would hardly find. */
function almost(name: string) {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(...bad.map(([, value]) => value)),
    fc.jsonValue(),
  )
  return fc.record({ [name]: value, email: value, password: value }, { requiredKeys: [] })
}

describe('unusual names and passwords that are fine', () => {
  it.each([
    "Robert'); DROP TABLE users;--",
    "' OR '1'='1",
    '"; SELECT pg_sleep(10); --',
    '%_\\',
    '<script>alert(1)</script>',
    '${7*7}{{7*7}}',
    'نص عربي',
    '株式会社',
    '👩‍👩‍👧‍👦',
    'Ω≈ç√∫˜µ≤≥÷',
    'a b c',
    '../../etc/passwd',
  ])('registers and signs in %j', async (text) => {
    const { username } = await register(server, `${text} ${nextName()}`, text)
    const answer = await signIn(server, username, text)
    expect(answer.json()).toMatchObject({ username })
    expect((await signIn(server, text, text)).statusCode).toBe(401)
  })

  it('takes the longest username and password that are allowed', async () => {
    const name = nextName()
    const username = name + '𝒳'.repeat((254 - name.length) / 2)
    const { password } = await register(server, username, 'é'.repeat(1024))
    expect((await signIn(server, username, password)).statusCode).toBe(200)
  })
})

describe('other requests', () => {
  it.each([
    ['GET', '/api/nothing'],
    ['POST', '/api/nothing/here'],
    ['DELETE', '/api'],
    ['GET', '/api/user/1'],
    ['PUT', '/api/login'],
  ] as const)('%s %s answers 404 as JSON [SHELL-074]', async (method, url) => {
    const answer = await server.app.inject({ method, url, headers: { accept: 'text/html' } })
    expect(answer.statusCode).toBe(404)
    expectRefused(answer)
  })

  it('answers a malformed path with a 4xx', async () => {
    expectRefused(await server.app.inject({ method: 'GET', url: '/api/%E0%A4%A' }))
  })

  it.each(['Bearer', 'Bearer ', `Bearer ${'x'.repeat(5000)}`, 'Basic YTpi', "Bearer ' OR 1=1"])(
    'treats the authorization %j as none',
    async (authorization) => {
      const answer = await server.app.inject({ method: 'GET', url: '/api/user', headers: { authorization } })
      expect(answer.statusCode).toBe(401)
    },
  )

  it.each(['tradewright_session=', 'tradewright_session=%00', 'tradewright_session=%', '=;;=', 'a'.repeat(3000)])(
    'treats the cookie %j as none',
    async (cookie) => {
      const answer = await server.app.inject({ method: 'GET', url: '/api/user', headers: { cookie } })
      expect(answer.statusCode).toBe(401)
    },
  )

  it('sends security headers with every kind of answer', async () => {
    for (const url of ['/api/user', '/api/nothing', '/health']) {
      const { headers } = await server.app.inject({ method: 'GET', url })
      expect(headers['content-security-policy']).toContain("script-src 'self';")
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    }
  })
})
