import { ManualClock } from '@tradewright/core/clock'
import { GOOGLE_CALLBACK_PATH, GOOGLE_LOGIN_PATH } from '@tradewright/contract/auth'
import { afterEach, describe, expect, it } from 'vitest'
import { startGoogleStandIn } from '../../../test-support/google-stand-in.ts'
import { visitGoogle } from '../../../test-support/google-visitor.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { cookieHeader, nextName, post, signIn } from '../../../test-support/visitor.ts'
import { createInvitation } from '../../auth/admission.ts'
import { createInvitationStore } from '../../stores/auth/invitations.ts'

const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function appWith(environment: Record<string, string>): Promise<TestApp> {
  const app = await createTestApp({ clock, environment })
  closers.push(() => app.close())
  return app
}

const newAccount = (app: TestApp, more: object = {}) =>
  post(app, '/api/register', { username: nextName(), password: 'correct horse', ...more })
const offered = async (app: TestApp) =>
  (await app.app.inject({ url: '/api/auth/registration' })).json<{ registration: string }>()
const invite = async (app: TestApp, days = 7) =>
  (await createInvitation({ invitations: createInvitationStore(app.database.database), clock }, days)).token

describe('closed registration', () => {
  it('lets the first account in and no other', async () => {
    const app = await appWith({ REGISTRATION: 'closed' })
    expect(await offered(app)).toEqual({ registration: 'open', min_password_length: 1 })
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => newAccount(app)))).map((one) => one.statusCode)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403, 403])
    expect(await offered(app)).toMatchObject({ registration: 'closed' })
    const refused = await newAccount(app, { invite: await invite(app) })
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ message: 'Registration is closed on this site.' })
  })
})

describe('registration by invitation', () => {
  async function invitingApp(environment: Record<string, string> = {}): Promise<TestApp> {
    const app = await appWith({ REGISTRATION: 'invite', ...environment })
    expect((await newAccount(app)).statusCode).toBe(200)
    return app
  }

  it('takes an invitation once', async () => {
    const app = await invitingApp()
    expect(await offered(app)).toMatchObject({ registration: 'invite' })
    expect((await newAccount(app)).json()).toMatchObject({ message: 'New accounts need an invitation on this site.' })
    const token = await invite(app)
    const statuses = (await Promise.all([newAccount(app, { invite: token }), newAccount(app, { invite: token })])).map(
      (one) => one.statusCode,
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403])
    expect((await newAccount(app, { invite: token })).json()).toMatchObject({
      message: 'This invitation has already been used or has expired.',
    })
  })

  it('keeps an invitation whose username was taken', async () => {
    const app = await invitingApp()
    const token = await invite(app)
    const username = nextName()
    await newAccount(app, { username, invite: await invite(app) })
    expect((await newAccount(app, { username, invite: token })).statusCode).toBe(409)
    expect((await newAccount(app, { invite: token })).statusCode).toBe(200)
  })

  it('refuses an invitation that has expired or was made up', async () => {
    const app = await invitingApp()
    const token = await invite(app, 2)
    clock.advance(2 * 86_400_000)
    for (const one of [token, 'x'.repeat(43), 'short', '']) {
      expect((await newAccount(app, { invite: one })).statusCode).toBe(403)
    }
  })

  it('holds for Google as well', async () => {
    const google = await startGoogleStandIn({ redirectUris: [`http://localhost${GOOGLE_CALLBACK_PATH}`] })
    closers.push(() => google.close())
    const app = await invitingApp(google.environment)
    const signUp = async (name: string, query = '') => {
      const begun = await app.app.inject({ url: GOOGLE_LOGIN_PATH + query })
      const back = await visitGoogle(begun.headers.location!, { signInAs: name })
      return app.app.inject({ url: back.pathname + back.search, headers: { cookie: cookieHeader(begun) } })
    }
    const [ann, bob] = [nextName(), nextName()]
    expect((await signUp(ann)).headers.location).toBe('/login?error=invitation_needed')
    const token = await invite(app)
    expect((await signUp(ann, `?invite=${token}`)).headers.location).toBe('/')
    expect((await signUp(bob, `?invite=${token}`)).headers.location).toBe('/login?error=invitation_ended')
    // An account that exists signs in without one.
    expect((await signUp(ann)).headers.location).toBe('/')
  })
})

describe('passwords', () => {
  it.each([
    ['HOST', { HOST: '0.0.0.0' }],
    ['APP_URL', { APP_URL: 'https://trade.example.com' }],
  ])('need eight characters where other machines reach the server by %s', async (_, environment) => {
    const app = await appWith(environment)
    expect(await offered(app)).toMatchObject({ min_password_length: 8 })
    const username = nextName()
    for (const [password, message] of [
      ['seven77', 'Password must have at least 8 characters.'],
      ['Password1', 'This password is among the most common ones. Please choose another one.'],
      [username.toUpperCase(), 'Password must not be the username.'],
    ] as const) {
      const answer = await newAccount(app, { username, password })
      expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([400, message])
    }
    expect((await newAccount(app, { username, password: 'blue canoe' })).statusCode).toBe(200)
    expect((await signIn(app, username, 'blue canoe')).statusCode).toBe(200)
  })

  it('are as long as the operator asks, also when they are changed', async () => {
    const app = await appWith({ MIN_PASSWORD_LENGTH: '12' })
    const made = await newAccount(app, { email: 'maria@example.com' })
    const change = (new_password: string) =>
      post(
        app,
        '/api/auth/password/change',
        { current_password: 'correct horse', new_password },
        { cookie: cookieHeader(made) },
      )
    expect((await change('blue canoe')).json()).toMatchObject({ message: 'Password must have at least 12 characters.' })
    expect((await change('Maria@Example.com')).json()).toMatchObject({ message: 'Password must not be the username.' })
    expect((await change('blue canoe 42')).json()).toEqual({ success: true })
  })

  it('may be anything on a server that only this machine reaches', async () => {
    const app = await appWith({ HOST: '127.0.0.1' })
    expect(await offered(app)).toMatchObject({ min_password_length: 1 })
    expect((await newAccount(app, { password: 'a' })).statusCode).toBe(200)
  })
})
