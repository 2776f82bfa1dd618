import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenAiStandIn, startOpenAiStandIn, WRONG_KEY } from '../../../test-support/stand-ins/openai.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let vendor: OpenAiStandIn
let server: TestApp
beforeAll(async () => {
  vendor = await startOpenAiStandIn()
  server = await createTestApp({ environment: { OPENAI_BASE_URL: vendor.baseUrl, RUN_JOBS: 'off' } })
})
afterAll(async () => {
  await server.close()
  await vendor.close()
})

const get = (user: RegisteredUser, url: string) => server.app.inject({ method: 'GET', url, headers: headersOf(user) })
const send = (user: RegisteredUser, url: string, payload: object = {}) =>
  server.app.inject({ method: 'POST', url, headers: headersOf(user), payload })
const statusOf = async (user: RegisteredUser) => (await get(user, '/api/openai/status')).json<Record<string, unknown>>()

describe('connecting a model', () => {
  it('begins disconnected, connects, changes the model and disconnects [SET-020, SET-023, SET-053..056, SET-090]', async () => {
    const user = await register(server)
    expect(await statusOf(user)).toMatchObject({ connected: false, model_preference: 'gpt-4o-mini', last_used: null })
    const connected = await send(user, '/api/openai/connect', { api_key: ' sk-good-1 ', model_preference: 'gpt-4o' })
    expect(connected.json()).toEqual({ success: true, unverified_reason: null })
    expect(vendor.keys.at(-1)).toBe('sk-good-1')
    expect(await statusOf(user)).toMatchObject({ connected: true, model_preference: 'gpt-4o', last_used: null })
    const updated = await send(user, '/api/openai/update-model', { model_preference: 'gpt-6-luna' })
    expect(updated.json()).toEqual({ success: true })
    expect(await statusOf(user)).toMatchObject({ model_preference: 'gpt-6-luna' })
    expect((await send(user, '/api/openai/disconnect')).json()).toEqual({ success: true })
    expect(await statusOf(user)).toMatchObject({ connected: false, model_preference: 'gpt-4o-mini' })
  })

  it.each([{}, { api_key: '' }, { api_key: '   ' }, { api_key: null }])(
    'refuses %j for want of a key [SET-031, SET-067]',
    async (body) => {
      const answer = await send(await register(server), '/api/openai/connect', body)
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
        400,
        'Please enter your OpenAI API key',
      ])
    },
  )

  it('does not save a key that the service refuses, and says so [SET-080]', async () => {
    const user = await register(server)
    const answer = await send(user, '/api/openai/connect', { api_key: WRONG_KEY })
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ error: string }>().error).toContain('refused the API key')
    expect(await statusOf(user)).toMatchObject({ connected: false })
  })

  it('keeps a key as not verified yet where no server answers', async () => {
    const alone = await createTestApp({ environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9', RUN_JOBS: 'off' } })
    try {
      const user = await register(alone)
      const connect = (model_preference: string) =>
        alone.app.inject({
          method: 'POST',
          url: '/api/openai/connect',
          headers: headersOf(user),
          payload: { api_key: 'sk-later', model_preference },
        })
      expect((await connect('gpt-4o-mini')).json<{ unverified_reason: string }>().unverified_reason).toContain(
        'cannot be reached',
      )
      const status = await alone.app.inject({ method: 'GET', url: '/api/openai/status', headers: headersOf(user) })
      expect(status.json()).toMatchObject({
        connected: true,
        unverified_reason: expect.stringContaining('cannot be reached') as string,
      })
      expect((await connect('made-up')).statusCode).toBe(400)
    } finally {
      await alone.close()
    }
  })

  it('refuses an unknown model, and one before there is a connection [SET-068]', async () => {
    const user = await register(server)
    expect((await send(user, '/api/openai/update-model', { model_preference: 'gpt-4o' })).statusCode).toBe(409)
    await send(user, '/api/openai/connect', { api_key: 'sk-good' })
    const answer = await send(user, '/api/openai/update-model', { model_preference: 'gpt-9000' })
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      400,
      'Unknown model "gpt-9000": choose one that the connected server offers.',
    ])
    expect((await send(user, '/api/openai/update-model', {})).statusCode).toBe(400)
    expect(await statusOf(user)).toMatchObject({ model_preference: 'gpt-4o-mini' })
  })

  it('lists the fixed models, marks those that are gone, and adds what else can chat [SET-090]', async () => {
    const user = await register(server)
    const listed = async () =>
      (await get(user, '/api/openai/models')).json<{ models: { id: string; offered: boolean }[] }>().models
    expect((await listed()).map(({ id }) => id)).toEqual(['gpt-4o-mini', 'gpt-4o', 'gpt-4', 'gpt-3.5-turbo'])
    await send(user, '/api/openai/connect', { api_key: 'sk-good' })
    expect(await listed()).toEqual([
      { id: 'gpt-4o-mini', offered: true, shutdown_date: null },
      { id: 'gpt-4o', offered: true, shutdown_date: '2027-01-14' },
      { id: 'gpt-4', offered: false, shutdown_date: null },
      { id: 'gpt-3.5-turbo', offered: false, shutdown_date: null },
      { id: 'gpt-6-luna', offered: true, shutdown_date: null },
    ])
  })

  it('does not call a private address that a user names', async () => {
    const user = await register(server)
    const answer = await send(user, '/api/openai/connect', { api_key: 'sk-good', base_url: vendor.baseUrl })
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      400,
      expect.stringContaining('private or reserved address'),
    ])
    for (const base_url of ['ftp://example.com', 'javascript:alert(1)', 'nonsense']) {
      expect((await send(user, '/api/openai/connect', { api_key: 'sk-good', base_url })).statusCode).toBe(400)
    }
    expect(await statusOf(user)).toMatchObject({ connected: false })
  })

  it('keeps the key sealed, answers it to no call, and shows none to another user', async () => {
    const [user, other] = [await register(server), await register(server)]
    await send(user, '/api/openai/connect', { api_key: 'sk-very-secret' })
    for (const url of ['/api/openai/status', '/api/openai/models'])
      expect((await get(user, url)).body).not.toContain('very-secret')
    expect(await statusOf(other)).toMatchObject({ connected: false })
    const row = await server.database.database
      .selectFrom('openai_connections')
      .select('sealed_key')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(row.sealed_key.includes('very-secret')).toBe(false)
  })

  it('is for signed-in users only', async () => {
    expect((await server.app.inject({ method: 'GET', url: '/api/openai/status' })).statusCode).toBe(401)
    for (const url of ['connect', 'update-model', 'disconnect']) {
      const answer = await server.app.inject({ method: 'POST', url: `/api/openai/${url}`, payload: {} })
      expect(answer.statusCode).toBe(401)
    }
  })
})
