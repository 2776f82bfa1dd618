import { type Job, listenToJobChanges, type JobMessages, type JobStore } from '../jobs/job.ts'
import type { Logger } from '../log.ts'

interface JobFeedListener {
  onJob(job: Job): void
  /** Changes may have been missed. */
  onGap(): void
}

/** Tells each user how their jobs change, wherever they run. A row is read once, however many listen. */
export class JobFeed {
  readonly #jobs: Pick<JobStore, 'findOwned'>
  readonly #log: Logger
  readonly #listeners = new Map<number, Set<JobFeedListener>>()
  /** Jobs that are being read; true when one changed again meanwhile. */
  readonly #reading = new Map<string, boolean>()

  private constructor(jobs: Pick<JobStore, 'findOwned'>, log: Logger) {
    this.#jobs = jobs
    this.#log = log
  }

  /** @param pieces kinds of jobs that are parts of another, whose changes are not announced */
  static async open(
    jobs: Pick<JobStore, 'findOwned'>,
    messages: JobMessages,
    log: Logger,
    pieces: readonly string[],
  ): Promise<JobFeed> {
    const feed = new JobFeed(jobs, log)
    await listenToJobChanges(
      messages,
      ({ job, user, kind }) => void (pieces.includes(kind) || feed.#changed(user, job)),
      () => feed.#gap([...feed.#listeners.values()]),
    )
    return feed
  }

  /** Returns the way to stop listening. */
  subscribe(userId: number, listener: JobFeedListener): () => void {
    const listeners = this.#listeners.get(userId) ?? new Set()
    this.#listeners.set(userId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(userId)
    }
  }

  async #changed(userId: number, jobId: string): Promise<void> {
    if (!this.#listeners.has(userId)) return
    if (this.#reading.has(jobId)) {
      this.#reading.set(jobId, true)
      return
    }
    this.#reading.set(jobId, false)
    try {
      const job = await this.#jobs.findOwned(userId, jobId)
      if (job) for (const listener of this.#listeners.get(userId) ?? []) listener.onJob(job)
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'events: a job could not be read')
      this.#gap([this.#listeners.get(userId) ?? new Set()])
    }
    const isStale = this.#reading.get(jobId)
    this.#reading.delete(jobId)
    if (isStale) await this.#changed(userId, jobId)
  }

  #gap(everybody: Set<JobFeedListener>[]): void {
    for (const listeners of everybody) for (const listener of listeners) listener.onGap()
  }
}
