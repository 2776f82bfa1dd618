import type { z } from 'zod'
import type { Logger } from '../log.ts'
import type { JobProgress } from './job.ts'

/** A run's context besides its input. */
export interface JobContext<Checkpoint> {
  jobId: string
  userId: number
  /** How often the job was begun, this run included. */
  attempt: number
  /** Aborted when the user cancels, the process shuts down, or another worker took the job over. */
  signal: AbortSignal
  /** Throttled: at most four a second are written, so it may be called for every step. */
  reportProgress: (progress: JobProgress) => void
  /**
   * Stored when the promise resolves. A run that begins again finds the newest one in `previous`. A run that has to give
   * its place to another user's job ends here and begins again later.
   */
  checkpoint: (value: Checkpoint) => Promise<void>
  /** The checkpoint of an interrupted run, or null at the beginning. */
  previous: Checkpoint | null
  log: Logger
}

/**
 * A kind of long work. It is run at least once: a run whose worker died begins again from its checkpoint, so writes
 * outside the job must bear repetition. A `Problem` thrown ends the job; any other error is tried again, up to
 * `attemptLimit` times.
 */
export interface JobKind<Input = unknown, Checkpoint = unknown, Result = unknown> {
  kind: string
  input: z.ZodType<Input>
  /** A stored checkpoint that does not fit (an older version's) is ignored. Left out: any value fits. */
  checkpoint?: z.ZodType<Checkpoint>
  attemptLimit: number
  /** How many of this kind one process runs at once. Kinds do not take each other's places. */
  concurrency: number
  /** How many of them may be one user's: the other places are for others, however much one user queues. */
  concurrencyPerUser: number
  run(context: JobContext<Checkpoint>, input: Input): Promise<Result>
}

type Declaration<Input, Checkpoint, Result> = Omit<
  JobKind<Input, Checkpoint, Result>,
  'attemptLimit' | 'concurrency' | 'concurrencyPerUser'
> & { attemptLimit?: number; concurrency?: number; concurrencyPerUser?: number }

const ATTEMPT_LIMIT = 5
/** Jobs wait and arrange; what they compute is shared out fairly by the compute pool. */
const CONCURRENCY = 32
const CONCURRENCY_PER_USER = 4

export function defineJobKind<Input, Checkpoint = unknown, Result = unknown>(
  declaration: Declaration<Input, Checkpoint, Result>,
): JobKind<Input, Checkpoint, Result> {
  // The name is also the carrier's queue.
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(declaration.kind)) throw new RangeError(`not a job kind: ${declaration.kind}`)
  return {
    attemptLimit: ATTEMPT_LIMIT,
    concurrency: CONCURRENCY,
    concurrencyPerUser: CONCURRENCY_PER_USER,
    ...declaration,
  }
}

/** A kind whose types only it knows, as lists of kinds hold it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyJobKind = JobKind<any, any>
