import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { importCsv } from '../../../test-support/import-prices.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'

/** Two web processes as on machines of their own: a database and a bucket of the operator's are all they share. */
let root: string
let storage: S3rver
let database: TestDatabase
let machines: TestApp[]
let user: Caller
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'tradewright-bucket-'))
  storage = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: root,
    configureBuckets: [{ name: 'series', configs: [] }],
  })
  const { port } = await storage.run()
  database = await createTestDatabase()
  const environment = {
    SERIES_BUCKET: 's3://series/tradewright',
    SERIES_BUCKET_ENDPOINT: `http://127.0.0.1:${port}`,
    SERIES_BUCKET_KEY_ID: 'S3RVER',
    SERIES_BUCKET_SECRET: 'S3RVER',
  }
  machines = [await createTestApp({ database, environment }), await createTestApp({ database, environment })]
  user = await caller(machines[0]!)
})
afterAll(async () => {
  for (const machine of machines) await machine.close()
  await database.close()
  await storage.close()
  rmSync(root, { recursive: true, force: true })
})

const objects = () =>
  readdirSync(join(root, 'series'), { recursive: true }).filter((name) => String(name).includes('.parquet'))

it('keeps series of the system store where every machine reads them, and removes them with their user', async () => {
  const [first, second] = machines as [TestApp, TestApp]
  const imported = await importCsv(first, user, 'SHARED', 'date,close\n2024-01-02,100\n2024-01-03,101\n')
  expect(imported.statusCode, imported.body).toBe(200)
  expect(objects()).not.toEqual([])

  const payload = { tickers: ['SHARED'] }
  const url = '/api/data-collector/data/browse'
  const browsed = await second.app.inject({ method: 'POST', url, headers: user.headers, payload })
  expect(browsed.json<{ records: { value: number }[] }>().records.map(({ value }) => value)).toEqual([101, 100])

  const { rows } = await database.pool.query<{ username: string }>('SELECT username FROM users WHERE id = $1', [
    user.id,
  ])
  const left = await second.app.inject({
    method: 'POST',
    url: '/api/user/delete',
    headers: user.headers,
    payload: { username: rows[0]!.username, password: 'correct horse' },
  })
  expect(left.statusCode, left.body).toBe(200)
  expect(objects()).toEqual([])
})
