import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { createTestUser } from '../../test-support/test-user.ts'
import { up } from './migrations/0036-synthetic-means-traded.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it('withdraws the word synthetic from saved backtests on real prices with a synthetic rate, and only there', async () => {
  const userId = await createTestUser(test.database, 'saver')
  const rows = (...tickers: string[]) => tickers.map((ticker) => ({ ticker, allocationPct: 50 }))
  const save = async (name: string, strategy: object, sampled: string[], more: object = {}) => {
    const providers = [
      { provider: 'csv', tickers: ['SPY'] },
      { provider: 'sample', tickers: sampled },
    ]
    const report = {
      order: { request: { strategy } },
      result: { sources: { simulation: { providers } }, ...more },
    }
    await test.pool.query(
      `INSERT INTO backtests (user_id, name, strategy_name, config, report, total_return, max_drawdown, synthetic, run_id, created_at, is_saved)
       VALUES ($1, $2, '', '{}', $3, 0, 0, true, gen_random_uuid(), now(), true)`,
      [userId, name, JSON.stringify(report)],
    )
  }
  await save('rate alone', { kind: 'allocation', allocation: rows('SPY?L=2') }, ['DTB3'])
  await save('traded', { kind: 'allocation', allocation: rows('SPY', 'AGG') }, ['AGG', 'DTB3'])
  await save('bills', { kind: 'allocation', allocation: rows('SPY', 'TBILLX') }, ['TB3MS'])
  await save('model, rate alone', { kind: 'ml', buy: rows('SPY'), sell: rows('CASHX') }, ['DTB3'])
  await save('model, traded', { kind: 'ml', buy: rows('SPY'), sell: rows('AGG') }, ['AGG'])
  await save('knows its series', { kind: 'allocation', allocation: rows('SPY') }, ['DTB3'], { series: [] })
  await up(test.database as Kysely<unknown>)
  const { rows: found } = await test.pool.query<{ name: string; synthetic: boolean }>(
    'SELECT name, synthetic FROM backtests ORDER BY id',
  )
  expect(found.map(({ name, synthetic }) => [name, synthetic])).toEqual([
    ['rate alone', false],
    ['traded', true],
    ['bills', true],
    ['model, rate alone', false],
    ['model, traded', true],
    ['knows its series', true],
  ])
})
