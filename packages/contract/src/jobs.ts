import { z } from 'zod'
import { JobEvent } from './events.ts'
import { route } from './route.ts'

const params = z.object({ id: z.string() })

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

export const getJob = route({
  method: 'GET',
  path: '/api/jobs/:id',
  access: 'signed in',
  tag: 'Jobs',
  summary: 'How a job of the signed-in user stands.',
  params,
  answer: Job,
})

export const cancelJob = route({
  method: 'POST',
  path: '/api/jobs/:id/cancel',
  access: 'signed in',
  tag: 'Jobs',
  summary: 'Ask a job to stop. One that has not begun is cancelled at once, a running one within seconds.',
  params,
  answer: Job,
})
