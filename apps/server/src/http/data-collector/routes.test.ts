import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { startSecStandIn } from '../../../test-support/stand-ins/sec.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { startYahooStandIn } from '../../../test-support/stand-ins/yahoo.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, register } from '../../../test-support/visitor.ts'

let server: TestApp
let yahoo: StandIn
let sec: StandIn
let user: Caller
let stranger: Caller
beforeAll(async () => {
  yahoo = await startYahooStandIn(() => Date.now())
  sec = await startSecStandIn()
  const environment = { YAHOO_URL: yahoo.url, SEC_URL: sec.url, SEC_CONTACT: 'operator@example.com' }
  server = await createTestApp({ environment })
  stranger = await caller(server)
})
afterAll(async () => {
  await server.close()
  await Promise.all([yahoo.close(), sec.close()])
})
beforeEach(async () => {
  user = await caller(server)
})
afterEach(() => {
  yahoo.behave()
  yahoo.onStall = () => {}
})

const JOBS = '/api/data-collector/jobs'
const BARS = ['open', 'high', 'low', 'close', 'volume', 'dividend', 'split']

const form = (more: object = {}) => ({
  name: 'Apple',
  job_kind: 'fetch',
  provider_id: 'yahoo',
  tickers: ['AAPL'],
  data_granularity: '1d',
  categories: BARS,
  start_date: '2020-08-03',
  end_date: '2020-09-11',
  ...more,
})

interface Job {
  id: number
  name: string
  status: string
  error_message: string | null
}
interface Run {
  run_id: number
  status: string
  records_fetched: number
  records_stored: number
}

async function create(more: object = {}, who = user): Promise<number> {
  const answer = await who.post(JOBS, form(more))
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json<{ job: Job }>().job.id
}
const run = (id: number, who = user) => who.post(`${JOBS}/${id}/run`)
/** Without the system job, which every user has. */
const jobs = async () =>
  (await user.get(JOBS)).json<{ jobs: (Job & { is_system: boolean })[] }>().jobs.filter(({ is_system }) => !is_system)
const runs = async () => (await user.get('/api/data-collector/runs')).json<{ runs: Run[] }>().runs
const browse = (body: object = {}, who = user) => who.post('/api/data-collector/data/browse', body)

describe('providers', () => {
  it('lists what the user may collect from [DATA-036] [DATA-084]', async () => {
    const { providers } = (await user.get('/api/data-collector/providers')).json<{ providers: { id: string }[] }>()
    expect(providers.map(({ id }) => id)).toEqual(['yahoo', 'fred', 'coinalyze', 'coinbase', 'sample'])
    expect(providers[0]).toEqual({
      id: 'yahoo',
      display_name: 'Yahoo Finance',
      provider_type: 'equities',
      requires_auth: false,
      max_ticker_batch: 1,
      is_custom: false,
      supported_categories: ['close', 'open', 'high', 'low', 'volume', 'dividend', 'split'],
      capabilities: { bulk_mode: false },
      granularities: ['1m', '5m', '15m', '30m', '1h', '1d'],
      synthetic: false,
    })
  })

  it('says what to connect when a provider is to be generated [DATA-104] [DATA-111]', async () => {
    const url = '/api/data-collector/providers/generate'
    expect((await user.post(url, { api_documentation: 'GET /prices' })).json()).toMatchObject({
      success: false,
      error: 'Provider name is required',
    })
    const answer = await user.post(url, { provider_name: 'Mine', api_documentation: 'GET /prices' })
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      409,
      expect.stringContaining('OpenAI'),
    ])
  })

  it('gives the largest companies, with a limit that is clamped [DATA-103] [DATA-109] [DATA-034]', async () => {
    const tickers = async (query: string) =>
      (await user.get(`/api/data-collector/sec-tickers${query}`)).json<{ tickers: string[] }>().tickers
    expect((await tickers('?limit=2')).length).toBe(2)
    expect((await tickers('?limit=-5')).length).toBe(1)
    expect((await user.get('/api/data-collector/sec-tickers?limit=many')).statusCode).toBe(400)
  })

  it('gives the SEC the address of the user where the operator has set none', async () => {
    const other = await createTestApp({ environment: { SEC_URL: sec.url } })
    const nameless = await caller(other)
    const ask = (headers: Record<string, string>) =>
      other.app.inject({ method: 'GET', url: '/api/data-collector/sec-tickers?limit=1', headers })
    const refused = await ask(nameless.headers)
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      409,
      expect.stringContaining('requires a contact address'),
    ])
    const ann = await register(other, 'ann@example.com')
    expect((await ask(headersOf(ann))).json()).toMatchObject({ tickers: ['NVDA'] })
    expect(sec.requests.at(-1)?.headers['user-agent']).toBe('Tradewright ann@example.com')
    await other.close()
  })
})

