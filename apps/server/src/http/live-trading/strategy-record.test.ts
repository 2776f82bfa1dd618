import type { RecordFile, RecordView } from '@tradewright/contract/forward-records'
import { dateOf, HOUR, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mlForm } from '../../../test-support/backtest-form.ts'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { MULTIPART, multipartBody } from '../../../test-support/fuzz/wire.ts'
import { errorOf, newStrategy, savedConfig } from '../../../test-support/live/live-trading-user.ts'
import { type LiveServer, liveServer } from '../../../test-support/live/live-server.ts'
import { recordDecision, StrategyRecords } from '../../forward-records/strategy-records.ts'

let live: LiveServer
let ann: Caller
let id: number
beforeAll(async () => {
  live = await liveServer('2026-03-04')
  ann = await caller(live.server)
  id = await newStrategy(ann, 'Sixty forty')
})
afterAll(() => live.close())

const pathOf = (strategy: number) => `/api/strategies/${strategy}/record`
const view = async (strategy = id) => (await ann.get(pathOf(strategy))).json<{ record: RecordView | null }>().record
const file = async (strategy = id) => (await ann.get(`${pathOf(strategy)}/file`)).json<RecordFile>()
const contents = async (strategy = id) =>
  (await file(strategy)).entries.map(({ content }) => JSON.parse(content) as Record<string, unknown>)
const goTo = (instant: number) => live.clock.advance(instant - live.clock.now().getTime())
const toEvening = (date: string) => goTo(nyse.closeOf(dateOf(date)) + 25 * MINUTE)
const work = () => live.worker.liveTrading.strategyRecords.poll()

it('writes down what a saved strategy decides on each bar, after its close and before the next open', async () => {
  expect(await view()).toBeNull()
  expect((await ann.post(pathOf(id))).statusCode).toBe(200)
  expect(await view()).toMatchObject({
    name: 'Sixty forty',
    entry_count: 0,
    schedule: { next_session: '2026-03-04', missed: [], problem: null },
  })
  await work()
  expect((await view())!.entry_count).toBe(0)
  toEvening('2026-03-04')
  await work()
  await work()
  toEvening('2026-03-05')
  await work()
  expect(await contents()).toMatchObject([
    { seq: 1, decided_for: '2026-03-04', data_as_of: '2026-03-04T00:00:00.000Z', weights: { SPY: 0.6, AGG: 0.3 } },
    {
      seq: 2,
      decided_for: '2026-03-05',
      data_as_of: '2026-03-05T00:00:00.000Z',
      missed: [],
      synthetic: ['AGG', 'SPY'],
    },
  ])
  const [first] = await contents()
  expect(Object.keys(first!['closes'] as object).sort()).toEqual(['AGG', 'SPY'])
  expect((await view())!.schedule).toMatchObject({ next_session: '2026-03-06', problem: null })
})

it('names the sessions that it missed and never fills them in', async () => {
  // Two evenings and a weekend in which nothing runs, until after the open of Tuesday.
  goTo(nyse.openOf(dateOf('2026-03-10')) + HOUR)
  await work()
  const { schedule, entry_count: count } = (await view())!
  expect(count).toBe(2)
  expect(schedule).toMatchObject({ next_session: '2026-03-10', missed: ['2026-03-06', '2026-03-09'] })
  expect(schedule!.problem).toBe('The program did not run between the close and the next open.')
  toEvening('2026-03-10')
  await work()
  expect((await contents()).at(-1)).toMatchObject({ decided_for: '2026-03-10', missed: ['2026-03-06', '2026-03-09'] })
  expect((await view())!.schedule).toMatchObject({ missed: ['2026-03-06', '2026-03-09'], problem: null })
})

