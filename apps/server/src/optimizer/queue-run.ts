import { enqueueJob } from '../jobs/enqueue-job.ts'
import { optimizerJob } from './optimizer-job.ts'
import type { RunStores } from './ports.ts'

/** From here on a new job works on the run: it goes on with the search, or ends it where that was asked for. */
export async function queueRun({ runs, jobs }: RunStores, userId: number, id: number): Promise<void> {
  const { job } = await enqueueJob({ jobs }, optimizerJob, { userId, subject: String(id), input: { runId: id } })
  await runs.setJob(id, job.id)
}
