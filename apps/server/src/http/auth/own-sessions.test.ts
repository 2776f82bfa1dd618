import { listSessions, type OwnSession } from '@tradewright/contract/sessions'
import { ManualClock } from '@tradewright/core/clock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { credentialsOf, post, register, signIn, userOf } from '../../../test-support/visitor.ts'

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1'
const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
let server: TestApp
beforeAll(async () => {
  server = await createTestApp({ clock })
})
afterAll(() => server.close())

async function sessionsOf(cookie: string): Promise<OwnSession[]> {
  const answer = await server.app.inject({ url: '/api/auth/sessions', headers: { cookie } })
  return listSessions.answer.parse(answer.json()).sessions
}

const remove = (cookie: string, path: string) =>
  server.app.inject({ method: 'DELETE', url: `/api/auth/sessions${path}`, headers: { cookie } })

/** A user who is signed in at a desk and, an hour later, on a phone. */
async function inTwoPlaces() {
  const signalService = await register(server)
  clock.advance(3_600_000)
  const phone = credentialsOf(
    await signIn(server, signalService.username, signalService.password, { 'user-agent': PHONE }),
  )
  return { ...signalService, phone }
}

it('lists where the user is signed in, this place first', async () => {
  const { cookie, phone } = await inTwoPlaces()
  const listed = await sessionsOf(phone.cookie)
  expect(listed.map(({ device, is_current }) => [device, is_current])).toEqual([
    ['Safari on iPhone', true],
    [expect.stringContaining('Program'), false],
  ])
  expect(listed[0]?.last_seen_at).toBe(clock.now().toISOString())
  expect(JSON.stringify(listed)).not.toContain(cookie.split('=')[1])
})

it('signs out another place at once', async () => {
  const { cookie, phone } = await inTwoPlaces()
  const other = (await sessionsOf(phone.cookie)).find(({ is_current }) => !is_current)
  expect((await remove(phone.cookie, `/${other?.id}`)).json()).toEqual({ success: true })
  expect((await userOf(server, { cookie })).statusCode).toBe(401)
  expect((await userOf(server, phone)).statusCode).toBe(200)
  expect((await remove(phone.cookie, `/${other?.id}`)).statusCode).toBe(404)
})

it('signs out everywhere, here too', async () => {
  const { cookie, token, phone } = await inTwoPlaces()
  const answer = await remove(phone.cookie, '')
  expect(answer.json()).toEqual({ success: true })
  expect(answer.cookies[0]).toMatchObject({ value: '' })
  for (const credentials of [{ cookie }, { token }, phone]) {
    expect((await userOf(server, credentials)).statusCode).toBe(401)
  }
})

it('does not know sessions of other users', async () => {
  const { cookie } = await register(server)
  const stranger = await register(server)
  const [foreign] = await sessionsOf(stranger.cookie)
  expect(await sessionsOf(cookie)).toHaveLength(1)
  expect((await remove(cookie, `/${foreign?.id}`)).statusCode).toBe(404)
  expect((await remove(cookie, '/no-such-session')).statusCode).toBe(404)
  expect((await userOf(server, stranger)).statusCode).toBe(200)
})

it.each([
  ['GET', '/api/auth/sessions'],
  ['DELETE', '/api/auth/sessions'],
  ['DELETE', '/api/auth/sessions/x'],
  ['POST', '/api/auth/password/change'],
  ['GET', '/api/user/export'],
  ['POST', '/api/user/delete'],
] as const)('is for signed-in users: %s %s [SET-045]', async (method, url) => {
  expect((await server.app.inject({ method, url })).statusCode).toBe(401)
})

it('changes the password for who knows it, and signs out all other places', async () => {
  const { cookie, username, password, phone } = await inTwoPlaces()
  const change = (current_password: string, new_password: string) =>
    post(server, '/api/auth/password/change', { current_password, new_password }, { cookie: phone.cookie })
  const wrong = await change('a guess', 'brand new')
  expect(wrong.statusCode).toBe(403)
  expect(wrong.json()).toMatchObject({ error: 'The current password is wrong.' })
  expect((await change(password, '  ')).statusCode).toBe(400)
  expect((await change(password, 'brand new')).json()).toEqual({ success: true })
  expect((await userOf(server, { cookie })).statusCode).toBe(401)
  expect((await userOf(server, phone)).statusCode).toBe(200)
  expect((await signIn(server, username, password)).statusCode).toBe(401)
  expect((await signIn(server, username, 'brand new')).statusCode).toBe(200)
})

it('limits guesses of the current password', async () => {
  const { cookie } = await register(server)
  const guess = () =>
    post(server, '/api/auth/password/change', { current_password: 'a guess', new_password: 'x' }, { cookie })
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await guess()).statusCode).toBe(403)
  expect((await guess()).statusCode).toBe(429)
})
