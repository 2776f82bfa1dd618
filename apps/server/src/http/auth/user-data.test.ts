import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { post, register, signIn, userOf } from '../../../test-support/visitor.ts'
import { tables } from '../../stores/tables.ts'

let dataDir: string
let server: TestApp
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tradewright-user-data-'))
  server = await createTestApp({ environment: { DATA_DIR: dataDir, ALLOW_PRIVATE_STORES: 'on' } })
})
afterAll(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Rows = Record<string, Record<string, unknown>[]>

async function exported(user: Pick<Caller, 'get'>): Promise<{ text: string; data: Rows }> {
  const answer = await user.get('/api/user/export')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="tradewright-data-[\d-]+\.json"$/)
  return { text: answer.body, data: answer.json<{ data: Rows }>().data }
}

/** A strategy, a data store with a password, and the built-in paper account. */
async function withBelongings(): Promise<Caller> {
  const user = await caller(server)
  const allocations = [{ ticker: 'SPY', allocation: 100 }]
  const config = { allocations, startDate: '2024-01-02', endDate: '2024-06-28', startValue: 10_000 }
  expect(
    (await user.post('/api/strategies', { name: 'Core', strategy_type: 'Asset Allocation', config })).statusCode,
  ).toBe(200)
  const store = {
    name: 'Archive',
    store_type: 'postgresql',
    connection_config: { host: '127.0.0.1', port: 1, database: 'd', username: 'u', password: 'a sealed password' },
  }
  const created = await user.post('/api/data-stores', store)
  expect(created.statusCode, created.body).toBe(200)
  expect((await user.post('/api/alpaca/paper-account')).statusCode).toBe(200)
  return user
}

it('exports every row of the user and no secret [SET-073]', async () => {
  const user = await withBelongings()
  await withBelongings()
  const { text, data } = await exported(user)
  expect(data['users']).toMatchObject([{ id: user.id, password_enabled: true }])
  expect(data['strategies']).toMatchObject([{ name: 'Core', user_id: user.id }])
  expect(data['data_stores']?.map(({ name }) => name)).toContain('Archive')
  expect(data['sessions']).toHaveLength(1)
  // These belong to the account, not to the user directly.
  expect(data['paper_accounts']).toHaveLength(1)
  expect(text).not.toContain('a sealed password')
  expect(text).not.toContain('$argon2')
  expect(text).not.toMatch(/"(password_hash|cookie_hash|bearer_hash|sealed_\w+|code_verifier)"/)
  const owners = new Set(Object.values(data).flatMap((rows) => rows.flatMap(({ user_id }) => user_id ?? [])))
  expect([...owners]).toEqual([user.id])
})

it('exports every table that names a user, but what lives for minutes or is of the instance', async () => {
  const { data } = await exported(await caller(server))
  const leftOut = new Set(['deleted_rows', 'factor_challenges', 'google_flows', 'mail_recipients', 'instance_operator'])
  const named = Object.entries(tables).flatMap(([name, columns]) => ('user_id' in columns ? [name] : []))
  expect(Object.keys(data)).toEqual(expect.arrayContaining(named.filter((name) => !leftOut.has(name))))
})

it('exports rows that hang on others, in portions, once each', async () => {
  const user = await withBelongings()
  const store = await server.database.database
    .selectFrom('data_stores')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  const coverage = Array.from({ length: 120 }, (_, index) => ({
    store_id: store.id,
    provider: 'sample',
    ticker: `T${index}`,
    granularity: '1d',
    covered: '{[1,2)}',
  }))
  await server.database.database.insertInto('series_coverage').values(coverage).execute()
  const { data } = await exported(user)
  expect(new Set(data['series_coverage']?.map(({ ticker }) => ticker)).size).toBe(120)
})

it('deletes the user with all of their data, files too, and no other user', async () => {
  const neighbour = await withBelongings()
  const leaving = await register(server)
  const headers = { cookie: leaving.cookie }
  expect((await post(server, '/api/alpaca/paper-account', {}, headers)).statusCode).toBe(200)
  const upload = ['name="ticker"\r\n\r\nMINE', 'name="file"; filename="mine.csv"\r\n\r\ndate,close\n2024-01-02,100\n']
  const imported = await server.app.inject({
    method: 'POST',
    url: '/api/data-collector/import',
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=cut' },
    payload: `${upload.map((part) => `--cut\r\ncontent-disposition: form-data; ${part}\r\n`).join('')}--cut--\r\n`,
  })
  expect(imported.statusCode, imported.body).toBe(200)
  const folder = join(dataDir, 'stores', `user-${leaving.id}`)
  expect(existsSync(folder)).toBe(true)

  const gone = await post(
    server,
    '/api/user/delete',
    { username: leaving.username, password: leaving.password },
    headers,
  )
  expect(gone.json()).toEqual({ success: true })
  expect(existsSync(folder)).toBe(false)
  expect((await userOf(server, leaving)).statusCode).toBe(401)
  expect((await signIn(server, leaving.username, leaving.password)).statusCode).toBe(401)
  for (const [name, columns] of Object.entries(tables)) {
    if (!('user_id' in columns)) continue
    const left = await server.database.pool.query(`SELECT 1 FROM ${name} WHERE user_id = $1`, [leaving.id])
    expect(left.rowCount, name).toBe(0)
  }
  expect((await exported(neighbour)).data['strategies']).toHaveLength(1)
  // The name is free again.
  expect((await post(server, '/api/register', { username: leaving.username, password: 'x' })).statusCode).toBe(200)
})

it.each([
  ['without the username', { password: 'correct horse' }, 400],
  ['with another username', { username: 'another', password: 'correct horse' }, 400],
  ['without the password', { username: 'own' }, 403],
  ['with a wrong password', { username: 'own', password: 'wrong' }, 403],
])('deletes no user %s', async (_, body: { username?: string; password?: string }, status) => {
  const user = await register(server)
  const sent = { ...body, ...(body.username === 'own' && { username: user.username }) }
  expect((await post(server, '/api/user/delete', sent, { cookie: user.cookie })).statusCode).toBe(status)
  expect((await userOf(server, user)).statusCode).toBe(200)
})

it('deletes a user whose deployment has a ledger but does not trade, the books included', async () => {
  const user = await withBelongings()
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
  expect((await exported(user)).data['ledger_entries']?.length).toBeGreaterThan(0)
  const [me] = (await exported(user)).data['users'] ?? []
  const gone = await user.post('/api/user/delete', { username: me?.['username'], password: 'correct horse' })
  expect(gone.json()).toEqual({ success: true })
  const left = await server.database.pool.query('SELECT 1 FROM deployments WHERE user_id = $1', [user.id])
  expect(left.rowCount).toBe(0)
})
