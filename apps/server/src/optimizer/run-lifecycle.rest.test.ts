import { JobEvent } from '@tradewright/contract/events'
import { OPTIMIZER_JOB } from '@tradewright/contract/optimizer'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { longForm, optimizationForm, optimize, type Runs, runsOf } from '../../test-support/optimization.ts'
import { sharedTestApp, type TestServer } from '../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../test-support/visitor.ts'
import { chunkJob } from './evaluators.ts'
import { optimizerJob } from './optimizer-job.ts'

let server: TestServer
let user: RegisteredUser
let runs: Runs
beforeAll(async () => {
  server = await sharedTestApp()
  user = await register(server)
  runs = runsOf(server, user)
})

/** States are waited for as long as a busy machine may need. */
const eventually = <Value>(read: () => Promise<Value>) => expect.poll(read)

const until = async (id: number, generation: number) =>
  eventually(async () => (await runs.get(id)).current_generation).toBeGreaterThanOrEqual(generation)

const ended = (id: number, status: string) => eventually(async () => (await runs.get(id)).status).toBe(status)

const jobStates = async (id: number): Promise<string[]> => {
  const { rows } = await sql<{ state: string }>`
    SELECT state FROM jobs WHERE subject = ${String(id)} AND kind = ${optimizerJob.kind} ORDER BY created_at`.execute(
    server.database.database,
  )
  return rows.map(({ state }) => state)
}

it('is there from the first second and grows generation by generation [OPT-007] [OPT-065]', async () => {
  const id = await runs.start(longForm)
  const begun = await runs.get(id)
  expect(begun).toMatchObject({ status: 'running', results: null, finished_at: null })
  expect(begun.progress).toMatchObject({ generations: 150 })
  await until(id, 2)
  const { progress, generation_history: history, synthetic } = await runs.get(id)
  expect(synthetic).toBe(true)
  expect(history.length).toBeGreaterThanOrEqual(2)
  expect(progress!.evaluations).toBeGreaterThan(20)
  expect(progress!.evaluations_per_second).toBeGreaterThan(0)
  expect(progress!.seconds_left).toBeGreaterThan(0)
  expect(progress!.best_fitness).toBeGreaterThanOrEqual(progress!.avg_fitness!)
  expect(progress!.note).toMatch(/^Generation \d+ of 150 · best 0\.\d+ · \d+ evaluations\/s · about \d+ s left$/)
  expect(progress!.fraction).toBeLessThan(1)
  await runs.remove(id)
})

it(
  'is cancelled while a generation runs, and keeps what it found [OPT-065] [OPT-069]',
  { timeout: 180_000 },
  async () => {
    const waiting = optimize(server, user, { ...longForm, client_run_id: 'to be cancelled' })
    await eventually(async () => (await runs.list())[0]?.client_run_id).toBe('to be cancelled')
    const { id } = (await runs.list())[0]!
    await until(id, 1)
    const cancelled = await runs.act(id, 'cancel')
    expect(cancelled.json()).toMatchObject({ success: true, run: { id, status: 'cancel_requested' } })
    const answer = await waiting
    expect(answer.statusCode).toBe(409)
    expect(answer.json<{ error: string }>().error).toBe('The run was cancelled. Its results so far are kept.')
    expect((await runs.get(id)).status).toBe('abandoned')
    await eventually(async () => (await runs.get(id)).results?.best_features.length).toBeGreaterThan(0)
    expect((await runs.get(id)).finished_at).not.toBeNull()
    expect((await runs.get(id)).generation_history.length).toBeLessThan(150)
  },
)

it('is paused, stands still, and goes on to the same end', async () => {
  const form = { ...longForm, generations: 6 }
  const plain = await runs.start(form)
  await ended(plain, 'completed')
  const waiting = optimize(server, user, { ...form, client_run_id: 'to be paused' })
  await eventually(async () => (await runs.list())[0]?.client_run_id).toBe('to be paused')
  const { id } = (await runs.list())[0]!
  await until(id, 2)
  const paused = await runs.act(id, 'pause')
  expect(paused.json()).toMatchObject({ run: { status: 'running', paused: true } })
  // No process works on it once its job has ended.
  await eventually(() => jobStates(id)).toEqual(['cancelled'])
  const still = await runs.get(id)
  expect(still).toMatchObject({ status: 'running', paused: true })
  expect(still.progress!.note).toBe(`Paused after generation ${still.current_generation} of 6`)
  expect((await runs.act(id, 'pause')).statusCode).toBe(200)
  const resumed = await runs.act(id, 'resume')
  expect(resumed.json()).toMatchObject({ run: { status: 'running', paused: false } })
  expect((await waiting).statusCode).toBe(200)
  const [first, second] = [await runs.get(plain), await runs.get(id)]
  expect(second.generation_history).toEqual(first.generation_history)
  expect(second.results!.luck).toEqual(first.results!.luck)
})

