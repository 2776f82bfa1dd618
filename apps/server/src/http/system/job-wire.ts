import type { JobEvent } from '@tradewright/contract/events'
import type { Job as WireJob, UnfinishedJob as WireUnfinishedJob } from '@tradewright/contract/jobs'
import type { Job, UnfinishedJob } from '../../jobs/job.ts'

export function toJobEvent({ id, kind, subject, state, progress, error }: Job): JobEvent {
  return { job_id: id, kind, subject, state, progress, error: error?.message ?? null }
}

export function toWireJob(job: Job): WireJob {
  return {
    ...toJobEvent(job),
    cancel_requested: job.cancelRequested,
    attempts: job.attempts,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    result: job.result,
  }
}

export const toWireUnfinished = (job: UnfinishedJob): WireUnfinishedJob => ({
  job_id: job.id,
  kind: job.kind,
  subject: job.subject,
  state: job.state,
  progress: job.progress,
  strategy_name: job.strategyName,
  created_at: job.createdAt.toISOString(),
})
