import { GOOGLE_CALLBACK_PATH, GOOGLE_LOGIN_PATH } from '@tradewright/contract/auth'
import { ManualClock } from '@tradewright/core/clock'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGoogleStandIn, type GoogleStandIn } from '../../../test-support/google-stand-in.ts'
import { visitGoogle, type GoogleChoice } from '../../../test-support/google-visitor.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { cookieHeader, credentialsOf, nextName, post, register, signIn, userOf } from '../../../test-support/visitor.ts'

const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
let google: GoogleStandIn
let server: TestApp
beforeAll(async () => {
  google = await startGoogleStandIn({ redirectUris: [`http://localhost${GOOGLE_CALLBACK_PATH}`] })
  server = await createTestApp({ environment: google.environment, clock })
})
afterAll(async () => {
  await server.close()
  await google.close()
})

const get = (url: string, cookie = '') => server.app.inject({ method: 'GET', url, headers: { cookie } })
const pathOf = (url: URL) => url.pathname + url.search

interface Begun {
  url: string
  browser: string
}

async function beginLogin(query = ''): Promise<Begun> {
  const answer = await get(GOOGLE_LOGIN_PATH + query)
  expect(answer.statusCode).toBe(302)
  return { url: answer.headers.location!, browser: cookieHeader(answer) }
}

async function beginLink(cookie: string): Promise<Begun> {
  const answer = await post(server, '/api/auth/google/link', { password: 'correct horse' }, { cookie })
  const { redirect_url: url } = answer.json<{ redirect_url: string }>()
  return { url, browser: `${cookie}; ${cookieHeader(answer)}` }
}

async function comeBack({ url, browser }: Begun, choice: GoogleChoice): Promise<LightMyRequestResponse> {
  return get(pathOf(await visitGoogle(url, choice)), browser)
}

const signInAs = async (name: string) => comeBack(await beginLogin(), { signInAs: name })
const linkAs = async (name: string, cookie: string) => comeBack(await beginLink(cookie), { signInAs: name })
const methodsOf = async (cookie: string) => (await get('/api/auth/methods', cookie)).json<object>()

