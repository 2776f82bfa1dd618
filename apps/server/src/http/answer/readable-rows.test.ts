import { beforeAll, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { optimizationForm, optimize } from '../../../test-support/optimization.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'

let server: TestServer
let user: Caller
beforeAll(async () => {
  server = await sharedTestApp()
  user = await caller(server)
})

it('a run whose stored request this version cannot read is left out of the list, and the answer says so', async () => {
  const ids: number[] = []
  for (const asset of ['SPY', 'QQQ']) {
    const form = { ...optimizationForm, target_asset: asset, generations: 1, wait: false }
    const answer = await optimize(server, { cookie: user.headers['cookie']! }, form)
    ids.push(answer.json<{ run_id: number }>().run_id)
  }
  const [damaged, intact] = ids
  await server.database.database
    .updateTable('optimization_runs')
    .set({ order: '{}' })
    .where('id', '=', damaged!)
    .execute()
  const list = await user.get('/api/optimization-runs')
  expect(list.statusCode, list.body.slice(0, 300)).toBe(200)
  const { optimization_runs: runs, left_out } = list.json<{ optimization_runs: { id: number }[]; left_out: number }>()
  expect(runs.map(({ id }) => id)).toEqual([intact])
  expect(left_out).toBe(1)
})