describe('a collection job', () => {
  it('is created, listed, changed and deleted [DATA-038] [DATA-039] [DATA-040] [DATA-041] [DATA-042] [DATA-086] [DATA-095] [DATA-096] [DATA-097]', async () => {
    const id = await create({ tickers: 'aapl?L=2, MSFT?FB=AAPL?FB=TBILLX, ,AAPL', depends_on_job_ids: [] })
    const [job] = await jobs()
    expect(job).toEqual({
      id,
      name: 'Apple',
      is_system: false,
      job_kind: 'fetch',
      provider: 'Yahoo Finance',
      provider_id: 'yahoo',
      store: 'System Storage',
      data_store_id: expect.any(Number),
      tickers: ['AAPL', 'MSFT'],
      data_granularity: '1d',
      categories: BARS,
      start_date: '2020-08-03',
      end_date: '2020-09-11',
      dynamic_date_mode: false,
      dynamic_start_offset_days: null,
      dynamic_end_offset_days: null,
      is_scheduled: false,
      schedule_cron: null,
      schedule_start_time: null,
      schedule_end_time: null,
      schedule_timezone: null,
      schedule_start_date: null,
      schedule_end_date: null,
      schedule_days: [],
      schedule_market_hours_only: false,
      schedule_active: false,
      additional_params: {},
      transform_config: null,
      depends_on_job_ids: [],
      status: 'pending',
      progress: null,
      error_message: null,
      last_run: null,
      next_run: null,
      total_records: 0,
      successful_runs: 0,
      failed_runs: 0,
    })
    const changed = await user.put(`${JOBS}/${id}`, form({ name: 'Renamed', categories: ['pe_ratio'] }))
    // A category that the provider does not have gives way to the first that it has.
    expect(changed.json()).toMatchObject({ success: true, job: { name: 'Renamed', categories: ['close'] } })
    expect((await user.delete(`${JOBS}/${id}`)).json()).toEqual({ success: true })
    expect(await jobs()).toEqual([])
  })

  it.each([
    ['a name', { name: ' ' }, 'Job name is required'],
    ['a granularity', { data_granularity: '' }, 'Data granularity is required'],
    ['a provider', { provider_id: null }, 'Provider is required for fetch jobs'],
    ['a ticker', { tickers: ' , ' }, 'At least one ticker is required'],
    ['a provider that exists', { provider_id: 'unknown' }, 'There is no data provider "unknown".'],
    ['dates in order', { end_date: '2019-01-01' }, 'The end date is before the start date.'],
    ['a ticker that is one', { tickers: ['A B'] }, '"A B" is not a ticker: it has characters no symbol has.'],
    ['a start offset of 0 or more', { dynamic_start_offset_days: -1 }, expect.stringContaining('must be 0 or more')],
    ['text that can be stored', { name: 'a\0b' }, 'The request contains characters that cannot be stored.'],
    ['a cron expression', { is_scheduled: true, schedule_cron: 'at noon' }, '"at noon" is not a cron expression.'],
  ])(
    'is refused without %s [DATA-063] [DATA-064] [DATA-065] [DATA-066] [DATA-068] [DATA-105]',
    async (_, more, error) => {
      const answer = await user.post(JOBS, form(more))
      expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ success: false, error })])
    },
  )

  it('drops a bulk mode the provider does not have [DATA-059]', async () => {
    const of = async (provider_id: string) => {
      const answer = await user.post(JOBS, form({ provider_id, additional_params: { mode: 'bulk', note: 1 } }))
      return answer.json<{ job: { additional_params: unknown } }>().job.additional_params
    }
    expect(await of('yahoo')).toEqual({ note: 1 })
    expect(await of('sample')).toEqual({ note: 1, mode: 'bulk' })
  })

  it('runs through three layers and says what it did [DATA-043] [DATA-044] [DATA-087] [DATA-094]', async () => {
    const id = await create()
    const answer = (await run(id)).json<{ records_fetched: number; records_stored: number; run_id: number }>()
    expect(answer).toEqual({
      success: true,
      records_fetched: 147,
      records_stored: 147,
      message: 'Fetched 147 records, stored 147 records.',
      run_id: expect.any(Number),
    })
    expect((await runs())[0]).toEqual({
      run_id: answer.run_id,
      job_id: id,
      job_name: 'Apple',
      provider: 'Yahoo Finance',
      store: 'System Storage',
      status: 'completed',
      started_at: expect.any(String),
      completed_at: expect.any(String),
      records_fetched: 147,
      records_stored: 147,
      layer_counts: { bronze: expect.any(Number), silver: 147, gold: 147 },
      run_counts: { bronze: expect.any(Number), silver: 147, gold: 147 },
      total_duration_ms: expect.any(Number),
      message: expect.any(String),
      error_message: null,
    })
    expect((await jobs())[0]).toMatchObject({ status: 'completed', total_records: 147, successful_runs: 1 })
  })

  it('changes nothing when it is run again', async () => {
    const id = await create()
    await run(id)
    expect((await run(id)).json()).toMatchObject({ records_fetched: 147, records_stored: 0 })
    expect((await jobs())[0]).toMatchObject({ total_records: 147, successful_runs: 2, failed_runs: 0 })
  })

  it('is run once when it is asked to run twice at the same time', async () => {
    const id = await create()
    const [one, two] = await Promise.all([run(id), run(id)])
    expect(one.json<Run>().run_id).toBe(two.json<Run>().run_id)
    expect(await runs()).toHaveLength(1)
  })

  it('names the ticker that is not known and keeps the others', async () => {
    const id = await create({ tickers: ['AAPL', 'NOSUCH'] })
    const { message } = (await run(id)).json<{ message: string }>()
    expect(message).toContain('Yahoo Finance does not know NOSUCH.')
  })

  it('names the ticker that could not be had and keeps the others', async () => {
    yahoo.misbehave('html', { when: ({ path }) => path.includes('MSFT') })
    const id = await create({ tickers: ['AAPL', 'MSFT'] })
    const { message, records_stored } = (await run(id)).json<{ message: string; records_stored: number }>()
    expect(records_stored).toBe(147)
    expect(message).toMatch(/Yahoo Finance .*MSFT/)
  })

  it('is refused where the provider offers none of its tickers', async () => {
    const id = await create({ provider_id: 'sample', tickers: ['NOSUCHTICKER'] })
    const refusal = await run(id)
    expect(refusal.statusCode).toBe(400)
    expect(refusal.json<{ error: string }>().error).toContain('does not offer NOSUCHTICKER.')
  })

  it('fails with the reason when nothing could be had [DATA-049] [DATA-129]', async () => {
    const id = await create({ tickers: ['NOSUCH'] })
    const answer = await run(id)
    const error = 'Yahoo Finance does not know NOSUCH.'
    expect([answer.statusCode, answer.json()]).toEqual([502, expect.objectContaining({ success: false, error })])
    expect((await jobs())[0]).toMatchObject({ status: 'failed', error_message: error, failed_runs: 1 })
    expect((await runs())[0]).toMatchObject({ status: 'failed', error_message: error })
  })

  it('ends as cancelled when its user stops it, and keeps and counts what it had stored', async () => {
    const id = await create({ tickers: ['AAPL', 'MSFT'] })
    yahoo.misbehave('slow', { when: ({ path }) => path.endsWith('/MSFT') })
    const stalled = new Promise<void>((resolve) => (yahoo.onStall = resolve))
    const running = run(id)
    await stalled
    expect((await user.post(`${JOBS}/${id}/cancel`)).json()).toEqual({ success: true })
    const answer = await running
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'job.cancelled'])
    await expect.poll(async () => (await runs())[0]!.records_stored).toBe(147)
    expect((await runs())[0]).toMatchObject({
      status: 'cancelled',
      records_fetched: 147,
      run_counts: { silver: 147, gold: 147 },
      completed_at: expect.any(String),
      message: 'Fetched 147 records, stored 147 records.',
      error_message: null,
    })
    expect((await jobs())[0]).toMatchObject({ status: 'cancelled', total_records: 147, failed_runs: 0, progress: null })
    expect((await browse({ tickers: ['AAPL'] })).json()).toMatchObject({ total: 147 })
    const again = await user.post(`${JOBS}/${id}/cancel`)
    expect([again.statusCode, again.json<{ error: string }>().error]).toEqual([409, '"Apple" is not running.'])
    yahoo.behave()
    expect((await run(id)).json()).toMatchObject({ success: true })
    expect((await jobs())[0]).toMatchObject({ status: 'completed', successful_runs: 1 })
  })

  it('waits for the jobs it depends on, which must not lead back to it', async () => {
    const first = await create({ name: 'First' })
    const second = await create({ name: 'Second', depends_on_job_ids: [first] })
    expect((await run(second)).json()).toMatchObject({
      error: '"Second" depends on "First", which has to be completed first.',
    })
    const cycle = await user.put(`${JOBS}/${first}`, form({ name: 'First', depends_on_job_ids: [second] }))
    expect([cycle.statusCode, cycle.json<{ error: string }>().error]).toEqual([
      400,
      'The job would depend on itself: First → Second → First.',
    ])
    expect((await user.delete(`${JOBS}/${first}`)).statusCode).toBe(409)
    await run(first)
    expect((await run(second)).statusCode).toBe(200)
  })

  it('keeps a store from being deleted while it writes there', async () => {
    const store = { name: 'Mine', store_type: 'local', connection_config: { path: 'mine' } }
    const { id } = (await user.post('/api/data-stores', store)).json<{ data_store: { id: number } }>().data_store
    await create({ name: 'Writer', data_store_id: id })
    const answer = await user.delete(`/api/data-stores/${id}`)
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      409,
      expect.stringContaining('"Writer"'),
    ])
  })

  it('computes a starter transform and stores its columns [DATA-146]', async () => {
    await run(await create())
    const id = await create({
      name: 'Returns',
      job_kind: 'transform',
      provider_id: null,
      transform_config: { starter_transform: 'Drawdown' },
    })
    expect((await run(id)).json()).toMatchObject({ success: true, records_stored: expect.any(Number) })
    const { records } = (await browse({ categories: ['drawdown'], per_page: 1 })).json<{ records: object[] }>()
    expect(records[0]).toMatchObject({ ticker: 'AAPL', category: 'drawdown', provider: 'transform' })
  })

  it('belongs to its user alone [DATA-080] [DATA-083] [DATA-110]', async () => {
    const id = await create()
    const foreignStore = (await user.get('/api/data-stores')).json<{ data_stores: { id: number }[] }>().data_stores[0]!
    const answers = await Promise.all([
      run(id, stranger),
      stranger.put(`${JOBS}/${id}`, form()),
      stranger.delete(`${JOBS}/${id}`),
      stranger.post(`${JOBS}/${id}/cancel`),
      stranger.post(JOBS, form({ data_store_id: foreignStore.id })),
      stranger.post(JOBS, form({ depends_on_job_ids: [id] })),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404, 404])
    const { jobs: foreign } = (await stranger.get(JOBS)).json<{ jobs: { name: string }[] }>()
    expect(foreign.map(({ name }) => name)).toEqual(['Nightly refresh'])
    expect((await server.app.inject({ method: 'GET', url: JOBS })).statusCode).toBe(401)
  })
})
