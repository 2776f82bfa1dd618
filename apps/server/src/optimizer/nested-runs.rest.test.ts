import { OptimizationRun } from '@tradewright/contract/optimization-run'
import { beforeAll, expect, it } from 'vitest'
import { optimizationForm, type Runs, runsOf } from '../../test-support/optimization.ts'
import { sharedTestApp, type TestServer } from '../../test-support/test-app.ts'
import { post, headersOf, register, type RegisteredUser } from '../../test-support/visitor.ts'

let server: TestServer
let user: RegisteredUser
let runs: Runs
beforeAll(async () => {
  server = await sharedTestApp()
  user = await register(server)
  runs = runsOf(server, user)
})

const eventually = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 90_000 })
const ended = async (id: number, status: string) => {
  await eventually(async () => (await runs.get(id)).status).toBe(status)
  return runs.get(id)
}

const form = { ...optimizationForm, ml_model: 'Linear Regression', nested_walk_forward: true, nested_windows: 3 }

it('repeats the whole search before each window, and goes on from the last window after a pause', async () => {
  const plain = OptimizationRun.parse(await ended(await runs.start(form), 'completed'))
  const nested = plain.results!.nested_walk_forward!
  expect(nested).toMatchObject({ planned_windows: 3, windows: { length: 3 } })
  expect(nested.verdict_text).toMatch(
    /Looks genuine|Promising, not proven|Do not trust it yet|Earned no more than holding/,
  )
  expect(nested.curve.dates[0]).toBe(nested.windows[0]!.test_start)
  expect(nested.curve.dates.at(-1)).toBe(nested.windows[2]!.test_end)
  for (const { features, evaluations, generations } of nested.windows) {
    expect(features.length).toBeGreaterThan(0)
    expect(evaluations).toBeGreaterThan(8)
    expect(generations).toBe(3)
  }
  // The time of all searches: the run's own is that of its evaluations.
  const { total_evaluations: trials, evaluations_per_second: rate, runtime_seconds: runtime } = plain.results!
  expect(runtime).toBeGreaterThan(trials / rate!)
  // The run's own search is the same with and without.
  const without = await ended(await runs.start({ ...form, nested_walk_forward: false }), 'completed')
  expect(without.results!.nested_walk_forward).toBeNull()
  expect(without.results!.best_features).toEqual(plain.results!.best_features)

  const paused = await runs.start(form)
  const inSecondWindow = async () => {
    const { progress } = await runs.get(paused)
    return { note: progress?.note, isTimeLeftKnown: (progress?.seconds_left ?? null) !== null }
  }
  await eventually(inSecondWindow).toEqual({
    note: expect.stringMatching(/^Nested window [23] of 3/) as string,
    isTimeLeftKnown: true,
  })
  await runs.act(paused, 'pause')
  await runs.act(paused, 'resume')
  expect((await ended(paused, 'completed')).results!.nested_walk_forward).toEqual(nested)
})

it('keeps the windows that were done when it is cancelled', async () => {
  const id = await runs.start({ ...form, nested_windows: 12, generations: 12, population_size: 40 })
  await eventually(async () => (await runs.get(id)).progress?.note).toMatch(/^Nested window [2-9] of 12/)
  await runs.act(id, 'cancel')
  const { results } = await ended(id, 'abandoned')
  expect(results!.nested_walk_forward!.planned_windows).toBe(12)
  expect(results!.nested_walk_forward!.windows.length).toBeLessThan(12)
})

it('says how much work it is before it begins, and refuses too many windows', async () => {
  const check = (more: object) => post(server, '/api/feature-optimization/check', { ...form, ...more }, headersOf(user))
  expect((await check({})).json()).toMatchObject({ most_evaluations: 4 * 8 * 3, problems: [] })
  expect((await check({ nested_windows: 13 })).json()).toMatchObject({
    problems: ['The number of nested windows must be a whole number from 2 to 12, was 13.'],
  })
  const short = await runs.start({ ...form, start_date: '2022-06-01', nested_windows: 12 })
  expect((await ended(short, 'failed')).error_message).toMatch(/^12 nested windows are too many for the \d+ days/)
})
