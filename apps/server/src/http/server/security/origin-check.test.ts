import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../../test-support/test-app.ts'
import { nextName, post, register, userOf } from '../../../../test-support/visitor.ts'

let server: TestApp
let behindProxy: TestApp
beforeAll(async () => {
  server = await createTestApp({ environment: { ALLOWED_HOSTS: 'tw.local' } })
  behindProxy = await createTestApp({
    database: server.database,
    environment: { APP_URL: 'https://trade.example.com' },
  })
})
afterAll(async () => {
  await behindProxy.close()
  await server.close()
})

const toggle = (app: TestApp, headers: Record<string, string>) =>
  post(app, '/api/auth/password/toggle', { enable: true }, headers)

describe('a state-changing call with a cookie', () => {
  it.each([
    ['of no browser', {}],
    ['of our own page', { origin: 'http://tw.local:3000' }],
    ['of our own page behind TLS', { origin: 'https://tw.local:3000' }],
    ['of our own page, marked so', { origin: 'http://tw.local:3000', 'sec-fetch-site': 'same-origin' }],
  ])('is served when it is %s', async (_, headers) => {
    const { cookie } = await register(server)
    expect((await toggle(server, { cookie, host: 'tw.local:3000', ...headers })).statusCode).toBe(200)
  })

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://tw.local:4000' }],
    ['of a site whose name begins like ours', { origin: 'http://tw.local:3000.evil.example' }],
    ['of nowhere', { origin: 'null' }],
    ['of nonsense', { origin: 'tw.local:3000' }],
    ['marked as cross-site', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused when it is %s', async (_, headers) => {
    const { cookie } = await register(server)
    const answer = await toggle(server, { cookie, host: 'tw.local:3000', ...headers })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({
      success: false,
      message: 'This request came from another site and was refused.',
    })
  })

  it('is served from the configured address whatever the proxy calls us', async () => {
    const { cookie } = await register(behindProxy)
    const from = (origin: string) => toggle(behindProxy, { cookie, host: '127.0.0.1:3000', origin })
    expect((await from('https://trade.example.com')).statusCode).toBe(200)
    expect((await from('http://trade.example.com')).statusCode).toBe(403)
  })
})

describe('another site', () => {
  const origin = 'https://evil.example'

  it('cannot sign a visitor in, register or sign out', async () => {
    const { username, password, cookie } = await register(server)
    expect((await post(server, '/api/login', { email: username, password }, { origin })).statusCode).toBe(403)
    expect((await post(server, '/api/register', { username: nextName(), password }, { origin })).statusCode).toBe(403)
    expect((await post(server, '/logout', undefined, { origin, cookie })).statusCode).toBe(403)
    expect((await userOf(server, { cookie })).statusCode).toBe(200)
  })

  it('may read nothing but harms nothing by asking', async () => {
    const { cookie } = await register(server)
    const answer = await server.app.inject({ method: 'GET', url: '/api/user', headers: { cookie, origin } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

it('exempts a call with a bearer token alone', async () => {
  const { token } = await register(server)
  const headers = { authorization: `Bearer ${token}`, origin: 'https://evil.example' }
  expect((await toggle(server, headers)).statusCode).toBe(200)
})
