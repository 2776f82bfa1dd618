import { z } from 'zod'

/** Server-sent events, only those of the signed-in user: `event: job`, `data:` a `JobEvent`. */
export const EVENTS_PATH = '/api/events'

/**
 * How a job stands. `progress` is what its kind reports ("window 3 of 9"); `fraction` is between 0 and 1, or null
 * when the job cannot tell.
 */
export const JobEvent = z.object({
  job_id: z.string(),
  kind: z.string(),
  subject: z.string(),
  state: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
  progress: z.object({ fraction: z.number().nullable(), note: z.string() }).nullable(),
  error: z.string().nullable(),
})
export type JobEvent = z.infer<typeof JobEvent>
