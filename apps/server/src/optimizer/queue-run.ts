import { enqueueJob } from '../jobs/enqueue-job.ts'
import { optimizerJob } from './optimizer-job.ts'
import type { RunStores } from './ports.ts'

interface QueuedRun {
  readonly userId: number
  readonly id: number
  /** Whether it is refused where its user has too much unfinished; to end a run is never too much. */
  readonly isLimited: boolean
}

/** From here on a new job works on the run: it goes on with the search, or ends it where that was asked for. */
export async function queueRun({ runs, jobs }: RunStores, { userId, id, isLimited }: QueuedRun): Promise<void> {
  const request = { userId, subject: String(id), input: { runId: id }, isLimited }
  const { job } = await enqueueJob({ jobs }, optimizerJob, request)
  await runs.setJob(id, job.id)
}
