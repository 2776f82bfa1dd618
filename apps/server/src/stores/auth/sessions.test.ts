import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { withTwoUsers } from '../../../test-support/two-users.ts'
import { createSessionStore } from './sessions.ts'

const world = withTwoUsers()

const session = (userId: number) => ({
  id: randomUUID(),
  userId,
  cookieHash: randomBytes(32),
  bearerHash: randomBytes(32),
  userAgent: 'test',
  address: '127.0.0.1',
  createdAt: new Date(),
  factorAt: null,
  expiresAt: new Date(Date.now() + 60_000),
})

const setPassword = (hash: string) => world.database.updateTable('users').set('password_hash', hash)

describe('a session that a password opens', () => {
  it('is not opened by the previous password', async () => {
    const store = createSessionStore(world.database)
    await setPassword('old').where('id', '=', world.ann).execute()
    expect(await store.insert(session(world.ann), 'old')).toBe(true)
    await setPassword('new').where('id', '=', world.ann).execute()
    expect(await store.insert(session(world.ann), 'old')).toBe(false)
    expect(await store.insert(session(world.ann), 'new')).toBe(true)
  })

  it('waits for a change of the password that is under way, and is refused then', async () => {
    const store = createSessionStore(world.database)
    await setPassword('old').where('id', '=', world.bob).execute()
    const change = await world.database.startTransaction().execute()
    await change.updateTable('users').set('password_hash', 'new').where('id', '=', world.bob).execute()
    const opening = store.insert(session(world.bob), 'old')
    await change.commit().execute()
    expect(await opening).toBe(false)
    expect(await store.list(world.bob, new Date())).toEqual([])
  })
})
