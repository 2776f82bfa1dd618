import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { optimizationForm, runsOf } from '../../../test-support/optimization.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'

let server: TestServer
let user: Caller
let run: number
let account: number
beforeAll(async () => {
  server = await sharedTestApp()
  user = await caller(server)
  run = await runsOf(server, { cookie: user.headers['cookie']! }).start({ ...optimizationForm, generations: 1 })
  account = (await user.post('/api/alpaca/paper-account', {})).json<{ account: { id: number } }>().account.id
})

/** Beyond an integer column, beyond exact doubles, beyond doubles of any use, and no whole number. */
const NO_IDS = [2 ** 31, 9_007_199_254_740_992, -1, -1e308, 1.5]

describe('a number that no column holds', () => {
  it.each(['1.5', '-1', '2147483648', '1e300', 'NaN', 'x'])('after_generation=%s answers 400', async (value) => {
    const answer = await user.get(`/api/optimization-runs/${run}?after_generation=${value}`)
    expect(answer.statusCode, answer.body).toBe(400)
  })

  it.each(['0', '1', '200'])('after_generation=%s answers the later generations', async (value) => {
    const answer = await user.get(`/api/optimization-runs/${run}?after_generation=${value}`)
    expect(answer.statusCode, answer.body).toBe(200)
  })

  it.each(NO_IDS)('as account_id %s of a validation is no account', async (account_id) => {
    const asset = await user.post('/api/asset/validate', { ticker: 'SPY', account_id })
    expect(asset.statusCode, asset.body).toBe(404)
    const mapping = await user.post('/api/asset/validate-mapping', { ticker_mapping: { SPY: 'SPY' }, account_id })
    expect(mapping.statusCode, mapping.body).toBe(404)
  })

  it.each(NO_IDS)('as an id %s of the deploy form is refused', async (id) => {
    const form = { deployment_name: 'Bounds', capital_policy_value: 100 }
    for (const ids of [
      { strategy_id: id, alpaca_account_id: account },
      { strategy_id: 1, alpaca_account_id: id },
    ]) {
      const answer = await user.post('/api/deployment/create', { ...form, ...ids })
      expect([400, 404], answer.body).toContain(answer.statusCode)
    }
  })

  it.each(NO_IDS)('as an id %s of a job or a list that another row needs is refused', async (id) => {
    const job = {
      name: 'Bounds',
      provider_id: 'sample',
      tickers: ['SPY'],
      data_granularity: '1d',
      categories: ['price'],
    }
    const created = await user.post('/api/data-collector/jobs', { ...job, depends_on_job_ids: [id] })
    expect([400, 404], created.body).toContain(created.statusCode)
    const lists = { ...optimizationForm, target_list_ids: [id], feature_list_ids: [id], wait: false }
    const started = await user.post('/api/feature-optimization', lists)
    expect([400, 404], started.body).toContain(started.statusCode)
  })

  it.each(['0', '2147483648', '999999999999999'])('in a path is a missing object: %s', async (id) => {
    for (const path of ['strategies', 'backtests', 'optimization-runs', 'deployment']) {
      const answer = await user.get(`/api/${path}/${id}`)
      expect(answer.statusCode, `${path}: ${answer.body}`).toBe(404)
    }
    expect((await user.get(`/api/deployment/account/${id}/positions`)).statusCode).toBe(404)
  })
})

it('refuses nesting that no form has, instead of running out of stack', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/strategies',
    headers: { ...user.headers, 'content-type': 'application/json' },
    payload: `{"name":"Deep","strategy_type":"ML","config":{"a":${deep}}}`,
  })
  expect(answer.statusCode, answer.body).toBe(400)
})

it('refuses more values than any form has before each is checked', async () => {
  const tickers = Array.from({ length: 520_000 }, () => 0)
  const answer = await user.post('/api/ticker-lists', { name: 'Many', list_type: 'target', tickers })
  expect(answer.statusCode).toBe(400)
  expect(answer.json<{ error: string }>().error).toBe('The request has too many values.')
})

it.each(['/api/backtest', '/api/data-collector/import'])('refuses a form that cannot be read: %s', async (url) => {
  const headers = { ...user.headers, 'content-type': 'multipart/form-data; boundary=cut' }
  for (const payload of ['', '\0', '--cut\r\n', '--cut\r\ncontent-disposition: form-data; name="ticker"\r\n\r\nSPY']) {
    const answer = await server.app.inject({ method: 'POST', url, headers, payload })
    expect(answer.statusCode, `${JSON.stringify(payload)}: ${answer.body}`).toBe(400)
  }
})

it('answers a HEAD of the endless stream of events at once', async () => {
  const answer = await server.app.inject({ method: 'HEAD', url: '/api/events', headers: user.headers })
  expect(answer.statusCode).toBe(404)
})
