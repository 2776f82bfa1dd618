import { REQUIRED_CONNECTION_FIELDS } from '@tradewright/contract/data-stores'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type StandIn, startStandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { caller, type Caller } from '../../../test-support/caller.ts'

let server: TestApp
let owner: Caller
let stranger: Caller
beforeAll(async () => {
  server = await createTestApp({ environment: { ALLOW_PRIVATE_STORES: 'on' } })
  owner = await caller(server)
  stranger = await caller(server)
})
afterAll(() => server.close())

interface Store {
  id: number
  name: string
  is_system: boolean
  is_default: boolean
  connection_config: Record<string, unknown>
}

const stores = async (who: Caller) => (await who.get('/api/data-stores')).json<{ data_stores: Store[] }>().data_stores
const local = (name: string, more: object = {}) => ({
  name,
  store_type: 'local',
  is_default: false,
  default_format: 'parquet',
  partition_strategy: 'ticker',
  compression: 'snappy',
  connection_config: { path: `my/${name}` },
  ...more,
})

describe('data stores', () => {
  it('gives every user one system store, which is the default at first [DATA-037] [DATA-085] [SET-021] [SET-057] [SET-092]', async () => {
    const [store, ...others] = await stores(owner)
    expect(others).toEqual([])
    expect(store).toMatchObject({
      store_type: 'local',
      is_system: true,
      is_default: true,
      default_format: 'parquet',
      partition_strategy: 'none',
      compression: 'snappy',
      connection_config: {},
      created_at: expect.any(String),
    })
    expect((await stores(stranger))[0]!.id).not.toBe(store!.id)
  })

  it('adds, changes and deletes a store, and makes it the default [DATA-099] [SET-058] [SET-059] [SET-060]', async () => {
    const added = await owner.post('/api/data-stores', local('Second', { is_default: true }))
    expect(added.statusCode).toBe(200)
    const { data_store } = added.json<{ data_store: Store }>()
    expect((await stores(owner)).filter(({ is_default }) => is_default).map(({ name }) => name)).toEqual(['Second'])
    const changed = await owner.put(`/api/data-stores/${data_store.id}`, local('Renamed'))
    expect(changed.json()).toMatchObject({ success: true, data_store: { name: 'Renamed', is_default: false } })
    expect((await owner.delete(`/api/data-stores/${data_store.id}`)).json()).toEqual({ success: true })
    expect((await stores(owner)).map(({ name }) => name)).toEqual(['System Storage'])
  })

  it.each([
    ['a name', { name: ' ' }, 'Please enter a store name'],
    ...Object.entries(REQUIRED_CONNECTION_FIELDS).map(([type, fields]): [string, object, unknown] => [
      `the fields of ${type}`,
      { store_type: type, connection_config: {} },
      `Please fill in required fields: ${fields.join(', ')}`,
    ]),
    [
      'connection fields',
      { store_type: 'postgresql', connection_config: { host: 'db', username: '' } },
      'Please fill in required fields: database, username, password',
    ],
    ['a type that exists', { store_type: 'floppy' }, expect.stringContaining('store_type must be one of')],
    [
      'a path of its own',
      { connection_config: { path: '../user-1' } },
      expect.stringContaining('is outside the folders'),
    ],
  ])('refuses a store without %s [SET-033] [SET-034] [SET-069] [SET-091]', async (_, more, sentence) => {
    const answer = await owner.post('/api/data-stores', local('Bad', more))
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      expect.objectContaining({ success: false, error: sentence, message: sentence }),
    ])
  })

  it('keeps secrets and never gives them back; an empty one keeps what is stored [SET-073]', async () => {
    const config = { path: 'sealed', password: 'hunter2-very-secret' }
    const added = await owner.post('/api/data-stores', local('Sealed', { connection_config: config }))
    expect(added.body).not.toContain('hunter2')
    const { data_store } = added.json<{ data_store: Store }>()
    expect(data_store).toMatchObject({ connection_config: { path: 'sealed' }, stored_secrets: ['password'] })
    const again = await owner.put(
      `/api/data-stores/${data_store.id}`,
      local('Sealed', { connection_config: { path: 'sealed', password: '' } }),
    )
    expect(again.json()).toMatchObject({ data_store: { stored_secrets: ['password'] } })
    const row = await server.database.database
      .selectFrom('data_stores')
      .selectAll()
      .where('id', '=', data_store.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row.connection_config) + row.sealed_secrets!.toString('latin1')).not.toContain('hunter2')
  })

  it('sends a stored secret to no other server than it was entered for', async () => {
    const at = (port: number, password: string) => ({
      name: 'Remote',
      store_type: 'postgresql',
      connection_config: { host: 'db.invalid', port, database: 'd', username: 'u', password },
    })
    const added = await owner.post('/api/data-stores', at(5432, 'hunter2-very-secret'))
    const { id } = added.json<{ data_store: Store }>().data_store
    const path = `/api/data-stores/${id}`
    expect((await owner.put(path, at(5432, ''))).statusCode).toBe(200)
    const moved = await owner.put(path, at(5433, ''))
    expect([moved.statusCode, moved.json<{ error: string }>().error]).toEqual([
      400,
      'The address of the data store has changed. Please enter its password or key again.',
    ])
    expect((await owner.put(path, at(5433, 'hunter2-very-secret'))).statusCode).toBe(200)
    const other = await owner.put(path, { ...local('Remote'), store_type: 'local' })
    expect(other.json()).toMatchObject({ data_store: { stored_secrets: [] } })
  })

  it('tries the connection before it saves, and saves what cannot be tried as not verified yet [SET-058]', async () => {
    const { hostname, port, pathname, username, password } = new URL(server.database.url)
    const config = {
      host: hostname,
      port,
      database: pathname.slice(1),
      username: decodeURIComponent(username),
      password: decodeURIComponent(password) || 'none',
    }
    const add = (more: object) =>
      owner.post('/api/data-stores', {
        name: 'Postgres',
        store_type: 'postgresql',
        connection_config: { ...config, ...more },
      })
    expect((await add({})).json()).toMatchObject({ success: true, data_store: { unverified_reason: null } })
    const refused = await add({ database: 'nowhere' })
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      400,
      'The data store cannot be used: there is no database of that name.',
    ])
    expect((await add({ host: 'no-such-host.invalid' })).json()).toMatchObject({
      success: true,
      data_store: { unverified_reason: expect.stringContaining('host') },
    })
  })

  it('protects the system store from edit and delete, though not from being cleared [DATA-082] [DATA-098]', async () => {
    const [{ id }] = (await stores(owner)) as [Store]
    expect((await owner.delete(`/api/data-stores/${id}`)).statusCode).toBe(409)
    expect((await owner.put(`/api/data-stores/${id}`, local('Mine'))).statusCode).toBe(409)
    const cleared = await owner.post(`/api/data-collector/data-stores/${id}/clear`)
    expect(cleared.json()).toMatchObject({ success: true, message: expect.stringContaining('System Storage') })
  })

  it('hides a store from everybody else [SET-047] [DATA-083] [SET-072] [DATA-110]', async () => {
    const [{ id }] = (await stores(owner)) as [Store]
    const answers = await Promise.all([
      stranger.put(`/api/data-stores/${id}`, local('Stolen')),
      stranger.delete(`/api/data-stores/${id}`),
      stranger.post(`/api/data-collector/data-stores/${id}/clear`),
      stranger.get(`/api/data-collector/data-stores/${id}/quality`),
      stranger.get(`/api/data-collector/data/available?store_id=${id}`),
      stranger.post('/api/data-collector/data/browse', { store_id: id }),
      owner.delete('/api/data-stores/2147483647'),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 404))
  })
})

