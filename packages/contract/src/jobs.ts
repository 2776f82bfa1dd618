import { z } from 'zod'
import { JobEvent } from './events.ts'
import { route } from './route.ts'

const params = z.object({ id: z.string().max(100) })

/** A job as its owner sees it. `result` is null until it is completed; its shape is the job kind's. */
export const Job = JobEvent.extend({
  cancel_requested: z.boolean(),
  attempts: z.int(),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  result: z.unknown(),
})
export type Job = z.infer<typeof Job>

/** More unfinished jobs than these are not listed. */
export const MAX_JOBS_LISTED = 20

export const UnfinishedJob = JobEvent.pick({ job_id: true, kind: true, subject: true, progress: true }).extend({
  state: z.enum(['queued', 'running']),
  /** The name of the strategy that a backtest tests; null where it has none, and for other kinds. */
  strategy_name: z.string().nullable(),
  created_at: z.iso.datetime(),
})
export type UnfinishedJob = z.infer<typeof UnfinishedJob>

export const listJobs = route({
  method: 'GET',
  path: '/api/jobs',
  access: 'signed in',
  scope: 'read',
  tag: 'Jobs',
  summary: 'Jobs of the signed-in user that wait or run, oldest first.',
  answer: z.object({ jobs: z.array(UnfinishedJob) }),
})

export const getJob = route({
  method: 'GET',
  path: '/api/jobs/:id',
  access: 'signed in',
  scope: 'read',
  tag: 'Jobs',
  summary: 'The status of a job of the signed-in user.',
  params,
  answer: Job,
})

export const cancelJob = route({
  method: 'POST',
  path: '/api/jobs/:id/cancel',
  access: 'signed in',
  scope: 'research',
  tag: 'Jobs',
  summary: 'Ask a job to stop. One that has not begun is cancelled at once, a running one within seconds.',
  params,
  answer: Job,
})
