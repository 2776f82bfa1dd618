import { epochDayOf, formatDate } from '@tradewright/core/time'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { pagedDefinition, startCustomApiStandIn } from '../../../test-support/stand-ins/custom-api.ts'
import { type StandIn, startStandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

const KEY = 'users-own-api-key'
const PROVIDERS = '/api/data-collector/providers'

let server: TestApp
let api: StandIn
let user: Caller
let stranger: Caller
beforeAll(async () => {
  api = await startCustomApiStandIn(() => Date.now(), KEY)
  server = await createTestApp({ environment: { ALLOW_PRIVATE_PROVIDERS: 'on' } })
  stranger = await caller(server)
})
afterAll(async () => {
  await server.close()
  await api.close()
})
beforeEach(async () => {
  user = await caller(server)
})

const definition = (more: object = {}) => ({ ...pagedDefinition(api.url), ...more })
const candidate = (more: object = {}) => ({ definition: definition(), ticker: 'AAPL', api_key: KEY, ...more })

interface Listed {
  id: string
  display_name: string
  is_custom: boolean
}
const own = async (who: Caller): Promise<Listed[]> =>
  (await who.get(PROVIDERS)).json<{ providers: Listed[] }>().providers.filter(({ is_custom }) => is_custom)

describe('a custom provider', () => {
  it('is tried on its API without being saved', async () => {
    const answer = await user.post(`${PROVIDERS}/try`, candidate())
    expect(answer.json()).toMatchObject({ success: true, dry_run: { works: true, problems: [] } })
    expect(answer.json<{ dry_run: { sample: object[] } }>().dry_run.sample).toHaveLength(5)
    expect(await own(user)).toEqual([])
  })

  it('is saved after a dry run that worked, offered to its user alone, and its key never comes back [DATA-036] [DATA-083]', async () => {
    const saved = await user.post(PROVIDERS, candidate())
    expect(saved.json()).toMatchObject({
      success: true,
      provider: { id: 'my-api', display_name: 'My API', is_custom: true, supported_categories: ['close', 'volume'] },
    })
    expect(saved.body + (await user.get(PROVIDERS)).body).not.toContain(KEY)
    expect(await own(stranger)).toEqual([])
    const row = await server.database.database
      .selectFrom('custom_providers')
      .selectAll()
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row.definition) + row.sealed_key!.toString('latin1')).not.toContain(KEY)
  })

  it('gets the next free id, and none of the program', async () => {
    const save = async (more: object) =>
      (await user.post(PROVIDERS, candidate({ definition: definition(more) }))).json<{ provider: Listed }>().provider.id
    expect([await save({}), await save({}), await save({ id: 'yahoo' })]).toEqual(['my-api', 'my-api-2', 'yahoo-2'])
  })

  it.each([
    ['a ticker', () => candidate({ ticker: ' ' }), 'A ticker to try the provider with is required'],
    [
      'a definition',
      () => candidate({ definition: { id: 'x' } }),
      expect.stringContaining('The dry run did not work.'),
    ],
    ['the right key', () => candidate({ api_key: 'wrong' }), expect.stringContaining('refused the request')],
    [
      'a place for its values',
      () => candidate({ definition: definition({ path: '/nowhere/{ticker}' }) }),
      expect.stringContaining('The dry run did not work.'),
    ],
  ])('is not saved without %s', async (_, body, error) => {
    const answer = await user.post(PROVIDERS, body())
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ success: false, error })])
    expect(await own(user)).toEqual([])
  })

  it('brings data to a job and to a backtest that names it', async () => {
    await user.post(PROVIDERS, candidate())
    const job = {
      name: 'Own',
      provider_id: 'my-api',
      tickers: ['AAPL'],
      data_granularity: '1d',
      categories: ['close', 'volume'],
      start_date: '2024-01-02',
      end_date: '2024-03-01',
    }
    const created = await user.post('/api/data-collector/jobs', job)
    const { id } = created.json<{ job: { id: number; provider: string } }>().job
    expect(created.json()).toMatchObject({ job: { provider: 'My API' } })
    const run = await user.post(`/api/data-collector/jobs/${id}/run`)
    expect(run.json()).toMatchObject({ success: true, records_stored: expect.any(Number) })
    const page = await user.post('/api/data-collector/data/browse', { providers: ['my-api'], per_page: 1 })
    expect(page.json()).toMatchObject({ total: expect.any(Number), records: [{ ticker: 'AAPL', provider: 'my-api' }] })
    const refused = await user.delete(`${PROVIDERS}/my-api`)
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      409,
      'The provider is used by these collection jobs: "Own".',
    ])
  })

  it('has its late corrections, and what it and another disagree on, counted in the run', async () => {
    const day = epochDayOf(Date.now()) - 10
    const items = [
      { date: formatDate(day), close: 10 },
      { date: formatDate(day + 1), close: 11 },
    ]
    const changing = await startStandIn('changing', () => ({ body: { data: { items } } }))
    const { records } = pagedDefinition('')
    const jobOf = async (id: string) => {
      const plain = { auth: { type: 'none' }, paging: { type: 'none' }, query: {}, baseUrl: changing.url }
      const closes = { records: { ...records, values: { close: 'close' } } }
      await user.post(PROVIDERS, candidate({ definition: definition({ id, ...plain, ...closes }) }))
      const job = { name: id, provider_id: id, tickers: ['AAPL'], data_granularity: '1d', categories: ['close'] }
      const created = await user.post('/api/data-collector/jobs', { ...job, start_date: items[0]!.date })
      return created.json<{ job: { id: number } }>().job.id
    }
    const run = async (id: number) => (await user.post(`/api/data-collector/jobs/${id}/run`)).json<object>()
    const first = await jobOf('first')
    expect(await run(first)).toMatchObject({ records_fetched: 2, records_stored: 2 })
    items[1]!.close = 12
    expect(await run(first)).toMatchObject({
      records_stored: 1,
      message: 'Fetched 2 records, stored 1 records. 1 of them corrected earlier values.',
    })
    items[0]!.close = 20
    expect(await run(await jobOf('second'))).toMatchObject({
      message: 'Fetched 2 records, stored 2 records. Providers disagree on 1 value.',
    })
    await changing.close()
  })

  it('is renamed and deleted by its user alone', async () => {
    await user.post(PROVIDERS, candidate())
    const rename = (who: Caller, display_name: string) => who.put(`${PROVIDERS}/my-api`, { display_name })
    expect((await rename(user, 'Better name')).json()).toMatchObject({ provider: { display_name: 'Better name' } })
    expect((await rename(user, ' ')).statusCode).toBe(400)
    expect((await rename(stranger, 'Mine')).statusCode).toBe(404)
    expect((await stranger.delete(`${PROVIDERS}/my-api`)).statusCode).toBe(404)
    expect((await user.delete(`${PROVIDERS}/yahoo`)).statusCode).toBe(404)
    expect((await user.delete(`${PROVIDERS}/my-api`)).json()).toEqual({ success: true })
    expect(await own(user)).toEqual([])
  })
})

it('does not reach this machine unless the operator allows it', async () => {
  const guarded = await createTestApp()
  const asker = await caller(guarded)
  const answer = await asker.post(`${PROVIDERS}/try`, candidate())
  expect(answer.json()).toMatchObject({
    dry_run: { works: false, problems: [expect.stringContaining('private or reserved address')] },
  })
  await guarded.close()
})
