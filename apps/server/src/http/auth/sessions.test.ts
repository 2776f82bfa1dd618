import { ManualClock } from '@tradewright/core/clock'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { credentialsOf, post, register, signIn, userOf } from '../../../test-support/visitor.ts'

const DAY_MS = 86_400_000
/** Stands still unless a test moves it, so nothing is forgotten by the cache because time went by. */
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

const sessionRow = (userId: number) =>
  server.database.database.selectFrom('sessions').selectAll().where('user_id', '=', userId).executeTakeFirst()

it('survives a restart of the server', async () => {
  const { cookie, token, username } = await register(server)
  const restarted = await createTestApp({ database: server.database, clock })
  expect((await userOf(restarted, { cookie })).json()).toMatchObject({ username })
  expect((await userOf(restarted, { token })).json()).toMatchObject({ username })
  await restarted.close()
})

it('is one of fifty: a further sign-in ends the one that was used longest ago', async () => {
  const { cookie, username, password, id } = await register(server)
  const later = []
  for (let i = 0; i < 50; i++) {
    clock.advance(1_000)
    later.push(credentialsOf(await signIn(server, username, password)))
  }
  await expect.poll(async () => (await userOf(server, { cookie })).statusCode).toBe(401)
  expect((await userOf(server, later[0]!)).statusCode).toBe(200)
  expect((await userOf(server, later.at(-1)!)).statusCode).toBe(200)
  const rows = await server.database.database.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
  expect(rows).toHaveLength(50)
})

it('ends at once in every process that knows it', async () => {
  const { cookie, token } = await register(server)
  expect((await userOf(second, { cookie })).statusCode).toBe(200)
  expect((await userOf(second, { token })).statusCode).toBe(200)
  await post(server, '/logout', undefined, { cookie })
  expect((await userOf(server, { cookie })).statusCode).toBe(401)
  // The message travels through the database; the cache alone would keep the session while the clock stands still.
  await expect.poll(async () => (await userOf(second, { cookie })).statusCode).toBe(401)
  expect((await userOf(second, { token })).statusCode).toBe(401)
})

it('is asked of the database on every call while messages cannot arrive', async () => {
  const { cookie, id } = await register(server)
  expect((await userOf(second, { cookie })).statusCode).toBe(200)
  const listening = vi.spyOn(second.foundation.notifications, 'isListening').mockReturnValue(false)
  await server.database.database.deleteFrom('sessions').where('user_id', '=', id).execute()
  expect((await userOf(second, { cookie })).statusCode).toBe(401)
  listening.mockRestore()
})

it('is asked of the database again a few seconds later', async () => {
  const { cookie, id } = await register(server)
  expect((await userOf(server, { cookie })).statusCode).toBe(200)
  await server.database.database.deleteFrom('sessions').where('user_id', '=', id).execute()
  expect((await userOf(server, { cookie })).statusCode).toBe(200)
  clock.advance(5_000)
  expect((await userOf(server, { cookie })).statusCode).toBe(401)
})

it('lasts thirty days after it was last used', async () => {
  const { cookie } = await register(server)
  for (let days = 0; days < 60; days += 20) {
    clock.advance(20 * DAY_MS)
    expect((await userOf(server, { cookie })).statusCode).toBe(200)
  }
  clock.advance(30 * DAY_MS)
  expect((await userOf(server, { cookie })).statusCode).toBe(401)
})

it('ends ninety days after the sign-in, however much it is used', async () => {
  const { cookie } = await register(server)
  for (let day = 1; day < 90; day += 1) {
    clock.advance(DAY_MS)
    expect((await userOf(server, { cookie })).statusCode).toBe(200)
  }
  clock.advance(DAY_MS)
  expect((await userOf(server, { cookie })).statusCode).toBe(401)
})

it('ends earlier where the operator lowered the limit, and is not listed then', async () => {
  const { cookie, username, password } = await register(server)
  clock.advance(7 * DAY_MS)
  const strict = await createTestApp({ database: server.database, clock, environment: { SESSION_MAX_DAYS: '7' } })
  expect((await userOf(server, { cookie })).statusCode).toBe(200)
  expect((await userOf(strict, { cookie })).statusCode).toBe(401)
  const again = credentialsOf(await signIn(strict, username, password))
  const listed = await strict.app.inject({ url: '/api/auth/sessions', headers: { cookie: again.cookie } })
  expect(listed.json()).toMatchObject({ sessions: [{ is_current: true }], max_age_days: 7 })
  expect(listed.json<{ sessions: unknown[] }>().sessions).toHaveLength(1)
  await strict.close()
})

it('writes its use down once an hour, not at every call', async () => {
  const { cookie, id } = await register(server)
  const start = clock.now()
  const useAfter = async (minutes: number) => {
    clock.advance(minutes * 60_000)
    await userOf(server, { cookie })
    return (await sessionRow(id))!.last_used_at
  }
  expect(await useAfter(59)).toEqual(start)
  expect(await useAfter(1)).toEqual(clock.now())
})

it('is stored without its secrets', async () => {
  const { cookie, token, id } = await register(server)
  const row = JSON.stringify(await sessionRow(id), (_, value: unknown) =>
    value instanceof Buffer ? value.toString('latin1') : value,
  )
  expect(row).not.toContain(token)
  expect(row).not.toContain(cookie.split('=')[1])
})

it('is removed from the table once it has expired', async () => {
  const { id } = await register(server)
  clock.advance(30 * DAY_MS)
  const { id: stillSignedIn } = await register(server)
  const restarted = await createTestApp({ database: server.database, clock })
  await restarted.app.ready()
  expect(await sessionRow(id)).toBeUndefined()
  expect(await sessionRow(stillSignedIn)).toBeDefined()
  await restarted.close()
})
