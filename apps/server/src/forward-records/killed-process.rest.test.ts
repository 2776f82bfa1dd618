import type { RecordFile } from '@tradewright/contract/forward-records'
import { verifyRecord } from '@tradewright/core/forward-record'
import { dateOf, formatDate, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mlForm } from '../../test-support/backtest-form.ts'
import { type Caller, caller } from '../../test-support/caller.ts'
import { savedConfig } from '../../test-support/live/live-trading-user.ts'
import { type LiveServer, liveServer } from '../../test-support/live/live-server.ts'
import { RECORD_STEPS, type RecordStep } from '../../test-support/live/record-steps.ts'
import { programFile } from '../../test-support/program-files.ts'
import { compileCache } from '../../test-support/program.ts'

const FIRST = dateOf('2026-03-04')

let live: LiveServer
let ann: Caller
let path: string
beforeAll(async () => {
  live = await liveServer(formatDate(FIRST))
  ann = await caller(live.server)
  const config = {
    ...savedConfig(mlForm),
    walkForwardEnabled: false,
    signal1Allocations: [{ ticker: 'SPY', allocation: 100 }],
    signal0Allocations: [{ ticker: 'AGG', allocation: 100 }],
    startDate: '2022-01-03',
    endDate: '2025-12-31',
    n_estimators: 5,
  }
  const answer = await ann.post('/api/strategies', { name: 'Forest', strategy_type: 'ML', config })
  path = `/api/strategies/${answer.json<{ id: number }>().id}/record`
  expect((await ann.post(path)).statusCode).toBe(200)
})
afterAll(() => live.close())

const file = async () => (await ann.get(`${path}/file`)).json<RecordFile>()
const contents = async () =>
  (await file()).entries.map(({ content }) => JSON.parse(content) as { decided_for: string; model: string })

async function decideAndDie(step: RecordStep): Promise<string | null> {
  const argument = JSON.stringify([live.server.database.url, live.clock.now().getTime(), step])
  const child = spawn(process.execPath, [programFile('record-process'), argument], {
    env: { ...process.env, ...compileCache },
    stdio: 'inherit',
  })
  return new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)))
}

/** The model is trained in the first session alone, so its death comes first. */
const deaths = RECORD_STEPS.toSorted((a, b) => Number(b === 'model-kept') - Number(a === 'model-kept'))
const sessions = deaths.reduce<number[]>(
  (days) => [...days, days.length === 0 ? FIRST : nyse.nextSession(days.at(-1)!)],
  [],
)

it.each(deaths.map((step, i) => ({ step, session: sessions[i]!, before: i })))(
  'has the decision once where its process dies by kill -9 after $step',
  async ({ step, session, before }) => {
    live.clock.advance(nyse.closeOf(session) + 25 * MINUTE - live.clock.now().getTime())
    expect(await decideAndDie(step)).toBe('SIGKILL')
    const isThere = step === 'entry-committed'
    expect(await contents()).toHaveLength(before + (isThere ? 1 : 0))

    await live.worker.liveTrading.strategyRecords.poll()
    // What a process has taken is another one's after half an hour.
    live.clock.advance(31 * MINUTE)
    await live.worker.liveTrading.strategyRecords.poll()
    await live.worker.liveTrading.strategyRecords.poll()
    const written = await contents()
    expect(written.map(({ decided_for: day }) => day)).toEqual(sessions.slice(0, before + 1).map(formatDate))
    // The first process trained the model; all that come after it decide with that one.
    expect(new Set(written.map(({ model }) => model)).size).toBe(1)
    expect(written[0]!.model).toMatch(/^[0-9a-f]{64}$/)
    expect(verifyRecord(await file(), (text) => hash('sha256', text))).toMatchObject({ isWhole: true })
  },
)
