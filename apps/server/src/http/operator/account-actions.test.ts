import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { readEvents } from '../../../test-support/event-reader.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { signIn } from '../../../test-support/visitor.ts'

let server: TestApp
let operator: Caller
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off' } })
  operator = await caller(server)
})
afterAll(() => server.close())

const act = (user: Caller, action: string, by = operator) =>
  by.post(`/api/operator/users/${user.id}/actions`, { action })
const nameOf = async ({ id }: Caller) =>
  (await server.database.pool.query<{ username: string }>('SELECT username FROM users WHERE id = $1', [id])).rows[0]!
    .username
const keyOf = async (user: Caller) => {
  const made = await user.post('/api/keys', { name: 'Notebook', scopes: ['read'], password: user.password })
  return { authorization: `Bearer ${made.json<{ secret: string }>().secret}` }
}
const statusWith = async (headers: Record<string, string>, url = '/api/strategies') =>
  (await server.app.inject({ url, headers })).statusCode

async function deploymentOf(user: Caller, status: string): Promise<number> {
  expect((await user.post('/api/alpaca/paper-account')).statusCode).toBe(200)
  const allocations = [{ ticker: 'SPY', allocation: 100 }]
  const config = { allocations, startDate: '2024-01-02', endDate: '2024-06-28', startValue: 10_000 }
  await user.post('/api/strategies', { name: 'Core', strategy_type: 'Asset Allocation', config })
  const { strategies } = (await user.get('/api/strategies')).json<{ strategies: { id: number }[] }>()
  const { accounts } = (await user.get('/api/alpaca/accounts')).json<{ accounts: { id: number }[] }>()
  const created = await user.post('/api/deployment/create', {
    strategy_id: strategies[0]?.id,
    alpaca_account_id: accounts[0]?.id,
    deployment_name: 'Core',
    capital_policy: 'fixed_contribution',
    capital_policy_value: '1000',
    auto_start: false,
  })
  expect(created.statusCode, created.body).toBe(200)
  const id = created.json<{ deployment_id: number }>().deployment_id
  // Without asking for prices, which a start does.
  await server.database.pool.query('UPDATE deployments SET status = $2 WHERE id = $1', [id, status])
  return id
}
const statusOf = async (id: number) =>
  (await server.database.pool.query<{ status: string }>('SELECT status FROM deployments WHERE id = $1', [id])).rows[0]
    ?.status

describe('the operator', () => {
  it('signs an account out, and its keys and deployments go on', async () => {
    const user = await caller(server)
    const key = await keyOf(user)
    expect((await act(user, 'sign-out')).json()).toEqual({ success: true, password: null })
    await expect.poll(() => statusWith(user.headers)).toBe(401)
    expect(await statusWith(key)).toBe(200)
    expect((await signIn(server, await nameOf(user), user.password)).statusCode).toBe(200)
  })

  it('suspends an account at once: sessions, keys, streams, jobs and decisions; and lifts it', async () => {
    const user = await caller(server)
    const key = await keyOf(user)
    const id = await deploymentOf(user, 'running')
    await server.database.pool.query(
      `INSERT INTO jobs (id, user_id, kind, subject, input, state, attempts, cancel_requested, delivery_id, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'backtest', 's', '{}', 'queued', 0, false, gen_random_uuid(), now(), now())`,
      [user.id],
    )
    const address = await server.address()
    const streams = await Promise.all([readEvents(address, user.headers), readEvents(address, key)])
    expect((await act(user, 'suspend')).statusCode).toBe(200)
    await Promise.all(streams.map(({ ended }) => ended))
    await expect.poll(() => statusWith(user.headers)).toBe(401)
    expect(await statusWith(key)).toBe(403)
    const refused = await signIn(server, await nameOf(user), user.password)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'account.suspended'])
    // Only who knows the password is told.
    expect((await signIn(server, await nameOf(user), 'a guess')).json().code).toBe('sign-in.wrong')
    expect(await statusOf(id)).toBe('paused')
    const { rows } = await server.database.pool.query('SELECT state FROM jobs WHERE user_id = $1', [user.id])
    expect(rows).toEqual([{ state: 'cancelled' }])
    const { users } = (await operator.get('/api/operator/users')).json<{ users: { user_id: number }[] }>()
    expect(users.find(({ user_id }) => user_id === user.id)).toMatchObject({
      is_suspended: true,
      running_deployments: 0,
    })

    await act(user, 'resume')
    expect((await signIn(server, await nameOf(user), user.password)).statusCode).toBe(200)
    expect(await statusWith(key)).toBe(200)
    expect(await statusOf(id)).toBe('paused')
  })

  it('resets a password: shown once, and what the old one opened ends', async () => {
    const user = await caller(server)
    const key = await keyOf(user)
    const { password } = (await act(user, 'reset-password')).json<{ password: string }>()
    expect(password).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    await expect.poll(() => statusWith(user.headers)).toBe(401)
    expect(await statusWith(key)).toBe(401)
    const name = await nameOf(user)
    expect((await signIn(server, name, user.password)).statusCode).toBe(401)
    expect((await signIn(server, name, password)).statusCode).toBe(200)
  })

  it('removes an account whose deployments are stopped, with all that is its own', async () => {
    const user = await caller(server)
    const id = await deploymentOf(user, 'running')
    const refused = await act(user, 'remove')
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'user.trading'])
    expect(refused.body).not.toContain('Core')
    await act(user, 'stop')
    expect(await statusOf(id)).toBe('stopped')
    expect((await act(user, 'remove')).statusCode).toBe(200)
    expect((await server.database.pool.query('SELECT FROM users WHERE id = $1', [user.id])).rowCount).toBe(0)
    expect((await act(user, 'suspend')).statusCode).toBe(404)
  })

  it('is the only one who can, leaves the own account alone, and is named in its owner’s log', async () => {
    const [user, other] = [await caller(server), await caller(server)]
    expect((await act(user, 'suspend', other)).statusCode).toBe(404)
    expect((await act(operator, 'suspend')).json()).toMatchObject({ code: 'operator.self' })
    await act(user, 'reset-factors')
    const { cookies } = await signIn(server, await nameOf(user), user.password)
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const log = await server.app.inject({ url: '/api/auth/security-log', headers: { cookie } })
    expect(log.json<{ entries: object[] }>().entries).toContainEqual(
      expect.objectContaining({ kind: 'operator.reset-factors', address: null }),
    )
  })
})
