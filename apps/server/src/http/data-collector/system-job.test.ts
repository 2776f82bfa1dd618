import { DAY } from '@tradewright/core/time'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { caller, type Caller } from '../../../test-support/caller.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { startYahooStandIn } from '../../../test-support/stand-ins/yahoo.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

let server: TestApp
let yahoo: StandIn
let user: Caller
beforeAll(async () => {
  yahoo = await startYahooStandIn(() => Date.now())
  server = await createTestApp({ environment: { YAHOO_URL: yahoo.url } })
})
afterAll(async () => {
  await server.close()
  await yahoo.close()
})
beforeEach(async () => {
  user = await caller(server)
})
afterEach(() => yahoo.behave())

const JOBS = '/api/data-collector/jobs'

interface Job {
  id: number
  name: string
  is_system: boolean
  status: string
  error_message: string | null
  next_run: string | null
}

const list = async () => (await user.get(JOBS)).json<{ jobs: Job[] }>().jobs
async function systemJob(): Promise<Job> {
  const found = (await list()).filter(({ is_system }) => is_system)
  expect(found).toHaveLength(1)
  return found[0]!
}
const run = async () => (await user.post(`${JOBS}/${(await systemJob()).id}/run`)).json<{ message: string }>()

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)

/** A job that stores a series up to some days ago. */
async function collected(ticker: string, provider: string, more: object = {}): Promise<void> {
  const body = { name: ticker, job_kind: 'fetch', provider_id: provider, tickers: [ticker], data_granularity: '1d' }
  const dates = { categories: ['close'], start_date: daysAgo(60), end_date: daysAgo(20) }
  const { job } = (await user.post(JOBS, { ...body, ...dates, ...more })).json<{ job: Job }>()
  expect((await user.post(`${JOBS}/${job.id}/run`)).statusCode).toBe(200)
}

async function newestOf(ticker: string): Promise<string> {
  const query = { tickers: [ticker], categories: ['close'], sort_by: 'timestamp', sort_order: 'desc' }
  const { records } = (await user.post('/api/data-collector/data/browse', query)).json<{
    records: { timestamp: string }[]
  }>()
  return records[0]!.timestamp
}

it('belongs to every user, runs by itself at night, and can be neither changed nor deleted [DATA-082]', async () => {
  const job = await systemJob()
  expect(job).toMatchObject({
    name: 'Nightly refresh',
    provider: 'Automatic',
    job_kind: 'fetch',
    tickers: [],
    is_scheduled: true,
    schedule_active: true,
    schedule_timezone: 'America/New_York',
    status: 'pending',
  })
  expect(Date.parse(job.next_run!) - Date.now()).toBeLessThanOrEqual(25 * 60 * 60_000)
  const form = { name: 'Mine', provider_id: 'yahoo', tickers: ['SPY'], data_granularity: '1d', categories: ['close'] }
  for (const answer of [await user.put(`${JOBS}/${job.id}`, form), await user.delete(`${JOBS}/${job.id}`)]) {
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      409,
      'System jobs cannot be changed or deleted.',
    ])
  }
  expect(await systemJob()).toEqual(job)
})

it('is listed after the jobs of the user', async () => {
  await collected('SPY', 'sample')
  expect((await list()).map(({ name }) => name)).toEqual(['SPY', 'Nightly refresh'])
})

it('has nothing to do while nothing is stored', async () => {
  expect(await run()).toMatchObject({ success: true, records_fetched: 0, records_stored: 0 })
})

it('fetches what is new of each stored series from the provider it came from', async () => {
  await collected('MSFT', 'yahoo')
  await collected('SPY', 'sample')
  yahoo.requests.length = 0
  expect(await run()).toMatchObject({ success: true })
  for (const ticker of ['MSFT', 'SPY']) expect((await newestOf(ticker)).slice(0, 10) >= daysAgo(6)).toBe(true)
  expect(yahoo.requests.every(({ path }) => path.includes('MSFT'))).toBe(true)
  // What is up to date is not asked for again.
  yahoo.requests.length = 0
  await run()
  expect(yahoo.requests).toEqual([])
})

it('keeps what is there when a provider fails, says so, and refreshes the others', async () => {
  await collected('MSFT', 'yahoo')
  await collected('SPY', 'sample')
  const before = await newestOf('MSFT')
  yahoo.misbehave('broken')
  const answer = await run()
  expect(answer).toMatchObject({
    success: true,
    message: expect.stringContaining('Yahoo Finance did not deliver MSFT'),
  })
  expect(await newestOf('MSFT')).toBe(before)
  expect((await newestOf('SPY')).slice(0, 10) >= daysAgo(6)).toBe(true)
})

it('fails with the reason when no provider delivers', async () => {
  await collected('MSFT', 'yahoo')
  const before = await newestOf('MSFT')
  yahoo.misbehave('broken')
  await run()
  expect(await systemJob()).toMatchObject({
    status: 'failed',
    error_message: expect.stringContaining('Yahoo Finance did not deliver MSFT'),
  })
  expect(await newestOf('MSFT')).toBe(before)
})

it('does not ask for a series that ended long ago', async () => {
  await collected('MSFT', 'yahoo', { start_date: '2015-01-02', end_date: '2015-03-02' })
  yahoo.requests.length = 0
  expect(await run()).toMatchObject({ success: true, records_fetched: 0 })
  expect(yahoo.requests).toEqual([])
})
