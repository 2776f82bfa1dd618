import { chained } from '@tradewright/core/forward-record'
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { injectSend } from '../../../test-support/fuzz/inject-send.ts'
import { type PlantedUser, plantUser } from '../../../test-support/fuzz/planted-user.ts'
import { MULTIPART, multipartBody } from '../../../test-support/fuzz/wire.ts'
import { startStandIns, type StandIns } from '../../../test-support/fuzz/stand-ins.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { createTestApp, sharedTestApp, type TestApp, type TestServer } from '../../../test-support/test-app.ts'
import { createSeal } from '../../secrets/seal.ts'
import { sealSecret } from '../backup/archive.ts'
import { newestMigration } from '../migrate.ts'
import { createDataStoreRows } from '../market-data/data-stores.ts'
import { importUser } from './import-user.ts'
import { IMPORTED_TABLES, type Row, readExport } from './imported-tables.ts'

interface ExportFile {
  application: string
  schema: string
  secrets?: object
  data: Record<string, Record<string, unknown>[]>
}

const PASSPHRASE = 'a passphrase of the tests'
const KEY = Buffer.from('key').toString('base64')
const S3_KEY = { access_key_id: 'AK', secret_access_key: 'SK' }
const PRIVATE = /private|not allowed|public/i
let standIns: StandIns
let source: TestApp
let target: TestApp
/** With the guards of addresses that an operator has by default. */
let guarded: TestServer
let user: PlantedUser
let exported: string
beforeAll(async () => {
  standIns = await startStandIns()
  ;[guarded, source, target] = await Promise.all([
    sharedTestApp(),
    createTestApp({ environment: standIns.environment }),
    createTestApp({ environment: standIns.environment }),
  ])
  user = await plantUser({
    send: injectSend(source.app),
    name: 'owner',
    customApi: standIns.customApi,
    hasAlpaca: true,
  })
  exported = (await source.app.inject({ method: 'GET', url: '/api/user/export', headers: user.headers })).body
})
afterAll(async () => {
  await Promise.all([source.close(), target.close()])
  await standIns.close()
})

/** The export as a file, changed. */
function fileOf(change: (file: ExportFile) => void = () => {}): string {
  const file = JSON.parse(exported) as ExportFile
  change(file)
  return written(JSON.stringify(file))
}

function written(text: string, folder = temporaryFolder()): string {
  const path = join(folder, 'export.json')
  writeFileSync(path, text)
  return path
}

async function bring(into: Caller, path: string, passphrase?: string, to: TestServer = target) {
  const { database } = to.database
  const { id } = await createDataStoreRows(database, async () => {}).systemStore(into.id)
  const { seal } = to.foundation
  return importUser({ database, seal, userId: into.id, systemStoreId: id }, await readExport(path, passphrase))
}

