import type { Job } from './job.ts'
import type { JobKind } from './job-kind.ts'
import type { JobStore } from './ports.ts'

interface JobRequest<Input> {
  userId: number
  /** The job's subject, for lists and notices. */
  subject: string
  input: Input
  /** While a job of this user and kind with the same key is unfinished, that one is returned instead of a second. */
  singletonKey?: string
  /** Work that a user asks for: a `Problem` where they have as much queued and running as one user may. */
  isLimited?: boolean
}

/** Puts work in the queue. Given a store on the caller's transaction, the job begins only if that commits. */
export function enqueueJob<Input>(
  { jobs }: { jobs: JobStore },
  { kind, input: schema }: Pick<JobKind<Input>, 'kind' | 'input'>,
  { userId, subject, input, singletonKey, isLimited = false }: JobRequest<Input>,
): Promise<{ job: Job; isNew: boolean }> {
  return jobs.add({ userId, kind, subject, input: schema.parse(input), singletonKey: singletonKey ?? null, isLimited })
}

/** Many pieces of one work, at the price of one. They are taken in this order. */
export function enqueueJobs<Input>(
  { jobs }: { jobs: JobStore },
  { kind, input: schema }: Pick<JobKind<Input>, 'kind' | 'input'>,
  { userId, subject, inputs }: { userId: number; subject: string; inputs: readonly Input[] },
): Promise<Job[]> {
  const common = { userId, kind, subject, singletonKey: null, isLimited: false }
  return jobs.addAll(inputs.map((input) => ({ ...common, input: schema.parse(input) })))
}
