import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { surviveLostConnections } from './database.ts'
import { postgresLock, processLock } from './series/writer-lock.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

function openPool(): pg.Pool {
  const pool = surviveLostConnections(new pg.Pool({ connectionString: test.url, max: 2, application_name: 'cut' }))
  onTestFinished(() => pool.end())
  return pool
}

const cut = () =>
  test.pool.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'cut'`)

it('outlives the loss of a connection that is checked out, and opens another', async () => {
  const pool = openPool()
  const client = await pool.connect()
  const ended = new Promise((resolve) => client.once('end', resolve))
  await cut()
  await ended
  await expect(client.query('SELECT 1')).rejects.toThrow('not queryable')
  client.release()
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

it('finishes the work under a lock whose connection is lost, and locks again afterwards', async () => {
  const lock = postgresLock(openPool(), processLock())
  const work = lock.exclusive('a store', async () => {
    await cut()
    return 'written'
  })
  expect(await work).toBe('written')
  expect(await lock.exclusive('a store', () => Promise.resolve('again'))).toBe('again')
})