describe('data stores as an operator has them who allows nothing', () => {
  let strict: TestApp
  let user: Caller
  let vendor: StandIn
  beforeAll(async () => {
    strict = await createTestApp({ environment: { RUN_JOBS: 'off' } })
    user = await caller(strict)
    vendor = await startStandIn('internal', () => ({ status: 418, body: 'TOP-SECRET-INTERNAL-PAGE' }))
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAOPERATOR')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'operator')
    vi.stubEnv('AWS_SESSION_TOKEN', 'OPERATOR-SESSION-TOKEN')
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await vendor.close()
    await strict.close()
  })

  const bucket = { bucket: 'market', region: 'us-east-1' }
  it.each([
    ['azure', () => ({ account_name: 'account', account_key: 'a2V5', container_name: 'ccc', endpoint: vendor.url })],
    ['s3', () => ({ ...bucket, access_key_id: 'a', secret_access_key: 'b', endpoint: vendor.url })],
    ['s3', () => ({ ...bucket, endpoint: vendor.url })],
    ['s3', () => bucket],
    ['gcs', () => ({ gcs_bucket: 'market', project_id: 'p' })],
    ['mongodb', () => ({ mongo_host: '127.0.0.1', port: new URL(vendor.url).port, mongo_database: 'x' })],
    [
      'postgresql',
      () => ({
        host: '127.0.0.1',
        port: new URL(vendor.url).port,
        database: 'x',
        username: 'x',
        password: 'x',
      }),
    ],
  ])('are not made at private addresses and not with its own credentials: %s', async (type, config) => {
    const answer = await user.post('/api/data-stores', { name: 'x', store_type: type, connection_config: config() })
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ error: string }>().error).toMatch(/private or reserved address|Please fill in/)
    expect(vendor.requests).toEqual([])
  })
})
