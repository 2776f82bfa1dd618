import { z } from 'zod'
import type { JobMessages } from './ports.ts'

/**
 * The channel that announces every change to a job to every process. Only ids travel; an interested process reads the
 * row.
 */
export const JOB_CHANGES = 'job_changes'

const JobChange = z.object({
  job: z.string(),
  user: z.number(),
  kind: z.string(),
  what: z.enum(['queued', 'changed', 'cancel', 'ended']),
})
export type JobChange = z.infer<typeof JobChange>

/** `onGap` is called when changes may have been missed. */
export async function listenToJobChanges(
  messages: JobMessages,
  onChange: (change: JobChange) => void,
  onGap: () => void,
): Promise<void> {
  await messages.listen(
    JOB_CHANGES,
    (payload) => {
      const change = JobChange.safeParse(JSON.parse(payload))
      if (change.success) onChange(change.data)
    },
    onGap,
  )
}
