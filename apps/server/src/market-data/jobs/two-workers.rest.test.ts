import { sql } from 'kysely'
import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorkerProgram } from '../../../test-support/program.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestApp
let user: RegisteredUser
const workers: ChildProcess[] = []
beforeAll(async () => {
  server = await createTestApp({ environment: { RUN_JOBS: 'off' } })
  user = await register(server)
})
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await server.close()
})

const JOBS = '/api/data-collector/jobs'

async function createJob(name: string): Promise<number> {
  const form = {
    name,
    job_kind: 'fetch',
    provider_id: 'sample',
    tickers: ['SPY'],
    data_granularity: '1d',
    categories: ['open', 'high', 'low', 'close', 'volume'],
    start_date: '2020-08-03',
    end_date: '2020-09-11',
  }
  const answer = await post(server, JOBS, form, headersOf(user))
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json<{ job: { id: number } }>().job.id
}

/** The process that has the newest collection, or had it. */
async function takenBy(): Promise<number> {
  const { rows } = await sql<{ worker_id: string | null }>`
    SELECT worker_id FROM jobs WHERE kind = 'data-collection' ORDER BY created_at DESC LIMIT 1`.execute(
    server.database.database,
  )
  return Number(rows[0]?.worker_id?.split(' ').at(-2))
}

it('any worker takes a collection, and its run ends the same', async () => {
  const start = async () => workers.push(await startWorkerProgram(server.database.url))
  await Promise.all([start(), start()])
  const counts = []
  for (const [at, worker] of workers.entries()) {
    const id = await createJob(`Collection ${at}`)
    workers[1 - at]!.kill('SIGSTOP')
    const answer = await post(server, `${JOBS}/${id}/run`, undefined, headersOf(user))
    workers[1 - at]!.kill('SIGCONT')
    expect(answer.statusCode, answer.body).toBe(200)
    expect(await takenBy()).toBe(worker.pid)
    counts.push(answer.json<{ records_fetched: number }>().records_fetched)
  }
  expect(counts[0]).toBeGreaterThan(0)
  expect(counts[1]).toBe(counts[0])
})
