import { CROSS_METRICS, type CorrelationRow } from '@tradewright/contract/leading-indicators'
import { ManualClock } from '@tradewright/core/clock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importCsv, importDaily } from '../../../test-support/import-prices.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestApp
let user: RegisteredUser
const clock = new ManualClock(new Date('2024-03-04T16:00:00Z'))
beforeAll(async () => {
  server = await createTestApp({ clock })
  user = await register(server)
})
afterAll(() => server.close())

const get = (path: string, who: RegisteredUser | undefined = user) =>
  server.app.inject({ url: `/api/leading-indicators/${path}`, headers: who ? headersOf(who) : {} })

interface Answer {
  correlations: CorrelationRow[]
  tested: number
  expected_false_hits: number
  synthetic: boolean
  notes: string[]
  period: { start_date: string; end_date: string }
}

const correlations = async (path: string): Promise<Answer> => {
  const answer = await get(`correlations/${path}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

it('offers tickers by category, each with its name [LEAD-010]', async () => {
  const { tickers } = (await get('available-tickers')).json<{
    tickers: Record<string, { ticker: string; name: string }[]>
  }>()
  expect(Object.keys(tickers)).toEqual(['Stocks & ETFs', 'Crypto', 'Economic', 'Crypto derivatives'])
  expect(tickers['Crypto']).toContainEqual({ ticker: 'BTC-USD', name: 'Bitcoin' })
  expect(tickers['Stocks & ETFs']).toContainEqual({ ticker: 'SPY', name: 'S&P 500 ETF' })
})

describe('correlations', () => {
  it('mark economic series of which only the latest revisions are stored', async () => {
    const other = await register(server)
    const headers = { headers: headersOf(other) }
    await importDaily(server, headers, 'SPY', '2021-01-04', '2023-12-29')
    const months = Array.from({ length: 36 }, (_, i) => [new Date(Date.UTC(2021, i, 1)), 4 + Math.sin(i)] as const)
    const rows = months.map(([month, value]) => `${month.toISOString().slice(0, 10)},${value.toFixed(2)}`)
    await importCsv(server, headers, 'UNRATE', `Date,Value\n${rows.join('\n')}\n`)
    const answer = await get('correlations/SPY?min_correlation=0&period_days=700&limit=1000', other)
    const found = answer.json<Answer>()
    const ofUnemployment = found.correlations.filter((row) => row.cross_ticker === 'UNRATE')
    expect(ofUnemployment.length).toBeGreaterThan(0)
    expect(ofUnemployment.every((row) => row.uses_revised_values)).toBe(true)
    expect(found.notes).toContainEqual(expect.stringContaining('values of UNRATE may be later revisions'))
  })

  it('come strongest first, above the threshold and within the limit [LEAD-004] [LEAD-005] [LEAD-011] [LEAD-013]', async () => {
    const found = await correlations('SPY?min_correlation=0.1&period_days=180&limit=20')
    const rows = found.correlations
    expect(rows).toHaveLength(20)
    const strengths = rows.map((row) => Math.abs(row.correlation_value))
    expect(strengths.toSorted((a, b) => b - a)).toEqual(strengths)
    for (const row of rows) {
      expect(Math.abs(row.correlation_value)).toBeGreaterThanOrEqual(0.1)
      expect(CROSS_METRICS).toContain(row.cross_metric)
      expect([1, 2, 3, 5, 10]).toContain(row.lag_days)
      expect(row.cross_ticker).not.toBe('SPY')
      expect(row.p_value).toBeLessThanOrEqual(row.adjusted_p_value)
      expect(row.directional_accuracy).toBeGreaterThanOrEqual(0)
      expect(Number.isFinite(row.sharpe_ratio)).toBe(true)
      expect(row.feature).toMatchObject({ params: { ticker: row.cross_ticker, lag: row.lag_days - 1 } })
    }
    expect(found.tested).toBeGreaterThan(500)
    expect(found.expected_false_hits).toBeCloseTo(0.05 * found.tested)
    expect(found.synthetic).toBe(true)
    expect(found.notes[0]).toContain('synthetic')
  })

  it('have one lag where one is asked for, and every lag where none is [LEAD-012] [LEAD-023]', async () => {
    const one = await correlations('BTC-USD?min_correlation=0&lag_days=3&limit=1000')
    expect(new Set(one.correlations.map((row) => row.lag_days))).toEqual(new Set([3]))
    const all = await correlations('BTC-USD?min_correlation=0&limit=1000')
    expect(new Set(all.correlations.map((row) => row.lag_days))).toEqual(new Set([1, 2, 3, 5, 10]))
  })

  it.each([30, 90, 180, 365])('look back %i days [LEAD-022]', async (days) => {
    const { period } = await correlations(`QQQ?period_days=${days}&min_correlation=0.9`)
    const back = (Date.parse('2024-03-04') - Date.parse(period.start_date)) / 86_400_000
    expect(back).toBeLessThanOrEqual(days)
    expect(back).toBeGreaterThan(days - 6)
  })

  it('are few or none above a high threshold', async () => {
    const { correlations: rows } = await correlations('SPY?min_correlation=0.9&period_days=365')
    expect(rows).toEqual([])
  })
})

it.each([
  ['correlations/NOSUCHTICKER', 404, 'No daily data for NOSUCHTICKER is stored.'],
  ['correlations/SP%20Y', 400, 'is not a ticker'],
  ['correlations/SPY?min_correlation=high', 400, 'min_correlation must be a number from 0 to 1.'],
  ['correlations/SPY?period_days=soon', 400, 'period_days must be a number from 10 to 3650.'],
  ['correlations/SPY?period_days=90.5', 400, 'period_days must be a whole number.'],
  ['correlations/SPY?limit=0', 400, 'limit must be a number from 1 to 1000.'],
  ['correlations/SPY?lag_days=-1', 400, 'lag_days must be a number from 1 to 60.'],
])('%s answers %i with a sentence [LEAD-014] [LEAD-015]', async (path, status, sentence) => {
  const answer = await get(path)
  expect(answer.statusCode).toBe(status)
  expect(answer.json<{ error: string }>().error).toContain(sentence)
})

it.each(['available-tickers', 'correlations/SPY'])('%s answers 401 without a session [LEAD-009]', async (path) => {
  expect((await server.app.inject({ url: `/api/leading-indicators/${path}` })).statusCode).toBe(401)
})

it('has nothing made up where the sample market is off', async () => {
  const bare = await createTestApp({ environment: { SAMPLE_DATA: 'off' }, database: server.database, clock })
  try {
    const headers = headersOf(user)
    const none = await bare.app.inject({ url: '/api/leading-indicators/available-tickers', headers })
    expect(none.json<{ tickers: object }>().tickers).toEqual({})
    const answer = await bare.app.inject({ url: '/api/leading-indicators/correlations/SPY', headers })
    expect(answer.statusCode).toBe(404)
  } finally {
    await bare.close()
  }
})

it('compares stored real series with each other, and with nothing made up', async () => {
  const rows = (ticker: string, seed: number) => {
    const lines = Array.from({ length: 160 }, (_, i) => {
      const date = new Date(Date.UTC(2023, 5, 1) + i * 86_400_000)
      const price = 100 + 10 * Math.sin((i + seed) / 7) + ((i * seed) % 11)
      return `${date.toISOString().slice(0, 10)},${price.toFixed(2)}`
    })
    return { ticker, csv: ['date,close', ...lines].join('\n') }
  }
  const investor = await register(server)
  for (const { ticker, csv } of [rows('AAA-USD', 3), rows('BBB-USD', 5)]) {
    const form = new FormData()
    form.append('ticker', ticker)
    form.append('granularity', '1d')
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'prices.csv')
    const body = new Response(form)
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/data-collector/import',
      headers: { ...headersOf(investor), 'content-type': body.headers.get('content-type')! },
      payload: Buffer.from(await body.arrayBuffer()),
    })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  const answer = await get('correlations/AAA-USD?min_correlation=0&limit=1000', investor)
  const found = answer.json<Answer>()
  expect(found.synthetic).toBe(false)
  expect(new Set(found.correlations.map((row) => row.cross_ticker))).toEqual(new Set(['BBB-USD']))
  expect(found.period.end_date).toBe('2023-11-07')
})
