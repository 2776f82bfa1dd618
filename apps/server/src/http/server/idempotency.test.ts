import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestApp
let user: RegisteredUser
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off' } })
  user = await register(server)
})
afterAll(() => server.close())

const STRATEGY = { name: 'Half and half', strategy_type: 'Asset Allocation', config: { allocation: [] } }

const create = (key: string, body: object = STRATEGY, owner = user) =>
  post(server, '/api/strategies', body, { ...headersOf(owner), 'idempotency-key': key })

const countOf = async () => {
  const answer = await server.app.inject({ url: '/api/strategies', headers: headersOf(user) })
  return answer.json<{ strategies: unknown[] }>().strategies.length
}

it('answers the same call again without doing it again', async () => {
  const first = await create('one')
  expect(first.statusCode, first.body).toBe(200)
  const count = await countOf()
  // The order of fields makes no other request.
  const again = await create('one', Object.fromEntries(Object.entries(STRATEGY).toReversed()))
  expect(again.body).toBe(first.body)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(await countOf()).toBe(count)
})

it('refuses another body under the same key, and lets another user use it', async () => {
  await create('two')
  const refused = await create('two', { ...STRATEGY, name: 'Another' })
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({ code: 'idempotency.other' })
  const stranger = await register(server)
  expect((await create('two', STRATEGY, stranger)).headers['idempotency-replayed']).toBeUndefined()
})

it('does a call once when it arrives twice at the same moment', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => create('three')))
  const done = answers.filter(({ statusCode, headers }) => statusCode === 200 && !headers['idempotency-replayed'])
  expect(done).toHaveLength(1)
  expect(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 409)).toBe(true)
})

it('can be used again after a refusal, and not after a failure that may have done the work', async () => {
  expect((await create('four', { ...STRATEGY, name: 7 })).statusCode).toBe(400)
  expect((await create('four')).statusCode).toBe(200)
  await server.database.pool.query(
    `UPDATE idempotent_calls SET answer = NULL, finished_at = NULL WHERE user_id = $1 AND key = 'four'`,
    [user.id],
  )
  const unknown = await create('four')
  expect(unknown.statusCode).toBe(409)
  expect(unknown.json()).toMatchObject({ code: 'idempotency.unfinished' })
  expect(unknown.headers['retry-after']).toBe('5')
})

it.each(['', 'with spaces', 'x'.repeat(256)])('refuses the key %j', async (key) => {
  const answer = await create(key)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'idempotency.key' })
})

it('lets a user read four stored answers at a time: readers that stop cannot fill the memory', async () => {
  await create('large')
  const answer = gzipSync(JSON.stringify({ text: 'x'.repeat(50_000_000) }))
  await server.database.pool.query(`UPDATE idempotent_calls SET answer = $2 WHERE user_id = $1 AND key = 'large'`, [
    user.id,
    answer,
  ])
  const address = new URL('/api/strategies', await server.address())
  const headers = { ...headersOf(user), 'content-type': 'application/json', 'idempotency-key': 'large' }
  const ask = async () => {
    const asked = request(address, { method: 'POST', headers, agent: false }).end(JSON.stringify(STRATEGY))
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    return reply
  }
  const before = process.memoryUsage()
  const replies = await Promise.all(Array.from({ length: 12 }, ask))
  expect(replies.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual([
    ...Array<string>(4).fill('200'),
    ...Array<string>(8).fill('429'),
  ])
  // Unpacked, they would be four times fifty megabytes.
  const { arrayBuffers } = process.memoryUsage()
  expect(arrayBuffers - before.arrayBuffers).toBeLessThan(50_000_000)
  for (const reply of replies) reply.destroy()
  await expect.poll(async () => (await ask()).statusCode).toBe(200)
})
