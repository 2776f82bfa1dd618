import { Problem } from '@tradewright/core/problem'
import type { Job } from './job.ts'
import type { JobStore } from './ports.ts'

interface Deps {
  jobs: JobStore
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A job of this user. Another user's answers like one that does not exist. */
export async function findJob({ jobs }: Deps, userId: number, id: string): Promise<Job> {
  return known(UUID.test(id) ? await jobs.findOwned(userId, id) : undefined)
}

/** Asks a job of this user to stop; answers how it stands then. */
export async function cancelJob({ jobs }: Deps, userId: number, id: string): Promise<Job> {
  return known(UUID.test(id) ? await jobs.requestCancel(userId, id) : undefined)
}

export function known(job: Job | undefined): Job {
  if (!job) throw new Problem('missing', 'job.missing', 'There is no such job.')
  return job
}
