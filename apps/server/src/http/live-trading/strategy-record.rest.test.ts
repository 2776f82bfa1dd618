import type { RecordFile, RecordView } from '@tradewright/contract/forward-records'
import { dateOf, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mlForm } from '../../../test-support/backtest-form.ts'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { savedConfig } from '../../../test-support/live/live-trading-user.ts'
import { type LiveServer, liveServer } from '../../../test-support/live/live-server.ts'
import { StrategyRecords } from '../../forward-records/strategy-records.ts'

let live: LiveServer
let ann: Caller
beforeAll(async () => {
  live = await liveServer('2026-03-04')
  ann = await caller(live.server)
  toEvening('2026-03-18')
})
afterAll(() => live.close())

const pathOf = (strategy: number) => `/api/strategies/${strategy}/record`
const view = async (strategy: number) => (await ann.get(pathOf(strategy))).json<{ record: RecordView | null }>().record
const file = async (strategy: number) => (await ann.get(`${pathOf(strategy)}/file`)).json<RecordFile>()
const contents = async (strategy: number) =>
  (await file(strategy)).entries.map(({ content }) => JSON.parse(content) as Record<string, unknown>)
const toEvening = (date: string) =>
  live.clock.advance(nyse.closeOf(dateOf(date)) + 25 * MINUTE - live.clock.now().getTime())

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

/** Counts the trainings of a process that decides for saved strategies. */
function countingProcess() {
  const { deps } = live.worker.liveTrading
  let trainings = 0
  const counted = { ...deps.signalService }
  const signalService: typeof deps.signalService = {
    ...counted,
    train: (...asked) => (trainings++, counted.train(...asked)),
    async retrain(...asked) {
      const answer = await counted.retrain(...asked)
      if (answer.model) trainings++
      return answer
    },
  }
  return { records: new StrategyRecords({ ...deps, signalService }), trainings: () => trainings }
}

it('trains a model when it is due, decides with it until the next one, and trains a damaged one again', async () => {
  const windows = { endDate: '2023-12-29', wfTestWindowPct: 1, wfStepSizePct: 1 }
  const [once, windowed] = [await forest('Once', { walkForwardEnabled: false }), await forest('Windows', windows)]
  const { records, trainings } = countingProcess()
  const days = ['19', '20', '23', '24', '25', '26', '27'].map((day) => `2026-03-${day}`)
  for (const day of days) {
    toEvening(day)
    await records.poll()
  }
  expect((await contents(once)).map(({ decided_for: day }) => day)).toEqual(days)
  const [ofOnce, ofWindowed] = await Promise.all(
    [once, windowed].map(async (strategy) => new Set((await contents(strategy)).map(({ model }) => model))),
  )
  expect((await view(windowed))!.schedule!.problem).toBeNull()
  expect(ofOnce!.size).toBe(1)
  expect(ofWindowed!.size).toBeGreaterThan(1)
  expect(ofWindowed!.size).toBeLessThan(days.length)
  // The next window's may be there before its first bar is.
  expect(trainings() - ofOnce!.size - ofWindowed!.size).toBeOneOf([0, 1])

  // One that begins now has its window's model at once: the same as that of the record that came to it bar by bar.
  const again = await forest('Windows again', windows)
  const { pool } = live.server.database
  await pool.query(`UPDATE forward_models SET bytes = 'x'`)
  const before = trainings()
  toEvening('2026-03-30')
  await records.poll()
  expect(trainings() - before).toBeGreaterThanOrEqual(3)
  expect(new Set((await contents(once)).map(({ model }) => model)).size).toBe(1)
  expect((await contents(windowed)).at(-1)!['probability']).toBe((await contents(again)).at(-1)!['probability'])

  for (const strategy of [once, windowed, again]) await ann.delete(pathOf(strategy))
  expect((await pool.query('SELECT 1 FROM forward_models')).rowCount).toBe(0)
})
