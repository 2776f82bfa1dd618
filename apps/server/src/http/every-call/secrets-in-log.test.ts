import { GOOGLE_CALLBACK_PATH, GOOGLE_LOGIN_PATH } from '@tradewright/contract/auth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GOOGLE_CLIENT_SECRET, startGoogleStandIn, type GoogleStandIn } from '../../../test-support/google-stand-in.ts'
import { visitGoogle } from '../../../test-support/google-visitor.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { cookieHeader, nextName, post, register, signIn, userOf } from '../../../test-support/visitor.ts'
import { createLog } from '../../log.ts'

const lines: string[] = []
const secrets = new Map<string, string>()
let google: GoogleStandIn
let server: TestApp
beforeAll(async () => {
  google = await startGoogleStandIn({ redirectUris: [`http://localhost${GOOGLE_CALLBACK_PATH}`] })
  const log = createLog({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
  server = await createTestApp({ environment: google.environment, log })
})
afterAll(async () => {
  await server.close()
  await google.close()
})

const keep = (what: string, secret: string | null | undefined) => {
  if (!secret) throw new Error(`the test found no ${what}`)
  secrets.set(what, secret)
  return secret
}
const valueOf = (cookie: string) => cookie.split('=')[1]
const get = (url: string, cookie: string) => server.app.inject({ method: 'GET', url, headers: { cookie } })

async function usePasswords(): Promise<void> {
  const password = keep('password', 'Tr0ub4dor&3-and-more')
  const { cookie, token, username } = await register(server, nextName(), password)
  keep('session cookie', valueOf(cookie))
  keep('bearer token', token)
  await userOf(server, { cookie, token })
  await signIn(server, username, keep('wrong password', 'wr0ng-but-private'))
  await signIn(server, keep('password typed as name', 'oops-my-password-1'), 'x')
  await post(server, '/api/register', { username, password: keep('password of a conflict', 'conflicting-secret') })
  await post(server, '/api/auth/password/set', { password: keep('second password', 'second-secret-9') }, { cookie })
  await server.app.inject({
    method: 'POST',
    url: '/api/login',
    headers: { 'content-type': 'application/json' },
    payload: `{"email":"a","password":"${keep('password in broken JSON', 'br0ken')}`,
  })
  await post(server, '/logout', undefined, { cookie, authorization: `Bearer ${token}` })
}

async function useGoogle(): Promise<void> {
  keep('client secret', GOOGLE_CLIENT_SECRET)
  for (const outcome of ['good', 'made-up code', 'replayed'] as const) {
    const begun = await get(GOOGLE_LOGIN_PATH, '')
    const browser = cookieHeader(begun)
    keep(`browser cookie (${outcome})`, valueOf(browser))
    const callback = await visitGoogle(begun.headers.location!, { signInAs: nextName() })
    keep(`code (${outcome})`, callback.searchParams.get('code'))
    keep(`state (${outcome})`, callback.searchParams.get('state'))
    if (outcome === 'made-up code') callback.searchParams.set('code', keep('made-up code', 'made-up-code-7'))
    const answer = await get(callback.pathname + callback.search, browser)
    if (outcome === 'replayed') await get(callback.pathname + callback.search, browser)
    if (outcome === 'good') keep('session of Google', valueOf(cookieHeader(answer)))
  }
  const flows = await server.database.database.selectFrom('google_flows').selectAll().execute()
  expect(flows).toEqual([])
}

/** A failure on our side is logged with its trace; the query's values must not be in it. */
async function failInTheDatabase(): Promise<void> {
  const { username, cookie } = await register(server)
  await server.database.pool.query('ALTER TABLE sessions RENAME TO sessions_away')
  keep('cookie of a failing call', valueOf(cookie))
  const answer = await signIn(server, username, 'correct horse')
  expect(answer.statusCode).toBe(500)
  expect((await get('/api/user', cookie)).statusCode).toBe(500)
  await server.database.pool.query('ALTER TABLE sessions_away RENAME TO sessions')
}

it('never logs a password, token, cookie or code, at any level', async () => {
  await usePasswords()
  await useGoogle()
  await failInTheDatabase()
  const log = lines.join('')
  expect(log).toContain('/api/login')
  expect(log).toContain('google.response')
  expect(log).toContain('unexpected failure')
  expect(lines.length).toBeGreaterThan(20)
  const found = [...secrets].filter(([, secret]) => log.includes(secret)).map(([what]) => what)
  expect(found).toEqual([])
})
