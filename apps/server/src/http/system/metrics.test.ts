import { afterAll, beforeAll, expect, it } from 'vitest'
import { caller } from '../../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { outsideCalls } from '../../observe/process-counts.ts'

const TOKEN = 'a token that only Prometheus knows'
const headers = { authorization: `Bearer ${TOKEN.replaceAll(' ', '-')}` }

let server: TestApp
beforeAll(async () => {
  server = await createTestApp({ environment: { METRICS_TOKEN: TOKEN.replaceAll(' ', '-') } })
})
afterAll(() => server.close())

const metrics = async (): Promise<string> => {
  const answer = await server.app.inject({ url: '/metrics', headers })
  expect(answer.statusCode).toBe(200)
  return answer.body
}

it('has no metrics unless the operator has set a token', async () => {
  const plain = await createTestApp({ database: server.database })
  try {
    expect((await plain.app.inject({ url: '/metrics', headers })).statusCode).toBe(404)
  } finally {
    await plain.close()
  }
})

it('looks to any other caller as if there were none, a signed-in user included', async () => {
  const ann = await caller(server)
  for (const other of [{}, { authorization: 'Bearer wrong' }, ann.headers]) {
    const answer = await server.app.inject({ url: '/metrics', headers: other })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'route.unknown'])
  }
})

it('counts calls by the pattern of their path, and paths that do not exist as one', async () => {
  const ann = await caller(server)
  await ann.get('/api/strategies/424242')
  await ann.get('/api/made-up-by-a-visitor')
  const text = await metrics()
  expect(text).toMatch(/tradewright_http_requests_total\{method="GET",route="\/api\/strategies\/:id",status="404"\} 1/)
  expect(text).toMatch(/tradewright_http_request_seconds_count\{method="GET",route="\/api\/strategies\/:id"\} 1/)
  expect(text).toMatch(/route="unknown",status="404"/)
  expect(text).not.toContain('strategies/424242')
  expect(text).not.toContain('made-up-by-a-visitor')
})

it('tells of jobs, deployments, database, threads, and calls to other services', async () => {
  const ann = await caller(server)
  const job = `INSERT INTO jobs (id, user_id, kind, subject, input, state, attempts, cancel_requested, delivery_id, created_at, updated_at)
    VALUES (gen_random_uuid(), $1, 'backtest', 'SPY', '{}', 'queued', 0, false, gen_random_uuid(), now() - interval '90 s', now())`
  await server.database.pool.query(job, [ann.id])
  outsideCalls.record('yahoo', 'limit', 0.2)
  outsideCalls.record("ann's secret provider", 'answered', 0.1)
  // Counts of the database may be some seconds old.
  await expect.poll(metrics).toMatch(/^tradewright_jobs\{kind="backtest"/m)
  const text = await metrics()
  const value = (line: RegExp) => Number(line.exec(text)?.[1])
  expect(value(/^tradewright_database_up (\d+)$/m)).toBe(1)
  expect(value(/^tradewright_database_bytes (\S+)$/m)).toBeGreaterThan(1e6)
  expect(value(/^tradewright_jobs\{kind="backtest",state="queued"\} (\d+)$/m)).toBe(1)
  expect(value(/^tradewright_jobs_oldest_seconds\{kind="backtest",state="queued"\} (\S+)$/m)).toBeGreaterThan(89)
  expect(value(/^tradewright_deployments\{state="missed"\} (\d+)$/m)).toBe(0)
  expect(value(/^tradewright_compute_tasks\{lane="live",state="waiting"\} (\d+)$/m)).toBe(0)
  expect(value(/^tradewright_outside_call_seconds_count\{service="yahoo",outcome="limit"\} (\d+)$/m)).toBe(1)
  expect(value(/^tradewright_outside_call_seconds_count\{service="custom",outcome="answered"\} (\d+)$/m)).toBe(1)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toContain('secret provider')
})

it('is ready while database and messages are there, and says why it is not', async () => {
  const answer = await server.app.inject('/ready')
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ready' }])
  const closing = await createTestApp()
  const { foundation } = closing
  await closing.foundation.close()
  const refused = await closing.app.inject('/ready')
  expect([refused.statusCode, refused.json().error]).toEqual([
    503,
    'Messages of other processes do not arrive right now.',
  ])
  foundation.close = async () => {}
  await closing.close()
})
