import { ManualClock } from '@tradewright/core/clock'
import { beforeEach, expect, it } from 'vitest'
import type { Session } from './ports.ts'
import { createSessionCache, type SessionCache } from './session-cache.ts'

const start = new Date('2026-03-02T12:00:00Z')
const session = (id: string, lastsMs = 86_400_000): Session => ({
  id,
  user: { id: 1, username: 'a', email: 'a' },
  createdAt: start,
  lastUsedAt: start,
  factorAt: null,
  expiresAt: new Date(start.getTime() + lastsMs),
})

let clock: ManualClock
let cache: SessionCache
beforeEach(() => {
  clock = new ManualClock(start)
  cache = createSessionCache(clock, 3)
})
const load = (key: string, value: Session | null) => cache.load(key, () => Promise.resolve(value))

it('remembers a session for a few seconds, and no longer than it lives', async () => {
  await load('long', session('1'))
  await load('short', session('2', 2_000))
  clock.advance(2_000)
  expect(cache.get('long')?.id).toBe('1')
  expect(cache.get('short')).toBeUndefined()
  clock.advance(3_000)
  expect(cache.get('long')).toBeUndefined()
})

it('forgets a session under all its keys', async () => {
  await load('cookie', session('1'))
  await load('bearer', session('1'))
  await load('other', session('2'))
  cache.forget('1')
  expect([cache.get('cookie'), cache.get('bearer')]).toEqual([undefined, undefined])
  expect(cache.get('other')?.id).toBe('2')
  cache.forgetAll()
  expect(cache.get('other')).toBeUndefined()
})

it('does not remember what was revoked while it was being read', async () => {
  const reading = Promise.withResolvers<Session>()
  const loaded = cache.load('key', () => reading.promise)
  cache.forget('1')
  reading.resolve(session('1'))
  await loaded
  expect(cache.get('key')).toBeUndefined()
})

it('stays small by dropping the oldest', async () => {
  for (const id of ['1', '2', '3', '4']) await load(id, session(id))
  expect(['1', '2', '3', '4'].map((id) => cache.get(id)?.id)).toEqual([undefined, '2', '3', '4'])
})

it('does not remember that there was no session', async () => {
  expect(await load('key', null)).toBeNull()
  expect((await load('key', session('1')))?.id).toBe('1')
})

it('loads once for all who ask at the same moment, and again once something was forgotten', async () => {
  let loads = 0
  const answer = Promise.withResolvers<Session | null>()
  const ask = () =>
    cache.load('key', () => {
      loads += 1
      return answer.promise
    })
  const first = [ask(), ask()]
  cache.forget('another')
  const second = ask()
  answer.resolve(session('1'))
  expect(await Promise.all([...first, second])).toHaveLength(3)
  expect(loads).toBe(2)
})
