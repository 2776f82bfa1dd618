import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { providersAt, NOWHERE } from '../../../test-support/providers-at.ts'

let server: TestApp
let user: Caller
let account: number
beforeAll(async () => {
  // Jobs and deployments ask the database by the clock, which would be counted with the call.
  server = await createTestApp({ environment: { ...providersAt(NOWHERE), RUN_JOBS: 'off' } })
  user = await caller(server)
  account = (await user.post('/api/alpaca/paper-account', {})).json<{ account: { id: number } }>().account.id
})
afterAll(() => server.close())

/** Statements that a call sends to the database, and the most connections that it held at once. */
async function cost(call: () => Promise<unknown>): Promise<{ taken: number; atOnce: number }> {
  const { pool } = server.database
  let [taken, held, atOnce] = [0, 0, 0]
  const acquired = () => {
    taken += 1
    held += 1
    atOnce = Math.max(atOnce, held)
  }
  const released = () => (held -= 1)
  pool.on('acquire', acquired).on('release', released)
  await call()
  pool.off('acquire', acquired).off('release', released)
  return { taken, atOnce }
}

const mapping = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`T${i}`, `T${i}`]))

describe('a mapping of tickers', () => {
  const validate = (count: number) =>
    user.post('/api/asset/validate-mapping', { account_id: account, ticker_mapping: mapping(count) })

  it('of more tickers than a deployment has is refused before any broker is asked', async () => {
    const answer = await validate(5_000)
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      400,
      'The ticker mapping has too many values.',
    ])
  })

  it('costs about as much for 400 tickers as for 4', async () => {
    await validate(2)
    const few = await cost(() => validate(4))
    const many = await cost(async () => expect((await validate(400)).statusCode).toBe(200))
    expect(many.taken).toBeLessThan(few.taken + 10)
    expect(many.atOnce).toBeLessThan(10)
  })
})

it('lists 300 strategies to deploy in a handful of queries', async () => {
  const config = { allocations: [{ ticker: 'SPY', allocation: 100 }], startDate: '2020-01-02', endDate: '2021-01-04' }
  for (let i = 0; i < 300; i++) {
    await user.post('/api/strategies', { name: `Number ${i}`, strategy_type: 'Asset Allocation', config })
  }
  const list = await cost(async () => {
    const answer = await user.get('/api/deployment/strategies')
    const { strategies } = answer.json<{ strategies: { name: string; is_deployable: boolean }[] }>()
    expect(strategies.slice(0, 2).map(({ name }) => name)).toEqual(['Number 299', 'Number 298'])
    expect(strategies).toHaveLength(300)
    expect(strategies.every(({ is_deployable }) => is_deployable)).toBe(true)
  })
  expect(list.taken).toBeLessThan(12)
})

it('refuses an allocation of more tickers than 500, in a check as in a run', async () => {
  const tickers = Array.from({ length: 2_400 }, (_, i) => `T${i}`)
  const parts = (names: readonly string[]) => {
    const form = new FormData()
    form.append('strategyType', 'Asset Allocation')
    form.append('startDate', '2020-01-02')
    form.append('endDate', '2021-01-04')
    for (const name of names) {
      form.append('ticker[]', name)
      form.append('allocation[]', String(100 / names.length))
    }
    return form
  }
  for (const path of ['/api/backtest/check', '/api/backtest']) {
    const request = new Request('http://localhost', { method: 'POST', body: parts(tickers) })
    const answer = await server.app.inject({
      method: 'POST',
      url: path,
      headers: { ...user.headers, 'content-type': request.headers.get('content-type')! },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    expect([answer.statusCode, answer.json<{ error: string }>().error], path).toEqual([
      400,
      expect.stringContaining('at most 500 tickers'),
    ])
  }
})
