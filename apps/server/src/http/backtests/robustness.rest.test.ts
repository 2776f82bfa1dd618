import { BacktestAnswer } from '@tradewright/contract/backtests'
import { computeRobustness, getRobustness } from '@tradewright/contract/robustness'
import { beforeAll, expect, it } from 'vitest'
import { allocationForm, mlForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await register(server)
})

const run = async (fields: Record<string, unknown>) =>
  BacktestAnswer.parse((await postBacktest(server, ann, fields as typeof allocationForm)).json()).result_id
const path = (id: number) => `/api/backtests/${id}/robustness`
const read = async (id: number) =>
  getRobustness.answer.parse(
    (await server.app.inject({ method: 'GET', url: path(id), headers: headersOf(ann) })).json(),
  )
const start = async (id: number) =>
  computeRobustness.answer.parse((await post(server, path(id), {}, headersOf(ann))).json())

async function boardOf(id: number) {
  // Two clicks are one job.
  const [first, second] = await Promise.all([start(id), start(id)])
  expect(second.job_id).toBe(first.job_id)
  return expect
    .poll(async () => (await read(id)).job, { interval: 100 })
    .toBeNull()
    .then(async () => (await read(id)).board!)
}

it('computes the board of a run as a job and keeps it, the same for the same seed', async () => {
  const id = await run({ ...allocationForm, startDate: '2018-01-02', referenceTicker: 'SPY' })
  expect(await read(id)).toEqual({ board: null, job: null })
  const bob = await register(server)
  expect((await post(server, path(id), {}, headersOf(bob))).statusCode).toBe(404)
  expect((await post(server, path(id), { seed: -1 }, headersOf(ann))).statusCode).toBe(400)
  const first = await boardOf(id)
  expect(first).toMatchObject({ seed: 42, changed_series: [] })
  expect(['Looks genuine', 'Promising, not proven', 'Do not trust it yet']).toContain(first.verdict.words)
  const { passed, cautions, failed } = first.verdict
  expect(passed + cautions + failed).toBeGreaterThan(5)
  expect(first.checks.find(({ key }) => key === 'future')?.details).toMatchObject({ kind: 'fan' })
  expect(first.checks.find(({ key }) => key === 'permuted')?.not_available).toBe(
    'fixed percentages give no signals that could be shuffled',
  )
  const again = await boardOf(id)
  expect(again.computed_at).not.toBe(first.computed_at)
  expect(again.checks).toEqual(first.checks)
})

it('judges a model by the signals that are kept with its result', async () => {
  const id = await run({ ...mlForm, startDate: '2019-01-02', n_estimators: '5' })
  const { checks, verdict } = await boardOf(id)
  const timing = checks.find(({ key }) => key === 'permuted')!
  expect(timing.not_available ?? timing.judgement?.sentence).toMatch(/shuffled histories|changed fewer/)
  expect(checks.find(({ key }) => key === 'neighbourhood')?.summary).toMatch(/is not trained again/)
  expect(verdict.sentence).not.toBe('')
})
