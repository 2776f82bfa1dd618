import { beforeAll, describe, expect, it } from 'vitest'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'

let server: TestServer
let user: Caller
let stranger: Caller
beforeAll(async () => {
  server = await sharedTestApp()
  user = await caller(server)
  stranger = await caller(server)
  const job = {
    name: 'Sample',
    provider_id: 'sample',
    tickers: ['SPY', 'QQQ'],
    data_granularity: '1d',
    categories: ['close', 'volume'],
    start_date: '2024-01-01',
    end_date: '2024-03-31',
  }
  const { id } = (await user.post('/api/data-collector/jobs', job)).json<{ job: { id: number } }>().job
  const answer = await user.post(`/api/data-collector/jobs/${id}/run`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
})

interface Page {
  records: { ticker: string; value: number; timestamp: string; category: string }[]
  page: number
  pages: number
  total: number
}

const browse = (body: object, who = user) => who.post('/api/data-collector/data/browse', body)
const page = async (body: object) => (await browse(body)).json<Page>()

describe('browsing', () => {
  it('offers what there is to filter by [DATA-090]', async () => {
    expect((await user.get('/api/data-collector/data/available?layer=gold')).json()).toEqual({
      success: true,
      tickers: ['QQQ', 'SPY'],
      categories: expect.arrayContaining(['close', 'volume']),
      providers: ['sample'],
      granularities: ['1d'],
      date_range: { min: '2024-01-02', max: '2024-03-28' },
    })
    expect((await stranger.get('/api/data-collector/data/available')).json()).toMatchObject({
      tickers: [],
      date_range: { min: null, max: null },
    })
  })

  it('gives 50 records a page, newest first, in the fields of the spec [DATA-045] [DATA-056] [DATA-091] [DATA-092]', async () => {
    const first = await page({})
    expect(first).toMatchObject({ success: true, page: 1, total: expect.any(Number) })
    expect(first.records).toHaveLength(50)
    expect(first.pages).toBe(Math.ceil(first.total / 50))
    expect(first.records[0]).toEqual({
      ticker: expect.any(String),
      timestamp: '2024-03-28T00:00:00.000Z',
      category: expect.any(String),
      type: 'security',
      value: expect.any(Number),
      currency: 'USD',
      provider: 'sample',
      collected_at: expect.any(String),
      granularity: '1d',
      synthetic: true,
    })
  })

  it('filters, searches, sorts and pages [DATA-092]', async () => {
    const filters = { tickers: ['SPY'], categories: ['close'], start_date: '2024-01-02', end_date: '2024-01-05' }
    const all = await page({ ...filters, sort_by: 'value', sort_order: 'asc' })
    expect(all.total).toBe(4)
    const values = all.records.map(({ value }) => value)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    const second = await page({ ...filters, sort_by: 'value', sort_order: 'asc', page: 2, per_page: 3 })
    expect([second.pages, second.records.map(({ value }) => value)]).toEqual([2, values.slice(3)])
    expect((await page({ search: 'qqq' })).records.every(({ ticker }) => ticker === 'QQQ')).toBe(true)
    expect((await page({ search: 'nothing like it' })).total).toBe(0)
  })

  it.each([
    ['an unknown layer', { layer: 'platinum' }],
    ['a negative page', { page: -1 }],
    ['a page that is text', { page: 'one' }],
    ['tickers that are a number', { tickers: 5 }],
    ['an unknown field to sort by', { sort_by: 'colour' }],
    ['a date that does not exist', { start_date: '2024-02-30' }],
    ['dates out of order', { start_date: '2024-02-02', end_date: '2024-02-01' }],
  ])('refuses %s [DATA-106] [DATA-107]', async (_, body) => {
    const answer = await browse(body)
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ success: false })])
  })

  it('needs a session [DATA-080] [DATA-081]', async () => {
    expect((await server.app.inject({ method: 'POST', url: '/api/data-collector/data/browse' })).statusCode).toBe(401)
    expect((await browse({})).statusCode).toBe(200)
  })
})