describe('signing in with Google', () => {
  it('sends the browser to Google [SHELL-073]', async () => {
    const { url, browser } = await beginLogin()
    const { searchParams } = new URL(url)
    expect(url.startsWith(`${google.issuer}/auth?`)).toBe(true)
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('prompt')).toBe('select_account')
    expect(searchParams.get('redirect_uri')).toBe(`http://localhost${GOOGLE_CALLBACK_PATH}`)
    expect(browser).not.toContain(searchParams.get('state'))
  })

  it('makes a user at the first time and finds the same user again', async () => {
    const name = nextName()
    const first = await signInAs(name)
    expect(first.headers.location).toBe('/')
    const user = (await userOf(server, { cookie: cookieHeader(first) })).json<object>()
    expect(user).toMatchObject({ username: `${name}@example.com`, email: `${name}@example.com` })
    const second = await signInAs(name)
    expect((await userOf(server, { cookie: cookieHeader(second) })).json()).toEqual(user)
    expect(await methodsOf(cookieHeader(second))).toEqual({
      password_enabled: false,
      has_password: false,
      google_linked: true,
      google_email: `${name}@example.com`,
      oauth_provider: 'google',
    })
  })

  it.each([
    ['/live-trading/12?tab=logs#end', '/live-trading/12?tab=logs#end'],
    ['//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/backtest\r\nset-cookie: a=b', '/'],
    ['/login', '/'],
    ['/api/auth/logout', '/'],
  ])('goes on to %j as %s', async (wanted, location) => {
    const begun = await beginLogin(`?return=${encodeURIComponent(wanted)}`)
    expect((await comeBack(begun, { signInAs: nextName() })).headers.location).toBe(location)
  })

  it('makes one user of two tabs that come back at the same moment', async () => {
    const name = nextName()
    const tabs = await Promise.all([signInAs(name), signInAs(name)])
    expect(tabs.map((tab) => tab.headers.location)).toEqual(['/', '/'])
    const users = await Promise.all(tabs.map((tab) => userOf(server, { cookie: cookieHeader(tab) })))
    expect(users[0]!.json()).toEqual(users[1]!.json())
  })

  it('is not stopped by an account that claims the address, and does not take that one over', async () => {
    const name = nextName()
    const claimed = await register(server, `${name}@EXAMPLE.com`, 'squatting here')
    const owner = await signInAs(name)
    expect(owner.headers.location).toBe('/')
    const user = (await userOf(server, { cookie: cookieHeader(owner) })).json<{ id: number; username: string }>()
    expect(user).toMatchObject({ username: `${name}@example.com (Google)`, email: `${name}@example.com` })
    expect(user.id).not.toBe(claimed.id)
    expect((await signIn(server, claimed.username, 'squatting here')).json()).toMatchObject({ id: claimed.id })
    await post(server, '/api/auth/password/set', { password: 'owned by ann' }, { cookie: cookieHeader(owner) })
    expect((await signIn(server, `${name}@example.com`, 'owned by ann')).json()).toMatchObject({ id: user.id })
  })

  it('does not take over the account that has proven the address', async () => {
    const name = nextName()
    const { id } = await register(server, `${name}@EXAMPLE.com`)
    const users = server.database.database.updateTable('users')
    await users.set({ email_state: 'verified' }).where('id', '=', id).execute()
    const answer = await signInAs(name)
    expect(answer.headers.location).toBe('/login?error=email_taken')
    expect(cookieHeader(answer)).not.toContain('tradewright_session')
  })

  it('takes no address that Google has not verified', async () => {
    expect((await signInAs(`unverified-${nextName()}`)).headers.location).toBe('/login?error=login_failed')
  })

  it('takes no account with a character that cannot be stored', async () => {
    expect((await signInAs(`${nextName()}\0`)).headers.location).toBe('/login?error=invalid_oauth_response')
  })

  it('says when the visitor cancelled', async () => {
    expect((await comeBack(await beginLogin(), 'cancel')).headers.location).toBe('/login?error=access_denied')
  })

  it('finishes once: a replayed callback is refused', async () => {
    const begun = await beginLogin()
    const callback = pathOf(await visitGoogle(begun.url, { signInAs: nextName() }))
    expect((await get(callback, begun.browser)).headers.location).toBe('/')
    const replayed = await get(callback, begun.browser)
    expect(replayed.headers.location).toBe('/login?error=invalid_state')
    expect(cookieHeader(replayed)).not.toContain('tradewright_session')
  })

  it('finishes only in the browser that began', async () => {
    const begun = await beginLogin()
    const callback = pathOf(await visitGoogle(begun.url, { signInAs: nextName() }))
    const { browser: another } = await beginLogin()
    expect((await get(callback, another)).headers.location).toBe('/login?error=invalid_state')
  })

  it('gives up after ten minutes', async () => {
    const begun = await beginLogin()
    const callback = pathOf(await visitGoogle(begun.url, { signInAs: nextName() }))
    clock.advance(10 * 60_000)
    expect((await get(callback, begun.browser)).headers.location).toBe('/login?error=invalid_state')
  })

  it.each(['', '?code=x', '?state=wrong&code=x', '?state=a&state=b', '?error=access_denied'])(
    'refuses a callback without a start: %s',
    async (query) => {
      expect((await get(GOOGLE_CALLBACK_PATH + query)).headers.location).toBe('/login?error=invalid_state')
    },
  )

  it('refuses a code that Google did not give', async () => {
    const { url, browser } = await beginLogin()
    const state = new URL(url).searchParams.get('state')!
    const callback = `${GOOGLE_CALLBACK_PATH}?code=made-up&state=${state}&iss=${encodeURIComponent(google.issuer)}`
    expect((await get(callback, browser)).headers.location).toBe('/login?error=invalid_oauth_response')
  })

  it('ends the session that the browser had before', async () => {
    const { cookie } = await register(server)
    const { url, browser } = await beginLogin()
    await comeBack({ url, browser: `${browser}; ${cookie}` }, { signInAs: nextName() })
    expect((await userOf(server, { cookie })).statusCode).toBe(401)
  })
})

