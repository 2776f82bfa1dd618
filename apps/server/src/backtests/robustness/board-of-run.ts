import { enqueueJob } from '../../jobs/job-watch.ts'
import type { Job, JobStore } from '../../jobs/job.ts'
import { type BacktestReader, missing } from '../saved-backtests.ts'
import { robustnessJob } from './robustness-job.ts'
import type { StoredBoard } from './stored-board.ts'

interface Deps extends BacktestReader {
  readonly jobs: JobStore
}

interface BoardOfRun {
  readonly board: StoredBoard | null
  /** While it waits or runs, or after it failed. */
  readonly job: Job | undefined
}

export async function boardOfRun(deps: Deps, userId: number, id: number): Promise<BoardOfRun> {
  const found = (await deps.backtests.findBoard(userId, id)) ?? missing()
  const job = await deps.jobs.findBySubject(userId, robustnessJob.kind, String(id))
  const isTold = job?.state === 'queued' || job?.state === 'running' || job?.state === 'failed'
  return { board: found.board, job: isTold ? job : undefined }
}

/** Queues the checks; one job per result at a time. */
export async function startBoard(deps: Deps, userId: number, id: number, seed: number | undefined): Promise<Job> {
  const { runSeed } = (await deps.backtests.findBoard(userId, id)) ?? missing()
  const { job } = await enqueueJob(deps, robustnessJob, {
    userId,
    subject: String(id),
    input: { backtestId: id, seed: seed ?? runSeed },
    singletonKey: String(id),
    isLimited: true,
  })
  return job
}
