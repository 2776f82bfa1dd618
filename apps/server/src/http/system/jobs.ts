import * as contract from '@tradewright/contract/jobs'
import { cancelJob, findJob } from '../../jobs/job-watch.ts'
import type { JobStore } from '../../jobs/job.ts'
import type { Handle } from '../server/handle.ts'
import { toWireJob, toWireUnfinished } from './job-wire.ts'

export function serveJobs(handle: Handle, deps: { jobs: JobStore }): void {
  handle(contract.listJobs, async ({ user }) => ({
    jobs: (await deps.jobs.listUnfinished(user.id, contract.MAX_JOBS_LISTED)).map(toWireUnfinished),
  }))
  handle(contract.getJob, async ({ user, params }) => toWireJob(await findJob(deps, user.id, params.id)))
  handle(contract.cancelJob, async ({ user, params }) => toWireJob(await cancelJob(deps, user.id, params.id)))
}
