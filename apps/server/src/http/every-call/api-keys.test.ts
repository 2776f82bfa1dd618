import { KEY_SCOPE_IDS, type KeyScope } from '@tradewright/core/key-scopes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contractCalls, type ContractCall } from '../../../test-support/fuzz/contract-calls.ts'
import { MULTIPART, multipartBody } from '../../../test-support/fuzz/wire.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

/**
 * Calls that no API key may make: accounts, keys, sessions, passwords, stored secrets, what is published or sent to
 * others, and what cannot be undone. A new call either declares a scope or is named here.
 */
const NEVER = [
  'DELETE /api/ai-assistant-conversations/:id',
  'DELETE /api/alerts/channels/:id',
  'DELETE /api/alpaca/accounts/:id',
  'DELETE /api/auth/factors/:id',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/:id',
  'DELETE /api/data-collector/providers/:id',
  'DELETE /api/data-stores/:id',
  'DELETE /api/deployment/:id/record',
  'DELETE /api/deployment/:id/record/link',
  'DELETE /api/keys/:id',
  'DELETE /api/operator/invitations/:id',
  'DELETE /api/optimization-runs',
  'DELETE /api/result-links/:id',
  'DELETE /api/strategies/:id/record',
  'DELETE /api/strategies/:id/record/link',
  'DELETE /api/strategies/:id/signals/address',
  'GET /api/ai-assistant-conversations',
  'GET /api/ai-assistant-conversations/:id',
  'GET /api/alerts',
  'GET /api/alerts/channels/:id/deliveries',
  'GET /api/alpaca/accounts',
  'GET /api/auth/email',
  'GET /api/auth/factors',
  'GET /api/auth/factors/confirm',
  'GET /api/auth/google/callback',
  'GET /api/auth/google/login',
  'GET /api/auth/methods',
  'GET /api/auth/registration',
  'GET /api/auth/security-log',
  'GET /api/auth/sessions',
  'GET /api/deployment/notifications',
  'GET /api/keys',
  'GET /api/login/second-step',
  'GET /api/openai/models',
  'GET /api/openai/status',
  'GET /api/operator',
  'GET /api/operator/invitations',
  'GET /api/operator/overview',
  'GET /api/operator/security-log',
  'GET /api/operator/users',
  'GET /api/result-links',
  'GET /api/user',
  'GET /api/user/export',
  'GET /api/user/formats',
  'POST /api/ai-assistant-action',
  'POST /api/ai-assistant-query',
  'POST /api/alerts/channels',
  'POST /api/alerts/channels/:id/deliveries/:delivery/send',
  'POST /api/alerts/channels/:id/test',
  'POST /api/alerts/inbox/:id/acknowledge',
  'POST /api/alerts/inbox/acknowledge',
  'POST /api/alpaca/accounts',
  'POST /api/alpaca/accounts/:id/set-default',
  'POST /api/alpaca/accounts/:id/verify',
  'POST /api/alpaca/paper-account',
  'POST /api/auth/email/confirm',
  'POST /api/auth/email/verify',
  'POST /api/auth/factors/confirm',
  'POST /api/auth/factors/passkey',
  'POST /api/auth/factors/passkey/begin',
  'POST /api/auth/factors/recovery-codes',
  'POST /api/auth/factors/totp',
  'POST /api/auth/factors/totp/begin',
  'POST /api/auth/google/link',
  'POST /api/auth/google/unlink',
  'POST /api/auth/password/change',
  'POST /api/auth/password/set',
  'POST /api/auth/password/toggle',
  'POST /api/backtests/:id/links',
  'POST /api/data-collector/data-stores/:id/clear',
  'POST /api/data-collector/providers',
  'POST /api/data-collector/providers/generate',
  'POST /api/data-collector/providers/try',
  'POST /api/data-stores',
  'POST /api/deletions/:kind/:key/undo',
  'POST /api/deployment/:id/record',
  'POST /api/deployment/:id/record/link',
  'POST /api/deployment/notifications/confirm',
  'POST /api/deployment/notifications/test',
  'POST /api/keys',
  'POST /api/login',
  'POST /api/login/second-step',
  'POST /api/openai/connect',
  'POST /api/openai/disconnect',
  'POST /api/openai/update-model',
  'POST /api/operator/invitations',
  'POST /api/operator/users/:id/actions',
  'POST /api/proposals/:id/accept',
  'POST /api/proposals/:id/decline',
  'POST /api/register',
  'POST /api/strategies/:id/record',
  'POST /api/strategies/:id/record/link',
  'POST /api/strategies/:id/signals/address',
  'POST /api/user/delete',
  'POST /logout',
  'PUT /api/alerts/channels/:id',
  'PUT /api/alerts/heartbeat',
  'PUT /api/alerts/levels',
  'PUT /api/alpaca/accounts/:id',
  'PUT /api/alpaca/portfolio/lots/method',
  'PUT /api/alpaca/portfolio/lots/sale',
  'PUT /api/data-collector/providers/:id',
  'PUT /api/data-stores/:id',
  'PUT /api/home/checklist',
  'PUT /api/user/formats',
]

