import { Job } from '@tradewright/contract/jobs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { openTestJobs } from '../../../test-support/test-jobs.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'
import type { JobsArea } from '../../areas/jobs.ts'
import { enqueueJob } from '../../jobs/job-watch.ts'
import { defineJobKind } from '../../jobs/job.ts'

const waiting = defineJobKind({ kind: 'waiting', input: z.object({}), run: () => Promise.resolve() })

let server: TestApp
let jobs: JobsArea
let ann: RegisteredUser
let bob: RegisteredUser
beforeAll(async () => {
  server = await createTestApp()
  jobs = await openTestJobs(server.database.url, [waiting], { run: false })
  ann = await register(server)
  bob = await register(server)
})
afterAll(async () => {
  await jobs.close()
  await server.close()
})

const get = (id: string, user: RegisteredUser) =>
  server.app.inject({ url: `/api/jobs/${id}`, headers: headersOf({ token: user.token }) })
const cancel = (id: string, user: RegisteredUser) =>
  post(server, `/api/jobs/${id}/cancel`, undefined, headersOf({ token: user.token }))
const enqueue = async () => {
  const { job } = await enqueueJob(jobs, waiting, { userId: ann.id, subject: 'SPY', input: {} })
  return job.id
}

it('shows a job to its owner and cancels it for them', async () => {
  const id = await enqueue()
  const shown = Job.parse((await get(id, ann)).json())
  expect(shown).toMatchObject({ job_id: id, kind: 'waiting', subject: 'SPY', state: 'queued', result: null })
  const cancelled = Job.parse((await cancel(id, ann)).json())
  expect(cancelled).toMatchObject({ job_id: id, state: 'cancelled', cancel_requested: true })
  expect(Job.parse((await get(id, ann)).json())).toEqual(cancelled)
})

it("answers 404 to another user's job, as to one that does not exist", async () => {
  const id = await enqueue()
  const unknown = '00000000-0000-4000-8000-000000000000'
  for (const answer of [
    await get(id, bob),
    await cancel(id, bob),
    await get(unknown, ann),
    await get("1'; DROP TABLE jobs", ann),
    await cancel('not-a-uuid', ann),
  ]) {
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([404, 'There is no such job.'])
  }
  expect(Job.parse((await get(id, ann)).json()).state).toBe('queued')
})

it('answers 401 without a session', async () => {
  expect((await server.app.inject({ url: `/api/jobs/${await enqueue()}` })).statusCode).toBe(401)
})

it('lists what waits or runs, oldest first, to its owner alone', async () => {
  const eve = await register(server)
  const list = async (user: RegisteredUser) =>
    (await server.app.inject({ url: '/api/jobs', headers: headersOf({ token: user.token }) })).json<{
      jobs: { job_id: string }[]
    }>().jobs
  expect(await list(eve)).toEqual([])
  const add = async (subject: string) =>
    (await enqueueJob(jobs, waiting, { userId: eve.id, subject, input: {} })).job.id
  const [first, second] = [await add('SPY'), await add('QQQ')]
  const ended = await add('TLT')
  await cancel(ended, eve)
  expect(await list(eve)).toMatchObject([
    { job_id: first, kind: 'waiting', subject: 'SPY', state: 'queued', progress: null, strategy_name: null },
    { job_id: second, subject: 'QQQ' },
  ])
  expect((await list(bob)).map(({ job_id }) => job_id)).not.toContain(first)
})