describe('linking a Google account', () => {
  it('links it, and then it signs in to the same user [SET-016] [SET-061] [SET-062]', async () => {
    const { cookie, username } = await register(server)
    const name = nextName()
    expect((await linkAs(name, cookie)).headers.location).toBe('/settings?success=google_linked')
    expect(await methodsOf(cookie)).toEqual({
      password_enabled: true,
      has_password: true,
      google_linked: true,
      google_email: `${name}@example.com`,
      oauth_provider: 'google',
    })
    const signedIn = await signInAs(name)
    expect((await userOf(server, { cookie: cookieHeader(signedIn) })).json()).toMatchObject({ username })
  })

  it('asks for the password, and limits guesses', async () => {
    const { cookie } = await register(server)
    const link = (body?: object) => post(server, '/api/auth/google/link', body, { cookie })
    expect((await link()).json()).toMatchObject({ error: 'Enter your password to link a Google account.' })
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await link({ password: 'a guess' })).json()).toMatchObject({ error: 'The current password is wrong.' })
    }
    expect((await link({ password: 'correct horse' })).statusCode).toBe(429)
    expect(await methodsOf(cookie)).toMatchObject({ google_linked: false })
  })

  it('proves the address of the account where it is the same', async () => {
    const name = nextName()
    const { cookie } = await register(server, `${name}@example.com`)
    await linkAs(name, cookie)
    expect((await get('/api/auth/email', cookie)).json()).toMatchObject({ verified: true })
  })

  it('refuses one that belongs to another user [SET-086]', async () => {
    const name = nextName()
    await signInAs(name)
    const { cookie } = await register(server)
    expect((await linkAs(name, cookie)).headers.location).toBe('/settings?error=google_account_already_linked')
    expect(await methodsOf(cookie)).toMatchObject({ google_linked: false })
  })

  it('refuses a second one while the first is linked', async () => {
    const { cookie } = await register(server)
    const another = await beginLink(cookie)
    await linkAs(nextName(), cookie)
    expect((await comeBack(another, { signInAs: nextName() })).headers.location).toBe('/settings?error=linking_failed')
    const answer = await post(server, '/api/auth/google/link', { password: 'correct horse' }, { cookie })
    expect(answer.statusCode).toBe(409)
  })

  it('maps a cancelled or foreign answer to the codes of Settings [SET-085]', async () => {
    const { cookie } = await register(server)
    const cancelled = await comeBack(await beginLink(cookie), 'cancel')
    expect(cancelled.headers.location).toBe('/settings?error=invalid_oauth_response')
    const foreign = await get(`${GOOGLE_CALLBACK_PATH}?state=wrong&code=x`, cookie)
    expect(foreign.headers.location).toBe('/settings?error=invalid_state')
  })

  it('refuses when the password was changed since, with an earlier session and with the one that stays', async () => {
    const owner = await register(server)
    const thief = credentialsOf(await signIn(server, owner.username, 'correct horse'))
    const [begun, kept] = [await beginLink(thief.cookie), await beginLink(owner.cookie)]
    const passwords = { current_password: 'correct horse', new_password: 'another horse' }
    expect((await post(server, '/api/auth/password/change', passwords, { cookie: owner.cookie })).statusCode).toBe(200)
    for (const flow of [begun, kept]) {
      const answer = await comeBack(flow, { signInAs: nextName() })
      expect(answer.headers.location).toBe('/settings?error=invalid_state')
    }
    expect(await methodsOf(owner.cookie)).toMatchObject({ google_linked: false })
  })

  it('refuses when the browser is signed out', async () => {
    const { cookie } = await register(server)
    const { url, browser } = await beginLink(cookie)
    const flowCookie = browser.split('; ').find((part) => part.startsWith('tradewright_google'))!
    const answer = await comeBack({ url, browser: flowCookie }, { signInAs: nextName() })
    expect(answer.headers.location).toContain('error=')
    expect(await methodsOf(cookie)).toMatchObject({ google_linked: false })
  })

  it('refuses when another user signed in on the browser meanwhile', async () => {
    const { url, browser } = await beginLink((await register(server)).cookie)
    const other = await register(server)
    const flowCookie = browser.split('; ').find((cookie) => cookie.startsWith('tradewright_google'))!
    const answer = await comeBack({ url, browser: `${other.cookie}; ${flowCookie}` }, { signInAs: nextName() })
    expect(answer.headers.location).toBe('/settings?error=invalid_state')
    expect(await methodsOf(other.cookie)).toMatchObject({ google_linked: false })
  })
})

describe('without Google', () => {
  it('comes back with a clear message where none is configured [SHELL-073] [SET-062]', async () => {
    const plain = await createTestApp({ database: server.database })
    const login = await plain.app.inject({ method: 'GET', url: GOOGLE_LOGIN_PATH })
    expect([login.statusCode, login.headers.location]).toEqual([302, '/login?error=google_unavailable'])
    const callback = await plain.app.inject({ method: 'GET', url: `${GOOGLE_CALLBACK_PATH}?state=x&code=y` })
    expect(callback.headers.location).toBe('/login?error=google_unavailable')
    const { cookie } = await register(plain)
    const link = await post(plain, '/api/auth/google/link', undefined, { cookie })
    expect(link.statusCode).toBe(409)
    expect(link.json()).toMatchObject({ error: 'Sign in with Google is not available on this site.' })
    await plain.close()
  })

  it('says so while Google cannot be reached, and works once it can', async () => {
    const redirectUris = [`https://trade.example.com${GOOGLE_CALLBACK_PATH}`]
    const away = await startGoogleStandIn({ redirectUris })
    const environment = { ...away.environment, APP_URL: 'https://trade.example.com/' }
    await away.close()
    const waiting = await createTestApp({ database: server.database, environment })
    const login = () => waiting.app.inject({ method: 'GET', url: GOOGLE_LOGIN_PATH })
    expect((await login()).headers.location).toBe('/login?error=google_unavailable')
    const back = await startGoogleStandIn({ redirectUris, port: Number(new URL(away.issuer).port) })
    const { searchParams } = new URL((await login()).headers.location!)
    expect(searchParams.get('redirect_uri')).toBe(redirectUris[0])
    await waiting.close()
    await back.close()
  })
})
