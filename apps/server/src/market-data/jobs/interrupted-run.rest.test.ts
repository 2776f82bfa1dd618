import type { CollectionJob, CollectionRun } from '@tradewright/contract/data-collector'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type RunningProgram, startProgram } from '../../../test-support/program.ts'
import { readyDataDir } from '../../../test-support/ready-data-dir.ts'
import { type Gate, startGate } from '../../../test-support/stand-ins/gate.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { startYahooStandIn } from '../../../test-support/stand-ins/yahoo.ts'

const folder = mkdtempSync(join(tmpdir(), 'tradewright-interrupted-'))
let yahoo: StandIn
let gate: Gate
let program: RunningProgram
let token: string
const start = () => startProgram({ DATA_DIR: folder, YAHOO_URL: gate.url })
beforeAll(async () => {
  yahoo = await startYahooStandIn(() => Date.now())
  gate = await startGate(yahoo.url)
  readyDataDir(folder)
  program = await start()
  token = (await call<{ token: string }>('POST', '/api/register', { username: 'ann', password: 'correct horse' })).token
})
afterEach(() => gate.release())
afterAll(async () => {
  await program.stop()
  await Promise.all([gate.close(), yahoo.close()])
  rmSync(folder, { recursive: true, force: true })
})

function send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  return fetch(program.url + path, {
    method,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    ...(signal ? { signal } : {}),
  })
}

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await send(method, path, body)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}

const JOBS = '/api/data-collector/jobs'

async function createJob(name: string, tickers: string[]): Promise<number> {
  const form = { name, provider_id: 'yahoo', tickers, data_granularity: '1d', categories: ['close'] }
  const range = { start_date: '2024-01-02', end_date: '2024-03-01' }
  return (await call<{ job: { id: number } }>('POST', JOBS, { ...form, ...range })).job.id
}

const jobOf = async (id: number) =>
  (await call<{ jobs: CollectionJob[] }>('GET', JOBS)).jobs.find((job) => job.id === id)!
const runsOf = async (id: number) =>
  (await call<{ runs: CollectionRun[] }>('GET', '/api/data-collector/runs')).runs.filter(({ job_id }) => job_id === id)
const stored = async (ticker: string) =>
  (await call<{ total: number }>('POST', '/api/data-collector/data/browse', { tickers: [ticker] })).total

/** Begins a run that waits for the data of MSFT, and tells how to leave it. */
async function beginAndWait(id: number): Promise<AbortController> {
  gate.hold('MSFT')
  const browser = new AbortController()
  send('POST', `${JOBS}/${id}/run`, {}, browser.signal).catch(() => undefined)
  await expect.poll(() => gate.waiting()).toBe(1)
  return browser
}

it('tells how far it is, and goes on when the browser leaves [DATA-050]', async () => {
  const id = await createJob('Left alone', ['AAPL', 'MSFT'])
  const browser = await beginAndWait(id)
  await expect
    .poll(async () => (await jobOf(id)).progress)
    .toEqual({ fraction: 0.5, note: expect.stringMatching(/^\d+ records, AAPL$/) })
  expect(await jobOf(id)).toMatchObject({ status: 'running' })
  expect(await runsOf(id)).toMatchObject([{ status: 'running', completed_at: null }])
  browser.abort()
  gate.release()
  await expect.poll(async () => (await jobOf(id)).status).toBe('completed')
  expect(await jobOf(id)).toMatchObject({ progress: null, successful_runs: 1 })
  expect(await stored('MSFT')).toBeGreaterThan(40)
})

// The queue notices a dead worker after ten seconds at the earliest, so this takes its time.
it('is taken up again after kill -9, and loses nothing that was stored', async () => {
  const first = await createJob('Stored before', ['SPY'])
  await call('POST', `${JOBS}/${first}/run`)
  const before = await stored('SPY')
  const id = await createJob('Killed', ['SPY', 'MSFT', 'BRK-B'])
  await beginAndWait(id)
  await program.stop('SIGKILL')
  gate.release()
  program = await start()
  await expect.poll(async () => (await jobOf(id)).status, { timeout: 120_000, interval: 500 }).not.toBe('running')
  expect(await jobOf(id)).toMatchObject({
    status: 'completed',
    error_message: null,
    successful_runs: 1,
    failed_runs: 0,
  })
  expect(await runsOf(id)).toMatchObject([{ status: 'completed', error_message: null }])
  expect(await stored('SPY')).toBe(before)
  expect(await stored('BRK-B')).toBeGreaterThan(40)
})