describe('transforms', () => {
  const view = (body: object) => user.post('/api/data-collector/data/browse-with-transforms', body)

  it('has a starter kit [DATA-047] [DATA-089]', async () => {
    const { transforms } = (await user.get('/api/data-collector/transforms/starter-kit')).json<{
      transforms: object[]
    }>()
    expect(transforms.length).toBeGreaterThanOrEqual(8)
    for (const transform of transforms) {
      expect(transform).toEqual({
        name: expect.any(String),
        description: expect.any(String),
        required_categories: expect.any(Array),
        computed_columns: expect.arrayContaining([{ name: expect.any(String), description: expect.any(String) }]),
      })
    }
  })

  it('pivots the data and adds the computed columns, with null for what is not known yet [DATA-048] [DATA-093]', async () => {
    const body = { tickers: ['SPY'], categories: ['close'], pivot: true, starter_transform: 'Correlation to Benchmark' }
    const result = (await view(body)).json<{ columns: object[]; data: Record<string, unknown>[]; row_count: number }>()
    expect(result.columns).toEqual(
      ['ticker', 'timestamp', 'close', 'correlation_20', 'correlation_60', 'correlation_120'].map((name) => ({ name })),
    )
    expect(result.row_count).toBe(result.data.length)
    expect(result.data[0]).toMatchObject({ ticker: 'SPY', close: expect.any(Number), correlation_20: null })
    expect(result.data.at(-1)!['correlation_20']).toBeCloseTo(1)
  })

  it.each([
    [{ categories: ['close'] }, 'Please select at least one ticker for transform view'],
    [{ tickers: ['SPY'] }, 'Please select at least one category for transform view'],
    [{ tickers: ['SPY'], categories: ['close'], starter_transform: 'Magic' }, 'There is no starter transform "Magic".'],
  ])('refuses %j [DATA-073] [DATA-074]', async (body, error) => {
    expect((await view(body)).json()).toMatchObject({ success: false, error })
  })
})

describe('saved queries', () => {
  const URL = '/api/data-collector/saved-queries'

  it('are refused with a date that the calendar does not have', async () => {
    for (const start_date of ['0000-01-01', '2023-02-29']) {
      const answer = await user.post(URL, { name: 'Mine', start_date })
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('YYYY-MM-DD')])
    }
  })

  it('are saved, counted, changed and deleted [DATA-046] [DATA-088] [DATA-100] [DATA-101] [DATA-102]', async () => {
    const saved = await user.post(URL, { name: 'Mine', tickers: ['SPY'], start_date: '2024-01-01', end_date: '' })
    const { query } = saved.json<{ query: { id: number } }>()
    expect(query).toEqual({
      id: expect.any(Number),
      name: 'Mine',
      description: '',
      tickers: ['SPY'],
      categories: [],
      providers: [],
      start_date: '2024-01-01',
      end_date: null,
      is_default: false,
      use_count: 0,
    })
    const own = `${URL}/${query.id}`
    expect((await user.put(own)).json()).toMatchObject({ success: true, query: { use_count: 1, tickers: ['SPY'] } })
    const changed = await user.put(own, { name: 'Yours', tickers: ['QQQ'] })
    expect(changed.json()).toMatchObject({ query: { use_count: 2, name: 'Yours', tickers: ['QQQ'] } })
    for (const foreign of [await stranger.put(own), await stranger.delete(own)]) expect(foreign.statusCode).toBe(404)
    expect((await stranger.get(URL)).json()).toEqual({ success: true, queries: [] })
    expect((await user.delete(own)).json()).toEqual({ success: true })
    expect((await user.get(URL)).json()).toEqual({ success: true, queries: [] })
  })

  it.each([{}, { name: '  ' }, { name: 5 }])('need a name: %j [DATA-071] [DATA-108]', async (body) => {
    expect((await user.post(URL, body)).json()).toMatchObject({
      success: false,
      error: 'A name is required to save a query.',
    })
  })
})

describe('a store', () => {
  it('reports on the quality of its series', async () => {
    const { data_stores } = (await user.get('/api/data-stores')).json<{ data_stores: { id: number }[] }>()
    const answer = await user.get(`/api/data-collector/data-stores/${data_stores[0]!.id}/quality`)
    const { series } = answer.json<{ series: { ticker: string }[] }>()
    expect(series.map(({ ticker }) => ticker).sort()).toEqual(['QQQ', 'SPY'])
    expect(series[0]).toMatchObject({ rows: 61, missing_rows: 0, duplicates: 0, is_stale: true, synthetic: true })
  })
})
