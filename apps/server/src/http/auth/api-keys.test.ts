import { createApiKey, listApiKeys } from '@tradewright/contract/api-keys'
import { getVersion } from '@tradewright/contract/version'
import { ManualClock } from '@tradewright/core/clock'
import type { KeyScope } from '@tradewright/core/key-scopes'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'
import { checkApiKey } from '../../auth/api-keys.ts'
import { createApiKeyStore } from '../../stores/auth/api-keys.ts'
import { createAttemptCounters } from '../../stores/auth/attempt-counters.ts'

const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
let server: TestApp
/** Another process on the same database. */
let second: TestApp
beforeAll(async () => {
  server = await createTestApp({ clock })
  second = await createTestApp({ clock, database: server.database })
})
afterAll(async () => {
  await second.close()
  await server.close()
})

const create = (user: RegisteredUser, body: object) => post(server, '/api/keys', body, headersOf(user))

async function keyOf(user: RegisteredUser, scopes: KeyScope[], more: object = {}) {
  const answer = await create(user, { name: 'Notebook', scopes, password: user.password, ...more })
  const { key, secret } = createApiKey.answer.parse(answer.json())
  return { key, secret, headers: { authorization: `Bearer ${secret}` } }
}

const keysOf = async (user: RegisteredUser) =>
  listApiKeys.answer.parse((await server.app.inject({ url: '/api/keys', headers: headersOf(user) })).json()).keys

const read = (headers: Record<string, string>, at = server, url = '/api/v1/strategies') =>
  at.app.inject({ url, headers })

it('shows the key once and stores its hash alone', async () => {
  const user = await register(server)
  const { key, secret, headers } = await keyOf(user, ['read'])
  expect(secret).toMatch(/^tw_[\w-]{43}$/)
  expect(key).toMatchObject({ name: 'Notebook', scopes: ['read'], calls_per_minute: 120, last_used_at: null })
  expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBe(90 * 86_400_000)
  expect((await read(headers)).statusCode).toBe(200)
  expect(JSON.stringify(await keysOf(user))).not.toContain(secret)
  const { rows } = await server.database.pool.query<{ found: boolean }>(
    'SELECT bool_or(api_keys::text LIKE $1) AS found FROM api_keys',
    [`%${secret.slice(8)}%`],
  )
  expect(rows[0]?.found).toBe(false)
  const exported = await server.app.inject({ url: '/api/user/export', headers: headersOf(user) })
  const { data } = exported.json<{ data: { api_keys: Record<string, unknown>[] } }>()
  expect(data.api_keys[0]).toMatchObject({ name: 'Notebook' })
  expect(Object.keys(data.api_keys[0]!)).not.toContain('key_hash')
})

it('counts keys that can be used, not those that were revoked', async () => {
  const { id } = await register(server)
  const keys = createApiKeyStore(server.database.database)
  const now = clock.now()
  const insert = (keyId: string) => {
    const made = {
      id: keyId,
      name: 'Notebook',
      keyHash: Buffer.from(keyId),
      beginsWith: 'tw_',
      scopes: ['read' as const],
    }
    const expiresAt = new Date(now.getTime() + 86_400_000)
    return keys.insert(id, { ...made, callsPerMinute: 120, createdAt: now, expiresAt, lastUsedAt: null }, 2)
  }
  const ids = [randomUUID(), randomUUID()]
  for (const one of ids) expect(await insert(one)).toBe(true)
  expect(await insert(randomUUID())).toBe(false)
  await keys.revoke(id, ids[0]!, now)
  expect(await insert(randomUUID())).toBe(true)
})

it('asks for the password of the user', async () => {
  const user = await register(server)
  const wish = { name: 'Mine', scopes: ['read'] }
  expect((await create(user, wish)).json()).toMatchObject({ error: 'Enter your password to create an API key.' })
  expect((await create(user, { ...wish, password: 'a guess' })).statusCode).toBe(403)
  expect(await keysOf(user)).toEqual([])
})

