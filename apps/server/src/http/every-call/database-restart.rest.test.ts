import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { register } from '../../../test-support/visitor.ts'
import { databaseOutage } from '../../database-failure.ts'

const ROUNDS = 5
const WRITERS = 4

let server: TestApp
let ann: Caller
let operator: pg.Client
beforeAll(async () => {
  server = await createTestApp()
  ann = await caller(server)
  const url = new URL(server.database.url)
  url.pathname = '/postgres'
  operator = new pg.Client({ connectionString: url.href })
  await operator.connect()
})
afterAll(async () => {
  await operator.end()
  await server.close()
})

/** As a restart or a failover does to all connections of this database. */
async function cutConnections(): Promise<void> {
  const { rows: cut } = await operator.query<{ pid: number }>(
    'SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
    [new URL(server.database.url).pathname.slice(1)],
  )
  const left = () => operator.query('SELECT FROM pg_stat_activity WHERE pid = ANY($1)', [cut.map(({ pid }) => pid)])
  await expect.poll(async () => (await left()).rowCount, { interval: 5 }).toBe(0)
}

it('fails a transaction whose connection breaks between two statements, and nothing else', async () => {
  const { database, pool } = server.database
  const broken = database.transaction().execute(async (transaction) => {
    await sql`SELECT 1`.execute(transaction)
    await cutConnections()
    await sql`SELECT 1`.execute(transaction)
  })
  const failure = await broken.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(databaseOutage(failure)?.kind).toBe('unavailable')
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

it('answers some calls with 503 while connections are cut, loses nothing it said yes to, and goes on', async () => {
  const answers: { status: number; body: string }[] = []
  const saved: string[] = []
  const over = new AbortController()
  const write = async (writer: number) => {
    for (let count = 0; !over.signal.aborted; count++) {
      const name = `list ${writer}.${count}`
      const { statusCode, body } = await ann.post('/api/ticker-lists', { name, tickers: ['SPY'], list_type: 'target' })
      answers.push({ status: statusCode, body })
      if (statusCode === 200) saved.push(name)
    }
  }
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  for (let round = 0; round < ROUNDS; round++) {
    const before = saved.length
    await cutConnections()
    await expect.poll(() => saved.length, { interval: 5 }).toBeGreaterThan(before + WRITERS)
  }
  over.abort()
  await writers
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  const { statusCode, body } = await ann.get('/api/ticker-lists')
  expect(statusCode).toBe(200)
  for (const name of saved) expect(body).toContain(`"${name}"`)
})

it('goes on with jobs and messages after its connections were cut', async () => {
  const bob = await register(server)
  await cutConnections()
  const backtest = async () => (await postBacktest(server, bob, allocationForm)).statusCode
  await expect.poll(backtest).toBe(200)
  expect(server.foundation.notifications.isListening()).toBe(true)
})