it('has each decision once, although processes decide at the same time, die before or after it, or start anew', async () => {
  const { deps } = live.worker.liveTrading
  const { records } = deps.database
  const before = (await file()).entries.length
  toEvening('2026-03-11')
  const now = live.clock.now()
  // A process takes it and dies.
  const [taken] = await records.claimDue(now, new Date(now.getTime() + 30 * MINUTE), 5)
  await work()
  expect((await file()).entries).toHaveLength(before)
  live.clock.advance(31 * MINUTE)
  // Two others, and the first one, which was only slow.
  const others = [new StrategyRecords(deps), new StrategyRecords(deps)]
  await Promise.all([...others.map((other) => other.poll()), recordDecision(deps, taken!)])
  await new StrategyRecords(deps).poll()
  expect((await file()).entries).toHaveLength(before + 1)
  const verdict = await live.server.app.inject({
    method: 'POST',
    url: '/api/records/verify',
    headers: { ...ann.headers, 'content-type': MULTIPART },
    payload: multipartBody({ file: JSON.stringify(await file()) }),
  })
  expect(verdict.json()).toMatchObject({ is_whole: true, entries: before + 1 })
})

it('goes on with the strategy as it was, is shared by a link, and ends', async () => {
  const header = (await file()).header
  await ann.put(`/api/strategies/${id}`, { config: { allocations: [{ ticker: 'QQQ', allocation: 100 }] } })
  toEvening('2026-03-12')
  await work()
  expect((await contents()).at(-1)!['weights']).toEqual({ SPY: 0.6, AGG: 0.3 })
  expect((await file()).header).toBe(header)
  const { token } = (await ann.post(`${pathOf(id)}/link`, { days: 7 })).json<{ token: string }>()
  const shared = await live.server.app.inject({ url: `/api/records/${token}` })
  expect(shared.json()).toMatchObject({
    record: { name: 'Sixty forty', schedule: { missed: ['2026-03-06', '2026-03-09'] } },
  })
  expect((await ann.delete(`${pathOf(id)}/link`)).statusCode).toBe(200)
  expect((await live.server.app.inject({ url: `/api/records/${token}` })).statusCode).toBe(404)
  expect((await ann.delete(pathOf(id))).statusCode).toBe(200)
  const { length } = (await file()).entries
  toEvening('2026-03-13')
  await work()
  expect(await view()).toMatchObject({ is_open: false, entry_count: length })
})

const forest = async (name: string, more: object = {}) => {
  const config = {
    ...savedConfig(mlForm),
    signal1Allocations: [{ ticker: 'SPY', allocation: 100 }],
    signal0Allocations: [{ ticker: 'AGG', allocation: 100 }],
    startDate: '2022-01-03',
    endDate: '2025-12-31',
    n_estimators: 5,
    ...more,
  }
  const answer = await ann.post('/api/strategies', { name, strategy_type: 'ML', config })
  const strategy = answer.json<{ id: number }>().id
  const opened = await ann.post(pathOf(strategy))
  expect(opened.statusCode, opened.body).toBe(200)
  return strategy
}

it('says of predictions how often they came true, once that is known', async () => {
  const strategy = await forest('Forest')
  for (const day of ['2026-03-16', '2026-03-17', '2026-03-18']) {
    toEvening(day)
    await work()
  }
  const record = (await view(strategy))!
  expect(record.schedule!.problem).toBeNull()
  expect(record.entries.map(({ probability }) => probability === null)).toEqual([false, false, false])
  expect(record.calibration!.count).toBe(2)
  expect(record.entries[0]!.happened).toBeNull()
  await ann.delete(pathOf(strategy))
})

it('is refused for what decides within the day, for another user and for what is not there', async () => {
  const hourly = await newStrategy(ann, 'Hourly', { dataGranularity: 'hourly' })
  const refused = await ann.post(pathOf(hourly))
  expect(refused.statusCode).toBe(400)
  expect(errorOf(refused)).toContain('recorded once a day')
  expect((await ann.get(`${pathOf(hourly)}/file`)).json()).toMatchObject({
    error: 'This strategy has no forward record.',
  })
  const bob = await caller(live.server)
  for (const call of [bob.get(pathOf(id)), bob.post(pathOf(id)), bob.delete(pathOf(id)), bob.get(`${pathOf(id)}/file`)])
    expect((await call).statusCode).toBe(404)
})
