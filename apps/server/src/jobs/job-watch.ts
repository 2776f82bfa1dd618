import { Problem } from '@tradewright/core/problem'
import { isFinished, type Job, listenToJobChanges, type JobMessages, type JobStore, type JobKind } from './job.ts'

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

function known(job: Job | undefined): Job {
  if (!job) throw new Problem('missing', 'job.missing', 'There is no such job.')
  return job
}

/** A job that is gone with its user ends without a message. */
const RECHECK_MS = 15_000

/** Waits for jobs to end, wherever they run, without asking the database again and again. */
export class JobWatch {
  readonly #jobs: JobStore
  /** By job: what to call when it changed. */
  readonly #waiting = new Map<string, Set<() => void>>()

  /** By user: jobs that are looked up in this turn. */
  readonly #asking = new Map<number, { ids: string[]; found: Promise<Job[]> }>()

  readonly #recheckMs: number

  private constructor(jobs: JobStore, recheckMs: number) {
    this.#jobs = jobs
    this.#recheckMs = recheckMs
  }

  static async open(jobs: JobStore, messages: JobMessages, recheckMs = RECHECK_MS): Promise<JobWatch> {
    const watch = new JobWatch(jobs, recheckMs)
    await listenToJobChanges(
      messages,
      // A queued job that is cancelled ends without having begun; progress is nothing to wake up for.
      ({ job, what }) => (what === 'ended' || what === 'cancel') && watch.#wake(job),
      () => [...watch.#waiting.keys()].forEach((job) => watch.#wake(job)),
    )
    return watch
  }

  /** The result of a completed job; a failed one throws its `Problem`. When `signal` aborts, the job goes on alone. */
  async result(userId: number, id: string, signal?: AbortSignal): Promise<unknown> {
    const job = await this.#ended(userId, id, signal)
    if (job.state === 'completed') return job.result
    throw problemOf(job)
  }

  async #ended(userId: number, id: string, signal?: AbortSignal): Promise<Job> {
    for (;;) {
      signal?.throwIfAborted()
      // Listening begins before reading: a change between the two wakes us.
      using change = this.#nextChange(id, signal)
      const job = await this.#find(userId, id)
      if (isFinished(job.state)) return job
      await change.happened
    }
  }

  /** Batched: calls of the same moment, as for the pieces of one work, are one query. */
  async #find(userId: number, id: string): Promise<Job> {
    const asking = this.#asking.get(userId) ?? { ids: [], found: Promise.resolve().then(() => this.#findAll(userId)) }
    this.#asking.set(userId, asking)
    asking.ids.push(id)
    return known((await asking.found).find((job) => job.id === id))
  }

  #findAll(userId: number): Promise<Job[]> {
    const { ids } = this.#asking.get(userId)!
    this.#asking.delete(userId)
    return this.#jobs.findAllOwned(userId, ids)
  }

  #nextChange(id: string, signal: AbortSignal | undefined): { happened: Promise<void> } & Disposable {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, waiting.add(resolve))
    const onAbort = () => resolve()
    signal?.addEventListener('abort', onAbort)
    const recheck = setTimeout(resolve, this.#recheckMs)
    recheck.unref()
    return {
      happened: promise,
      [Symbol.dispose]: () => {
        clearTimeout(recheck)
        signal?.removeEventListener('abort', onAbort)
        waiting.delete(resolve)
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id)
      },
    }
  }

  #wake(job: string): void {
    for (const resolve of this.#waiting.get(job) ?? []) resolve()
  }
}

function problemOf({ state, error }: Job): Error {
  if (state === 'cancelled') return new Problem('conflict', 'job.cancelled', 'The work was cancelled.')
  if (!error || error.kind === 'bug') return new Error(error?.message ?? 'the job failed')
  return new Problem(error.kind, error.code, error.message, error.facts && { facts: error.facts })
}

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
