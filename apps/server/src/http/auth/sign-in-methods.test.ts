import { beforeAll, describe, expect, it } from 'vitest'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { post, register, signIn } from '../../../test-support/visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await sharedTestApp()
})

const methods = async (cookie: string) =>
  (await server.app.inject({ method: 'GET', url: '/api/auth/methods', headers: { cookie } })).json<object>()
const toggle = (cookie: string, enable: unknown) => post(server, '/api/auth/password/toggle', { enable }, { cookie })
const unlink = (cookie: string) => post(server, '/api/auth/google/unlink', undefined, { cookie })

/** The Google side is tried with a real provider elsewhere; here the link is simply there. */
async function linked() {
  const user = await register(server)
  const google = { google_subject: `sub ${user.id}`, google_email: 'google-user@example.com' }
  await server.database.database.updateTable('users').set(google).where('id', '=', user.id).execute()
  return user
}

describe('the sign-in methods', () => {
  it('are a password and no Google after registering [SET-022] [SET-061]', async () => {
    const { cookie } = await register(server)
    expect(await methods(cookie)).toEqual({
      password_enabled: true,
      google_linked: false,
      google_email: null,
      oauth_provider: null,
      has_password: true,
    })
  })

  it.each([
    ['GET', '/api/auth/methods'],
    ['POST', '/api/auth/password/toggle'],
    ['POST', '/api/auth/password/set'],
    ['POST', '/api/auth/google/link'],
    ['POST', '/api/auth/google/unlink'],
  ] as const)('are for signed-in users: %s %s [SHELL-064]', async (method, url) => {
    const answer = await server.app.inject({ method, url })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ success: false })
  })
})

describe('password sign-in', () => {
  it('stays on without Google, with the sentence of the specification [SET-043] [SET-064] [SET-070]', async () => {
    const { cookie } = await register(server)
    const answer = await toggle(cookie, false)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      error: 'Cannot disable password authentication without linking Google account first',
    })
    expect(await methods(cookie)).toMatchObject({ password_enabled: true })
  })

  it('can be switched off and on with Google; only who knows the password is told [SET-024]', async () => {
    const { cookie, username, password } = await linked()
    expect((await toggle(cookie, false)).json()).toEqual({ success: true })
    expect((await signIn(server, username, 'wrong')).statusCode).toBe(401)
    const refused = await signIn(server, username, password)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ code: 'sign-in.password-off' })
    expect((await toggle(cookie, true)).json()).toEqual({ success: true })
    expect((await signIn(server, username, password)).statusCode).toBe(200)
  })

  it.each([undefined, null, 'true', 1, {}])('takes true or false, not %j', async (enable) => {
    const { cookie } = await linked()
    expect((await toggle(cookie, enable)).statusCode).toBe(400)
  })

  it('is never lost together with Google when both go at the same moment [SET-044]', async () => {
    const { cookie } = await linked()
    const answers = await Promise.all([toggle(cookie, false), unlink(cookie)])
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 400])
  })
})

describe('unlinking Google', () => {
  it('is refused where nothing is linked [SET-071]', async () => {
    const { cookie } = await register(server)
    const answer = await unlink(cookie)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'No Google account is linked.' })
  })

  it('is refused while password sign-in is off [SET-025] [SET-063]', async () => {
    const { cookie } = await linked()
    await toggle(cookie, false)
    expect((await unlink(cookie)).statusCode).toBe(400)
    await toggle(cookie, true)
    expect((await unlink(cookie)).json()).toEqual({ success: true })
    expect(await methods(cookie)).toMatchObject({ google_linked: false, google_email: null })
  })
})

describe('setting a password', () => {
  it('gives a user of Google a second way to sign in, once', async () => {
    const { cookie, username, id } = await linked()
    const users = server.database.database.updateTable('users')
    await users.set({ password_hash: null, password_enabled: false }).where('id', '=', id).execute()
    expect((await toggle(cookie, true)).json()).toMatchObject({ error: expect.stringContaining('Set a password') })
    const set = (password: string) => post(server, '/api/auth/password/set', { password }, { cookie })
    expect((await set(' ')).statusCode).toBe(400)
    expect((await set('my own')).json()).toEqual({ success: true })
    expect((await signIn(server, username, 'my own')).statusCode).toBe(200)
    expect((await set('another')).statusCode).toBe(409)
  })

  it('needs a fresh sign-in: a session that was stolen cannot add it', async () => {
    const { cookie, id } = await linked()
    const { database } = server.database
    await database
      .updateTable('users')
      .set({ password_hash: null, password_enabled: false })
      .where('id', '=', id)
      .execute()
    const signedInAt = new Date(Date.now() - 16 * 60_000)
    await database.updateTable('sessions').set({ created_at: signedInAt }).where('user_id', '=', id).execute()
    const answer = await post(server, '/api/auth/password/set', { password: 'my own' }, { cookie })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ code: 'sign-in.stale' })
  })
})