it.each([
  [{ scopes: ['read'] }, 'Please enter a name.'],
  [{ name: 'x', scopes: [] }, 'Please choose what the key may do.'],
  [{ name: 'x', scopes: ['everything'] }, 'A scope must be one of'],
  [{ name: 'x', scopes: ['read'], expires_in_days: 366 }, 'expires_in_days must be at most 365.'],
  [{ name: 'x', scopes: ['read'], calls_per_minute: 0 }, 'calls_per_minute must be 1 or more.'],
])('refuses %j', async (body, sentence) => {
  const user = await register(server)
  const answer = await create(user, { password: user.password, ...body })
  expect(answer.statusCode).toBe(400)
  expect(answer.json<{ error: string }>().error).toContain(sentence)
})

it('refuses a revoked key in every process at once', async () => {
  const user = await register(server)
  const { key, headers } = await keyOf(user, ['read'])
  expect((await read(headers, second)).statusCode).toBe(200)
  const gone = () => server.app.inject({ method: 'DELETE', url: `/api/keys/${key.id}`, headers: headersOf(user) })
  expect((await gone()).json()).toEqual({ success: true })
  for (const at of [server, second]) {
    const answer = await read(headers, at)
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ error: 'The API key “Notebook” was revoked on 2026-03-02.' })
  }
  expect((await gone()).statusCode).toBe(404)
  expect(await keysOf(user)).toEqual([])
})

it('refuses a key of an unknown user, after its expiry, and after a new password', async () => {
  const user = await register(server)
  const unknown = await read({ authorization: `Bearer tw_${'a'.repeat(43)}` })
  expect(unknown.statusCode).toBe(401)
  expect(unknown.json()).toMatchObject({ code: 'api-key.unknown' })

  const short = await keyOf(user, ['read'], { expires_in_days: 1 })
  const { headers } = await keyOf(user, ['read'])
  clock.advance(86_400_000)
  expect((await read(short.headers)).json()).toMatchObject({
    code: 'api-key.expired',
    error: 'The API key “Notebook” expired on 2026-03-03.',
  })
  expect((await keysOf(user)).filter(({ is_expired }) => is_expired)).toHaveLength(1)

  expect((await read(headers)).statusCode).toBe(200)
  const change = { current_password: user.password, new_password: 'another one' }
  expect((await post(server, '/api/auth/password/change', change, headersOf(user))).statusCode).toBe(200)
  expect((await read(headers)).json()).toMatchObject({ code: 'api-key.revoked' })
})

it('goes with its user', async () => {
  const user = await register(server)
  const { headers } = await keyOf(user, ['read'])
  const { username, password } = user
  expect((await post(server, '/api/user/delete', { username, password }, headersOf(user))).statusCode).toBe(200)
  expect((await read(headers)).json()).toMatchObject({ code: 'api-key.unknown' })
})

it('has a limit of its own, which ends with the minute', async () => {
  const user = await register(server)
  const { headers } = await keyOf(user, ['read'], { calls_per_minute: 3 })
  const other = await keyOf(user, ['read'])
  for (let i = 0; i < 3; i += 1) expect((await read(headers)).statusCode).toBe(200)
  const refused = await read(headers, second)
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBe('60')
  expect(refused.json<{ error: string }>().error).toBe(
    'Too many calls with the API key “Notebook” (3 a minute). Please try again in a minute.',
  )
  expect((await read(other.headers)).statusCode).toBe(200)
  clock.advance(60_000)
  expect((await read(headers)).statusCode).toBe(200)
})

it('is looked up again by a stream that goes on, which is no call', async () => {
  const user = await register(server)
  const { headers, secret } = await keyOf(user, ['read'], { calls_per_minute: 2 })
  const { database } = server.database
  const securityLog = { record: () => Promise.resolve(), removeOld: () => Promise.resolve() }
  const deps = { apiKeys: createApiKeyStore(database), counters: createAttemptCounters(database), clock, securityLog }
  const from = { address: '192.0.2.7', userAgent: '' }
  const again = () => checkApiKey(deps, secret, from, 'read', { isCounted: false })
  for (let beat = 0; beat < 5; beat += 1) await again()
  for (let call = 0; call < 2; call += 1) expect((await read(headers)).statusCode).toBe(200)
  expect((await read(headers)).statusCode).toBe(429)
  await again()
})

