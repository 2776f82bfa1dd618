import { z } from 'zod'
import { Sentence } from './answers.ts'

/**
 * Server-sent events, only those of the signed-in user. `event: job` carries a `JobEvent`; `event: resync` carries
 * nothing and says that events may have been missed: ask again for what is on the screen. `event: proposals` carries
 * `{ open }`, how many proposals wait for an answer, when one was made or answered.
 */
export const EVENTS_PATH = '/api/events'
export const EVENTS_SCOPE = 'read'

export const JobState = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled'])
export type JobState = z.infer<typeof JobState>

/**
 * How a job stands. `progress` is what its kind reports ("window 3 of 9"); `fraction` is between 0 and 1, or null
 * when the job cannot tell.
 */
export const JobEvent = z.object({
  job_id: z.string(),
  kind: z.string(),
  subject: z.string(),
  state: JobState,
  progress: z.object({ fraction: z.number().nullable(), note: Sentence }).nullable(),
  error: Sentence.nullable(),
})
export type JobEvent = z.infer<typeof JobEvent>