/** Served by Google's redirects, which ask no session: a key beside them changes nothing. */
const REDIRECTS = new Set(['GET /api/auth/google/callback', 'GET /api/auth/google/login'])

interface Key {
  readonly id: string
  readonly headers: Record<string, string>
}

let calls: ContractCall[]
let server: TestApp
let user: RegisteredUser
beforeAll(async () => {
  calls = await contractCalls()
  server = await createTestApp({ environment: { RUN_JOBS: 'off' } })
  user = await register(server)
})
afterAll(() => server.close())

async function makeKey(scopes: readonly KeyScope[], more: object = {}, owner = user): Promise<Key> {
  const body = { name: scopes.join(' '), scopes, password: owner.password, calls_per_minute: 600, ...more }
  const answer = await post(server, '/api/keys', body, headersOf(owner))
  const { key, secret } = answer.json<{ key: { id: string }; secret: string }>()
  // A matrix of a few hundred calls takes less than a minute, and more than the limit of one.
  await server.database.pool.query('UPDATE api_keys SET calls_per_minute = 1000000 WHERE id = $1', [key.id])
  return { id: key.id, headers: { authorization: `Bearer ${secret}` } }
}

/** With ids of nothing and an empty body: whether the key may make the call is decided before either is looked at. */
async function ask(call: ContractCall, { headers }: Pick<Key, 'headers'>, prefix = '/api/') {
  const url = call.path.replaceAll(/:([a-z_]+)/g, '999999').replace(/^\/api\//, prefix)
  const type = call.isMultipart ? MULTIPART : 'application/json'
  const body = { 'content-type': type }
  const answer = await server.app.inject({
    method: call.method,
    url,
    headers: { ...headers, ...(call.method !== 'GET' && body) },
    ...(call.method !== 'GET' && { payload: call.isMultipart ? multipartBody({}) : '{}' }),
  })
  return { status: answer.statusCode, code: answer.body.startsWith('{') ? answer.json<{ code?: string }>().code : '' }
}

/** A stream of events has no end that a test could wait for; `events.test.ts` opens it. */
const asked = () => calls.filter(({ id }) => id !== 'GET /api/events' && !REDIRECTS.has(id))

const allows = (scope: KeyScope, needed: ContractCall['scope']): boolean =>
  needed === 'any key' || needed === scope || (needed === 'trade' && scope.startsWith('trade-'))

it('is said of every call whether an API key may make it', () => {
  expect(calls.filter(({ scope }) => scope === undefined).map(({ id }) => id)).toEqual(NEVER)
})

describe.each(KEY_SCOPE_IDS)('a key with the scope %s', (scope) => {
  it('makes the calls of its scope, and no other', async () => {
    const key = await makeKey([scope])
    const wrong: string[] = []
    for (const call of asked()) {
      const { status, code = '' } = await ask(call, key)
      const expected = call.scope === undefined ? 'api-key.never' : allows(scope, call.scope) ? '' : 'api-key.scope'
      const isRefused = status === 403 && code.startsWith('api-key.')
      if (expected === '' ? isRefused || status === 401 : status !== 403 || code !== expected) {
        wrong.push(`${call.id} answered ${status} ${code}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

it.each([
  ['expired', `UPDATE api_keys SET expires_at = now() - interval '1 day' WHERE id = $1`],
  ['revoked', 'UPDATE api_keys SET revoked_at = now() WHERE id = $1'],
])('a key with every scope makes no call once it is %s', async (state, change) => {
  const key = await makeKey(KEY_SCOPE_IDS)
  await server.database.pool.query(change, [key.id])
  const open: string[] = []
  for (const call of asked()) {
    const { status, code = '' } = await ask(call, key)
    if (status !== 401 || code !== `api-key.${state}`) open.push(`${call.id} answered ${status} ${code}`)
  }
  expect(open).toEqual([])
})

it('is not helped by the cookie of a session beside a key', async () => {
  const { headers } = await makeKey(['read'])
  const both = { headers: { ...headers, cookie: user.cookie } }
  const wrong: string[] = []
  for (const call of asked().filter(({ scope }) => scope === undefined)) {
    const { status, code } = await ask(call, both)
    if (status !== 403 || code !== 'api-key.never') wrong.push(`${call.id} answered ${status}`)
  }
  expect(wrong).toEqual([])
})

it('answers below /api/v1 as it does below /api', async () => {
  const key = await makeKey(['read'])
  const wrong: string[] = []
  for (const call of asked().filter(({ path, method }) => path.startsWith('/api/') && method === 'GET')) {
    const [plain, versioned] = [await ask(call, key), await ask(call, key, '/api/v1/')]
    if (plain.status !== versioned.status || plain.code !== versioned.code) wrong.push(call.id)
  }
  expect(wrong).toEqual([])
})