it('writes down its last use once a minute', async () => {
  const user = await register(server)
  const { headers } = await keyOf(user, ['read'])
  const lastUse = async () => (await keysOf(user))[0]?.last_used_at
  await read(headers)
  const first = clock.now().toISOString()
  expect(await lastUse()).toBe(first)
  clock.advance(59_000)
  await read(headers)
  expect(await lastUse()).toBe(first)
  clock.advance(1_000)
  await read(headers)
  expect(await lastUse()).toBe(clock.now().toISOString())
})

it('tells versions, and what the key may do', async () => {
  const user = await register(server)
  const { headers } = await keyOf(user, ['propose'])
  const told = getVersion.answer.parse((await read(headers, server, '/api/version')).json())
  expect(told).toMatchObject({ api: 'v1', key: { name: 'Notebook', scopes: ['propose'] } })
  expect(told.version).toMatch(/^\d+\.\d+\.\d+/)
  expect(told.schema).toMatch(/^\d{4}-/)
})

it('trades the money of its scope alone', async () => {
  const user = await register(server)
  const own = headersOf(user)
  const { account } = (await post(server, '/api/alpaca/paper-account', { account_name: 'Paper' }, own)).json<{
    account: { id: number }
  }>()
  const { rows } = await server.database.pool.query<{ id: number }>(
    `INSERT INTO brokerage_accounts (user_id, name, broker, is_paper, is_default, status, created_at)
     VALUES ($1, 'Real money', 'alpaca', false, false, 'verified', now()) RETURNING id`,
    [user.id],
  )
  const live = rows[0]!.id
  const paperKey = await keyOf(user, ['trade-paper'])
  const liveKey = await keyOf(user, ['trade-live'])
  const deploy = async (accountId: number, { headers }: { headers: Record<string, string> }) => {
    const body = { deployment_name: 'x', strategy_id: 1, alpaca_account_id: accountId, capital_policy_value: 100 }
    const answer = await post(server, '/api/deployment/create', body, headers)
    return answer.json<{ error: string }>().error
  }
  const lacking = (scope: string) => `This API key does not have the scope “${scope}”, which this call needs.`
  expect(await deploy(live, paperKey)).toBe(lacking('trade-live'))
  expect(await deploy(account.id, liveKey)).toBe(lacking('trade-paper'))
  const stopAll = ({ headers }: { headers: Record<string, string> }) =>
    post(server, '/api/deployment/emergency-stop', {}, headers)
  expect((await stopAll(liveKey)).statusCode).toBe(200)
  // Further than the check of the key: there is no such strategy.
  expect(await deploy(account.id, paperKey)).toContain('strategy')
  expect(await deploy(live, liveKey)).toContain('strategy')

  const { id: strategy_id } = (
    await post(
      server,
      '/api/strategies',
      {
        name: 'All',
        strategy_type: 'Asset Allocation',
        config: { allocations: [{ ticker: 'SPY', allocation: 100 }], dataProvider: 'sample', dataGranularity: 'daily' },
      },
      own,
    )
  ).json<{ id: number }>()
  const body = { deployment_name: 'By key', strategy_id, alpaca_account_id: account.id, capital_policy_value: 100 }
  const made = await post(server, '/api/deployment/create', body, paperKey.headers)
  expect(made.statusCode, made.body).toBe(200)
  const id = made.json<{ deployment_id: number }>().deployment_id
  await post(server, `/api/deployment/${id}/control`, { action: 'stop' }, paperKey.headers)
  const activity = await server.app.inject({ url: `/api/deployment/${id}/activity`, headers: own })
  expect(activity.body).toContain('API key “Notebook” at 127.0.0.1')
})