it('ends the pieces of an attempt that was cut off, before it goes on', async () => {
  const id = await runs.start(longForm)
  await until(id, 1)
  await runs.act(id, 'pause')
  await eventually(() => jobStates(id)).toEqual(['cancelled'])
  const [piece, input] = [randomUUID(), JSON.stringify({ runId: id, individuals: [] })]
  const { database } = server.database
  await sql`
    INSERT INTO jobs (id, user_id, kind, subject, input, state, attempts, cancel_requested, delivery_id, created_at, updated_at)
    VALUES (${piece}, ${user.id}, ${chunkJob.kind}, ${String(id)}, ${input}, 'queued', 0, false, ${piece}, now(), now())
  `.execute(database)
  await runs.act(id, 'resume')
  const stateOf = () => database.selectFrom('jobs').select('state').where('id', '=', piece).executeTakeFirst()
  await eventually(stateOf).toEqual({ state: 'cancelled' })
  await runs.remove(id)
})

it('is cancelled while it is paused, with what it found', async () => {
  const id = await runs.start(longForm)
  await until(id, 1)
  await runs.act(id, 'pause')
  await runs.act(id, 'cancel')
  await ended(id, 'abandoned')
  expect((await runs.get(id)).results!.best_features.length).toBeGreaterThan(0)
})

it('goes away while it runs, and its job with it', async () => {
  const id = await runs.start(longForm)
  await until(id, 1)
  expect((await runs.remove(id)).statusCode).toBe(200)
  expect((await server.app.inject({ url: `/api/optimization-runs/${id}`, headers: headersOf(user) })).statusCode).toBe(
    404,
  )
  await eventually(async () => {
    const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM jobs WHERE subject = ${String(id)} AND state IN ('queued', 'running')`.execute(
      server.database.database,
    )
    return rows[0]!.count
  }).toBe(0)
})

it('goes on when the browser leaves', async () => {
  const address = await server.address()
  const leaving = new AbortController()
  const request = fetch(`${address}/api/feature-optimization`, {
    method: 'POST',
    headers: { ...headersOf(user), 'content-type': 'application/json' },
    body: JSON.stringify({ ...optimizationForm, client_run_id: 'left alone' }),
    signal: leaving.signal,
  }).catch((error: Error) => error.name)
  await eventually(async () => (await runs.list())[0]?.client_run_id).toBe('left alone')
  leaving.abort()
  expect(await request).toBe('AbortError')
  const { id } = (await runs.list())[0]!
  await ended(id, 'completed')
})

it('leaves none of its parts in the queue', async () => {
  const id = await runs.start(optimizationForm)
  await ended(id, 'completed')
  const { rows } = await sql`SELECT 1 FROM jobs WHERE kind = 'optimizer-chunk' AND subject = ${String(id)}`.execute(
    server.database.database,
  )
  expect(rows).toEqual([])
})

it('is one run for one name, however often and however quickly it is asked for', async () => {
  const form = { ...longForm, client_run_id: 'once', wait: false }
  const atOnce = await Promise.all(Array.from({ length: 4 }, () => optimize(server, user, form)))
  const later = await optimize(server, user, form)
  const ids = [...atOnce, later].map((answer) => answer.json<{ run_id: number }>().run_id)
  expect(new Set(ids).size).toBe(1)
  expect((await runs.list()).filter(({ client_run_id: name }) => name === 'once')).toHaveLength(1)
  await runs.remove(ids[0])
})

it('leaves its name to the next one when it ends', async () => {
  const form = { ...optimizationForm, client_run_id: 'again' }
  const [first, second] = [await optimize(server, user, form), await optimize(server, user, form)]
  expect(first.statusCode).toBe(200)
  expect(second.json<{ run_id: number }>().run_id).not.toBe(first.json<{ run_id: number }>().run_id)
})

it('tells its progress under the name that the contract gives', () => {
  expect(optimizerJob.kind).toBe(OPTIMIZER_JOB)
  expect(Object.keys(JobEvent.shape)).toContain('progress')
})

it('is abandoned when no process can resume it [OPT-069]', async () => {
  const id = await runs.start(longForm)
  await until(id, 1)
  // As after an operator emptied the queue's history: the run's job is gone.
  await runs.act(id, 'pause')
  const { database } = server.database
  await eventually(async () => {
    const { rows } = await sql<{
      state: string
    }>`SELECT state FROM jobs WHERE subject = ${String(id)} AND kind = 'optimizer'`.execute(database)
    return rows[0]!.state
  }).toBe('cancelled')
  await sql`UPDATE optimization_runs SET paused = false, job_id = NULL WHERE id = ${id}`.execute(database)
  expect((await runs.get(id)).status).toBe('abandoned')
})
