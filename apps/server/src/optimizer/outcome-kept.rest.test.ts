import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { longForm, type Runs, runsOf } from '../../test-support/optimization.ts'
import { createTestApp } from '../../test-support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { register } from '../../test-support/visitor.ts'

let test: TestDatabase
/** Two users with two runs each, which is as many as one may have running. */
let runsOfUsers: [Runs, Runs]
const ids = { waiting: 0, killed: 0, forgotten: 0, givenUp: 0 }

const set = (values: ReturnType<typeof sql>, id: number) =>
  sql`UPDATE jobs SET ${values} WHERE id = (SELECT job_id FROM optimization_runs WHERE id = ${id})`.execute(
    test.database,
  )
const ownRuns = (id: number): Runs => runsOfUsers[id === ids.waiting || id === ids.killed ? 0 : 1]
const get = (id: number) => ownRuns(id).get(id)
const ended = (id: number) => expect.poll(async () => (await get(id)).finished_at).not.toBeNull()
const keptPrices = async (): Promise<number[]> => {
  const { rows } = await sql<{ run_id: number }>`SELECT run_id FROM optimization_data`.execute(test.database)
  return rows.map(({ run_id: id }) => id)
}

const opened: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const one of opened.toReversed()) await one.close()
})

/** A process that takes jobs begins four runs and leaves them when each has a generation or more. */
async function leaveRunsBehind(): Promise<void> {
  test = await createTestDatabase()
  opened.push(test)
  const before = await createTestApp({ database: test })
  const users = [await register(before), await register(before)] as const
  runsOfUsers = [runsOf(before, users[0]), runsOf(before, users[1])]
  for (const name of ['waiting', 'killed'] as const) ids[name] = await runsOfUsers[0].start(longForm)
  for (const name of ['forgotten', 'givenUp'] as const) ids[name] = await runsOfUsers[1].start(longForm)
  for (const id of Object.values(ids)) {
    await expect.poll(async () => (await get(id)).current_generation).toBeGreaterThan(0)
  }
  // It hands its jobs back, so all four wait for another process.
  await before.close()
  const web = await createTestApp({ database: test, environment: { RUN_JOBS: 'off' } })
  opened.push(web)
  runsOfUsers = [runsOf(web, users[0]), runsOf(web, users[1])]
}

it('keeps what a cancelled run found when a process is killed, not its prices', async () => {
  await leaveRunsBehind()
  // As kill -9 leaves it: no process works on it, and the row does not know.
  await set(sql`state = 'running', claim_id = gen_random_uuid(), worker_id = 'one that was killed'`, ids.killed)
  for (const id of [ids.waiting, ids.killed]) {
    expect((await ownRuns(id).act(id, 'cancel')).json()).toMatchObject({ run: { status: 'cancel_requested' } })
    // A second cancellation must not cancel what ends the run.
    expect((await ownRuns(id).act(id, 'cancel')).json()).toMatchObject({ run: { status: 'cancel_requested' } })
    expect((await get(id)).results).toBeNull()
  }
  // As a program left it that ended the job of a cancelled run without the run.
  await set(sql`state = 'cancelled', cancel_requested = true, finished_at = now()`, ids.forgotten)
  await sql`UPDATE optimization_runs SET cancel_requested = true WHERE id = ${ids.forgotten}`.execute(test.database)
  const failure = { kind: 'unavailable', code: 'job.interrupted', message: 'It was interrupted ten times.' }
  await set(sql`state = 'failed', error = ${JSON.stringify(failure)}::jsonb, finished_at = now()`, ids.givenUp)
  expect(new Set(await keptPrices())).toEqual(new Set(Object.values(ids)))

  opened.push(await createTestApp({ database: test }))
  for (const id of [ids.waiting, ids.killed, ids.forgotten]) {
    await ended(id)
    const run = await get(id)
    expect(run.status).toBe('abandoned')
    expect(run.results!.best_features.length).toBeGreaterThan(0)
    expect(run.results!.stopped_at_generation).toBe(run.generation_history.length)
  }
  await ended(ids.givenUp)
  expect(await get(ids.givenUp)).toMatchObject({ status: 'abandoned', error_message: failure.message })
  expect(await keptPrices()).toEqual([])
})
