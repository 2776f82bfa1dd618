import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { createLog } from '../../log.ts'
import { databaseRefusal } from './database-refusal.ts'

const lines: string[] = []
let server: TestApp
let user: Caller
beforeAll(async () => {
  const log = createLog({ logLevel: 'warn' }, { write: (line) => void lines.push(line) })
  server = await createTestApp({ environment: providersAt(NOWHERE), log })
  user = await caller(server)
})
afterAll(() => server.close())

const config = {
  allocations: [{ ticker: 'SPY', allocation: 100 }],
  startDate: '2021-01-04',
  endDate: '2022-12-30',
  startValue: 10_000,
}

/** Sends a request while a deletion is under way, and commits the deletion when the request waits for it. */
async function whileDeleting(table: string, id: number, send: () => Promise<LightMyRequestResponse>) {
  const deletion = await server.database.pool.connect()
  try {
    await deletion.query('BEGIN')
    await deletion.query(`DELETE FROM ${table} WHERE id = $1`, [id])
    const answer = send()
    await untilBlocked()
    await deletion.query('COMMIT')
    return await answer
  } finally {
    deletion.release()
  }
}

async function untilBlocked(): Promise<void> {
  const blocked = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
  while ((await server.database.pool.query(blocked)).rowCount === 0);
}

describe('a strategy that is deleted while it is deployed', () => {
  it.each([
    ['create', { capital_policy_value: 100 }],
    ['create-with-positions', { contributed_cash: 100 }],
  ])('answers 409 to %s, says so in the log, and deploys nothing', async (call, capital) => {
    const account = await user.post('/api/alpaca/paper-account', {})
    const strategy = await user.post('/api/strategies', { name: 'Gone', strategy_type: 'Asset Allocation', config })
    const form = {
      deployment_name: 'Gone',
      strategy_id: strategy.json<{ id: number }>().id,
      alpaca_account_id: account.json<{ account: { id: number } }>().account.id,
      ...capital,
    }
    const answer = await whileDeleting('strategies', form.strategy_id, () => user.post(`/api/deployment/${call}`, form))
    expect(answer.statusCode, answer.body).toBe(409)
    expect(answer.json()).toMatchObject({ code: 'database.reference', message: expect.stringContaining('Nothing was') })
    expect(lines.join('')).toContain('deployments_strategy_id_fkey')
    const left = await user.get('/api/deployment/list')
    expect(left.json<{ deployments: unknown[] }>().deployments).toEqual([])
  })
})

it('maps races and values, and leaves bugs alone', () => {
  const failure = (code: string) => Object.assign(new Error('refused'), { code })
  const kinds = ['23503', '23505', '40001', '40P01', '22003', '22P02', '22021'].map(
    (code) => databaseRefusal(failure(code))?.kind,
  )
  expect(kinds).toEqual(['conflict', 'conflict', 'conflict', 'conflict', 'invalid', 'invalid', 'invalid'])
  // undefined_table, not_null_violation and a failure without a code are bugs: 500.
  for (const bug of [failure('42P01'), failure('23502'), new Error('a bug')])
    expect(databaseRefusal(bug)).toBeUndefined()
})