async function rowsOf(userId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name, references } of IMPORTED_TABLES) {
    if (!('user_id' in references)) continue
    const { rows } = await target.database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${name} WHERE user_id = $1`,
      [userId],
    )
    counts[name] = rows[0]!.n
  }
  return counts
}

const LISTS = [
  '/api/strategies',
  '/api/backtests/all',
  '/api/alpaca/accounts',
  '/api/deployment/list',
  '/api/ticker-lists',
  '/api/data-collector/jobs',
  '/api/data-stores',
  '/api/ai-assistant-conversations',
]

it('brings what a user has made to an account of another instance, once, with deployments stopped', async () => {
  // Ids of the two instances differ.
  for (let i = 0; i < 3; i++) await caller(target)
  const into = await caller(target)
  const path = fileOf(({ data }) => data['deployments']!.forEach((each) => (each['status'] = 'running')))
  const first = await bring(into, path)
  // The study and the construction had just begun.
  expect(first.leftOut.filter((line) => !/^(parameter_studies|portfolio_constructions)/.test(line))).toEqual([])
  for (const url of LISTS) {
    const answer = await into.get(url)
    expect([url, answer.statusCode]).toEqual([url, 200])
    expect(answer.body, url).toContain(user.canary)
  }
  const { deployments } = (await into.get('/api/deployment/list')).json<{ deployments: { id: number }[] }>()
  const details = await into.get(`/api/deployment/${deployments[0]!.id}`)
  expect(details.statusCode, details.body).toBe(200)
  expect(details.json<{ deployment: { status: string } }>().deployment.status).toBe('stopped')
  const before = await rowsOf(into.id)

  const second = await bring(into, path)
  expect(second.added).toEqual({})
  expect(await rowsOf(into.id)).toEqual(before)
})

it('has no key of the user unless they are sealed with a passphrase, and seals them for their new rows', async () => {
  const data = (JSON.parse(exported) as ExportFile).data
  const store = data['data_stores']!.find(({ is_system }) => is_system === false)!
  const secrets = { data_stores: { [String(store['id'])]: JSON.stringify({ password: 'the store password' }) } }
  const sealed = await sealSecret(JSON.stringify(secrets), PASSPHRASE)
  const path = fileOf((file) => {
    file.secrets = sealed
    for (const deployment of file.data['deployments']!) deployment['order_key'] = 'sealed-order-key'
    for (const intent of file.data['order_intents']!)
      intent['client_order_id'] = `sealed-${String(intent['client_order_id'])}`
  })
  expect(readFileSync(path, 'utf8')).not.toContain('the store password')
  await expect(bring(await caller(target), path, 'another passphrase of it')).rejects.toThrow('does not open')
  const into = await caller(target)
  await bring(into, path, PASSPHRASE)
  const row = await target.database.database
    .selectFrom('data_stores')
    .select(['id', 'sealed_secrets'])
    .where('user_id', '=', into.id)
    .where('is_system', '=', false)
    .executeTakeFirstOrThrow()
  const opened = target.foundation.seal.open(
    { table: 'data_stores', row: row.id, userId: into.id },
    row.sealed_secrets!,
  )
  expect(opened).toContain('the store password')
  expect(() =>
    createSeal('another secret of 16 characters').open(
      { table: 'data_stores', row: row.id, userId: into.id },
      row.sealed_secrets!,
    ),
  ).toThrow()
})

const first = (file: ExportFile, table: string): Record<string, unknown> => file.data[table]![0]!

const HOSTILE: [name: string, change: (file: ExportFile) => void, sentence: RegExp][] = [
  ['a row of another user', (file) => (first(file, 'strategies')['user_id'] = 1_000_000), /not the user's/],
  [
    'a strategy that is not in the file',
    (file) => (first(file, 'backtests')['strategy_id'] = 1_000_000),
    /not in the file/,
  ],
  ['a column that does not exist', (file) => (first(file, 'strategies')['x'] = 1), /not a column/],
  ['a column of sealed bytes', (file) => (first(file, 'data_stores')['sealed_secrets'] = '\\x00'), /not a column/],
  ['a value of another type', (file) => (first(file, 'ticker_lists')['tickers'] = 'x'), /ticker_lists/],
  ['a state that does not exist', (file) => (first(file, 'strategies')['strategy_type'] = 'x'), /strategies/],
  ['a text with a zero byte', (file) => (first(file, 'strategies')['name'] = 'a\u0000b'), /strategies/],
  [
    'more lists than a user may have',
    (file) => {
      const list = first(file, 'ticker_lists')
      file.data['ticker_lists'] = Array.from({ length: 300 }, (_, i) => ({ ...list, id: i + 1, name: `list ${i}` }))
    },
    /At most 200 ticker lists[^.]*\. Delete some that you no longer need\. Nothing was changed\.$/,
  ],
  [
    'a row that no call could have written',
    (file) => (first(file, 'strategies')['config'] = { note: 'x'.repeat(2_000_000) }),
    /strategies, row 1: it is larger than 1 MB/,
  ],
  ['two users', (file) => file.data['users']!.push(first(file, 'users')), /not an export/],
  ['tables of another version', (file) => (file.schema = '0001-auth'), /same Tradewright/],
]

describe('a hostile file', () => {
  it.each(HOSTILE)('with %s is refused, and nothing is changed', async (_name, change, sentence) => {
    const into = await caller(target)
    await createDataStoreRows(target.database.database, async () => {}).systemStore(into.id)
    const before = await rowsOf(into.id)
    await expect(bring(into, fileOf(change))).rejects.toThrow(sentence)
    expect(await rowsOf(into.id)).toEqual(before)
  })

  it.each(['', '{', '[]', 'null', '{"application":"Tradewright","data":{"users":"x"}}'])(
    '%j is no export',
    async (text) => {
      await expect(readExport(written(text), undefined)).rejects.toThrow('is not an export')
    },
  )

  it('does not make a real account a paper one, nor start anything', async () => {
    const into = await caller(target)
    const path = fileOf((file) => {
      for (const deployment of file.data['deployments']!) {
        Object.assign(deployment, {
          order_key: 'hostile',
          status: 'running',
          next_run_at: '2020-01-01T00:00:00Z',
          may_trade_synthetic: true,
        })
        deployment['account_id'] = file.data['brokerage_accounts']!.find(({ broker }) => broker === 'alpaca')!['id']
      }
      for (const table of ['order_intents', 'ledger_entries', 'book_balances', 'account_books', 'account_events'])
        file.data[table] = []
      for (const job of file.data['collection_jobs']!) job['next_run_at'] = '2020-01-01T00:00:00Z'
    })
    await bring(into, path)
    const { rows } = await target.database.pool.query<Row>(
      `SELECT status, next_run_at, may_trade_synthetic FROM deployments WHERE user_id = $1`,
      [into.id],
    )
    expect(rows).toEqual([{ status: 'stopped', next_run_at: null, may_trade_synthetic: false }])
    const jobs = await target.database.pool.query<Row>(`SELECT next_run_at FROM collection_jobs WHERE user_id = $1`, [
      into.id,
    ])
    expect(jobs.rows.every(({ next_run_at }) => next_run_at === null)).toBe(true)
  })
})

const LEADING_ELSEWHERE: [where: string, type: string, config: object, keys: object, why: RegExp][] = [
  ['a folder above', 'local', { path: '../../outside' }, {}, /is outside the folders/],
  ['a folder of the system', 'local', { path: '/tmp' }, {}, /is outside the folders/],
  [
    'a bucket on this machine',
    's3',
    { bucket: 'bucket', region: 'eu-west-1', endpoint: 'http://127.0.0.1:9' },
    S3_KEY,
    PRIVATE,
  ],
  ['a host by its region', 's3', { bucket: '../b', region: 'evil.example/' }, S3_KEY, /bucket|region/],
  [
    'the host of a cloud',
    'azure',
    { account_name: 'account', container_name: 'container', endpoint: 'http://169.254.169.254' },
    { account_key: KEY },
    PRIVATE,
  ],
  [
    'a socket',
    'postgresql',
    { host: '/tmp', port: 5432, database: 'd', username: 'u' },
    { password: 'p' },
    /is not a host/,
  ],
  [
    'a file by an option',
    'mongodb',
    { mongo_host: 'h/?tlsCAFile=/etc/passwd', mongo_database: 'd' },
    {},
    /is not a host/,
  ],
]

describe('a data store of the file', () => {
  let into: Caller
  let stores: { id: number; name: string }[]
  beforeAll(async () => {
    into = await caller(guarded)
    const rest = {
      user_id: 1,
      is_system: false,
      default_format: 'parquet',
      partition_strategy: 'none',
      compression: 'snappy',
      created_at: '2026-01-01',
    }
    const rows = LEADING_ELSEWHERE.map(([where, type, config], i) => ({
      id: i + 9,
      name: where,
      store_type: type,
      connection_config: config,
      ...rest,
    }))
    const keys = LEADING_ELSEWHERE.map(([, , , each], i) => [i + 9, JSON.stringify(each)])
    const secrets = await sealSecret(JSON.stringify({ data_stores: Object.fromEntries(keys) }), PASSPHRASE)
    const users = [{ id: 1, username_key: 'h', created_at: '2026-01-01' }]
    const file = { application: 'Tradewright', schema: newestMigration, secrets, data: { users, data_stores: rows } }
    await bring(into, written(JSON.stringify(file), guarded.dataDir), PASSPHRASE, guarded)
    stores = (await into.get('/api/data-stores')).json<{ data_stores: typeof stores }>().data_stores
  })

  it.each(LEADING_ELSEWHERE)(
    'that leads to %s is refused when it is used: %s %j',
    async (where, _type, _config, _keys, why) => {
      const { id } = stores.find(({ name }) => name === where)!
      const fields = { ticker: 'EVIL', store: String(id), file: 'date,close\n2024-01-02,1\n' }
      const answer = await guarded.app.inject({
        method: 'POST',
        url: '/api/data-collector/import',
        headers: { ...into.headers, 'content-type': MULTIPART },
        payload: multipartBody(fields),
      })
      expect([400, 503], answer.body).toContain(answer.statusCode)
      expect(answer.json<{ error: string }>().error).toMatch(why)
    },
  )
})

describe('a forward record', () => {
  const sha256 = (text: string) => hash('sha256', text)
  const withRecord = (key: string, change: (entries: Record<string, unknown>[]) => void) =>
    fileOf((file) => {
      const [deployment] = file.data['deployments']!
      for (const each of file.data['deployments']!) each['order_key'] = key
      for (const intent of file.data['order_intents']!)
        intent['client_order_id'] = `${key}-${String(intent['client_order_id'])}`
      const header = JSON.stringify({ name: 'Recorded', strategy: 'S', strategy_type: 'ML', is_paper: true })
      const first = chained(sha256, sha256(header), '{"seq":1,"at":"2026-01-02"}')
      const entries = [first, chained(sha256, first.hash, '{"seq":2,"at":"2026-01-03"}')]
      const record = { id: 9, deployment_id: deployment!['id'], header, is_open: true, created_at: '2026-01-01' }
      file.data['forward_records'] = [record]
      const rows = entries.map(({ content, previous, hash: own }, i) => ({
        record_id: 9,
        seq: i + 1,
        content,
        previous,
        hash: own,
      }))
      file.data['forward_entries'] = rows
      change(rows)
    })

  it('comes over closed, and says how much of it this instance did not see written', async () => {
    const into = await caller(target)
    await bring(
      into,
      withRecord('record', () => {}),
    )
    const { rows } = await target.database.pool.query<Row>(
      `SELECT is_open, imported_entries FROM forward_records JOIN deployments d ON d.id = deployment_id WHERE d.user_id = $1`,
      [into.id],
    )
    expect(rows).toEqual([{ is_open: false, imported_entries: 2 }])
  })

  it.each<[string, (entries: Record<string, unknown>[]) => void]>([
    ['edited', ([, second]) => (second!['content'] = '{"seq":2,"at":"2026-01-04"}')],
    ['removed', (entries) => entries.shift()],
    ['that is no text', ([, second]) => (second!['content'] = { seq: 2 })],
  ])('with an entry %s is refused', async (_, change) => {
    const into = await caller(target)
    await expect(bring(into, withRecord('broken', change))).rejects.toThrow(/forward_records: .*(Entry 2|header)/)
  })
})

it('keeps decimals exactly', async () => {
  const exact = '123456789.123456789123456789'
  const into = await caller(target)
  const path = fileOf((file) => {
    for (const deployment of file.data['deployments']!)
      Object.assign(deployment, { order_key: 'exact', committed_capital: 'EXACT' })
    for (const intent of file.data['order_intents']!)
      intent['client_order_id'] = `exact-${String(intent['client_order_id'])}`
  })
  await bring(into, written(readFileSync(path, 'utf8').replace('"EXACT"', exact)))
  const { rows } = await target.database.pool.query<{ value: string }>(
    `SELECT committed_capital::text AS value FROM deployments WHERE user_id = $1`,
    [into.id],
  )
  expect(rows).toEqual([{ value: exact }])
})
