import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { inConnectionLane } from '../../connection-lane.ts'

let server: TestApp
let user: Caller
beforeAll(async () => {
  server = await createTestApp()
  user = await caller(server)
  await user.get('/api/strategies')
})
afterAll(() => server.close())

/** Does the work while calls have taken every connection that calls may have. */
async function whileTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  const { pool } = server.database
  const taken: PoolClient[] = []
  for (let i = 0; i < pool.options.max; i++) taken.push(await pool.connect())
  try {
    return await work()
  } finally {
    for (const client of taken) client.release()
  }
}

describe('while calls have taken all of their connections', () => {
  it('another call is told that the server is busy', async () => {
    const answer = await whileTaken(() => user.get('/api/strategies'))
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'database.busy'])
    expect(answer.headers['retry-after']).toBeDefined()
  })

  it('the program is well', async () => {
    expect((await whileTaken(() => server.app.inject('/health'))).statusCode).toBe(200)
    expect((await whileTaken(() => server.app.inject('/ready'))).statusCode).toBe(200)
  })

  it('an emergency stop is recorded within a second', async () => {
    const began = performance.now()
    const answer = await whileTaken(() => user.post('/api/deployment/emergency-stop'))
    expect([answer.statusCode, answer.json<{ problems: string[] }>().problems]).toEqual([200, []])
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  it('running deployments are polled', async () => {
    const { pool } = server.database
    const rows = await whileTaken(() => inConnectionLane('trading', () => pool.query('SELECT 1 AS one')))
    expect(rows.rows).toEqual([{ one: 1 }])
  })
})
