import type { JobEvent } from '@tradewright/contract/events'
import { Problem } from '@tradewright/core/problem'
import { beforeAll, expect, it, vi } from 'vitest'
import { formData, mlForm } from '../../../test-support/backtest-form.ts'
import { type EventReader, readEvents } from '../../../test-support/event-reader.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { untilAborted } from '../../../test-support/test-jobs.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'
import { backtestJobKind } from '../../backtests/backtest-job.ts'
import type { BacktestRun } from '../../backtests/backtest-run.ts'
import { createLog } from '../../log.ts'
import { toDomain } from './form.ts'

let server: TestServer
let address: string
let ann: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  address = await server.address()
  ann = await register(server)
})

/** Learns for minutes, so that a test can interrupt it. */
const endless = { ...mlForm, n_estimators: '5000', wfStepSizePct: '1' }

const start = (fields: typeof mlForm, signal?: AbortSignal) =>
  fetch(`${address}/api/backtest`, {
    method: 'POST',
    headers: headersOf({ token: ann.token }),
    body: formData(fields),
    ...(signal && { signal }),
  })

const eventsOf = (reader: EventReader, runId: string): JobEvent[] =>
  reader.events.map(({ data }) => data as JobEvent).filter(({ subject }) => subject === runId)

const when = (reader: EventReader, runId: string, isIt: (event: JobEvent) => boolean): Promise<JobEvent> =>
  vi.waitFor(
    () => {
      const event = eventsOf(reader, runId).find(isIt)
      if (!event) throw new Error('not yet')
      return event
    },
    { timeout: 60_000, interval: 20 },
  )
const isTraining = ({ progress }: JobEvent) => /^Training window \d+ of \d+$/.test(progress?.note ?? '')

it('tells how far it is, and stops when it is cancelled', async () => {
  const events = await readEvents(address, headersOf({ token: ann.token }))
  const answer = start({ ...endless, runId: 'run-1', saveBacktest: 'true' })
  const training = await when(events, 'run-1', isTraining)
  expect(training).toMatchObject({ kind: 'backtest', state: 'running' })
  await post(server, `/api/jobs/${training.job_id}/cancel`, undefined, headersOf({ token: ann.token }))
  const refused = await answer
  expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
    409,
    'The work was cancelled.',
  ])
  await when(events, 'run-1', ({ state }) => state === 'cancelled')
  events.leave()
  await events.ended.catch(() => {})
  const saved = await server.app.inject({ url: '/api/backtests/all', headers: headersOf({ token: ann.token }) })
  expect(saved.json()).toEqual({ backtests: [] })
})

it('is cancelled when the client disconnects and nothing is to be saved', async () => {
  const events = await readEvents(address, headersOf({ token: ann.token }))
  const leaving = new AbortController()
  const answer = start({ ...endless, runId: 'run-2' }, leaving.signal).catch((error: unknown) => error)
  await when(events, 'run-2', isTraining)
  leaving.abort()
  await answer
  await when(events, 'run-2', ({ state }) => state === 'cancelled')
  events.leave()
  await events.ended.catch(() => {})
})

it('goes on when the client disconnects and the backtest is to be saved', async () => {
  const events = await readEvents(address, headersOf({ token: ann.token }))
  const leaving = new AbortController()
  const form = { ...mlForm, n_estimators: '300', runId: 'run-3', saveBacktest: 'true', backtestName: 'Kept' }
  const answer = start(form, leaving.signal).catch((error: unknown) => error)
  await when(events, 'run-3', ({ state }) => state === 'running')
  leaving.abort()
  await answer
  await when(events, 'run-3', ({ state }) => state === 'completed')
  events.leave()
  await events.ended.catch(() => {})
  const saved = await server.app.inject({ url: '/api/backtests/all', headers: headersOf({ token: ann.token }) })
  expect(saved.json<{ backtests: object[] }>().backtests).toMatchObject([{ name: 'Kept' }])
})

it('waits for the run of the same id instead of starting another', async () => {
  const form = { ...mlForm, runId: 'run-4', saveBacktest: 'true' }
  const answers = await Promise.all([start(form), start(form)])
  const [first, second] = await Promise.all(
    answers.map(async (answer) => (await answer.json()) as { backtest_id: number }),
  )
  expect(first!.backtest_id).toBeGreaterThan(0)
  expect(second!.backtest_id).toBe(first!.backtest_id)
})

it('is given up after its time limit, with a clear sentence', async () => {
  const { run } = toDomain(mlForm)
  const kind = backtestJobKind({
    source: (_, signal) => untilAborted({ signal }),
    compute: { run: () => Promise.reject(new Error('nothing is computed before prices are there')) },
    backtests: {} as never,
    saving: () => Promise.reject(new Error('nothing is saved')),
    clock: { now: () => new Date() },
    timeLimitMs: 1,
  })
  const context = {
    jobId: 'job',
    userId: ann.id,
    attempt: 1,
    signal: new AbortController().signal,
    reportProgress: () => {},
    checkpoint: () => Promise.resolve(),
    previous: null,
    log: createLog({ logLevel: 'silent' }),
  }
  const failure = await kind.run(context, run satisfies BacktestRun).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Problem)
  expect((failure as Problem).message).toContain('longer than 10 minutes')
})
