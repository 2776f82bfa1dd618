import { Problem } from '@tradewright/core/problem'
import { setTimeout as pause } from 'node:timers/promises'
import { onBehalfOf } from '../connection-lane.ts'
import { databaseOutage } from '../database-failure.ts'
import type { Logger } from '../log.ts'
import {
  type ClaimedJob,
  type JobFailure,
  type AnyJobKind,
  type JobContext,
  type Delivery,
  type JobRunStore,
  type Standing,
  StopReason,
  type JobProgress,
} from './job.ts'
import { jobEnds } from '../observe/process-counts.ts'
import { belowTraceParent, inSpan } from '../observe/tracing.ts'
import { errorCode } from '../system-error.ts'

const INTERVAL_MS = 250

/** Writes the newest progress, at most four times a second and never two writes at once. */
export class ProgressWriter {
  readonly #write: (progress: JobProgress) => Promise<void>
  #newest: JobProgress | null = null
  #isWritten = true
  #isBusy = false

  constructor(write: (progress: JobProgress) => Promise<void>) {
    this.#write = write
  }

  write(progress: JobProgress): void {
    this.#newest = cleaned(progress)
    this.#isWritten = false
    if (!this.#isBusy) void this.#writeNewest()
  }

  /** Progress not written yet, for the next write of the row; this writer stops. */
  drainUnwritten(): JobProgress | null {
    const unwritten = this.#isWritten ? null : this.#newest
    this.#isWritten = true
    return unwritten
  }

  async #writeNewest(): Promise<void> {
    this.#isBusy = true
    while (!this.#isWritten && this.#newest) {
      this.#isWritten = true
      const pause = new Promise((resolve) => setTimeout(resolve, INTERVAL_MS).unref())
      await this.#write(this.#newest)
      await pause
    }
    this.#isBusy = false
  }
}

/** Progress is for people; a number that is none becomes "cannot tell". */
function cleaned({ fraction, note }: JobProgress): JobProgress {
  const isKnown = fraction !== null && Number.isFinite(fraction)
  return { fraction: isKnown ? Math.min(1, Math.max(0, fraction)) : null, note }
}

/** How long a run that was told to stop may take to do so, before its outcome is recorded without it. */
const STOP_WITHIN_MS = 3_000
/** A failed run is tried again after 1, 4, 9, … seconds. */
const retryAfterSeconds = (attempts: number) => attempts * attempts

/** One run of one job, from its claim to its end. */
export class JobRun {
  readonly job: ClaimedJob
  readonly delivery: Delivery
  readonly #kind: AnyJobKind
  readonly #store: JobRunStore
  readonly #log: Logger
  readonly #stop = new AbortController()
  readonly #progress: ProgressWriter
  readonly begunAt = performance.now()
  #isGivingWay = false

  constructor(deps: { store: JobRunStore; log: Logger }, kind: AnyJobKind, job: ClaimedJob, delivery: Delivery) {
    this.job = job
    this.delivery = delivery
    this.#kind = kind
    this.#store = deps.store
    this.#log = deps.log.child({ job: job.id, kind: job.kind })
    this.#progress = new ProgressWriter((progress) => this.#writeProgress(progress))
  }

  /** Hands the job back at its next checkpoint, to go on from there when it is its user's turn again. */
  giveWay(): void {
    this.#isGivingWay = true
  }

  get isGivingWay(): boolean {
    return this.#isGivingWay
  }

  stop(why: StopReason['why']): void {
    this.#stop.abort(new StopReason(why))
  }

  /** Runs to the end and records it. Never rejects: what cannot be recorded is delivered again. */
  async run(): Promise<void> {
    try {
      if (this.job.cancelRequested) await this.#end({ state: 'cancelled' })
      else if (this.job.attempts > this.#kind.attemptLimit)
        await this.#end({ state: 'failed', error: givenUp(this.job) })
      // A result that cannot be stored is a failure like any other.
      else await this.#traced().catch((error: unknown) => this.#failed(error))
    } catch (error) {
      this.#log.error({ err: error }, 'the outcome of a job could not be recorded; it will be delivered again')
    }
  }

  #traced(): Promise<void> {
    const { kind, attempts, traceParent } = this.job
    const attributes = { 'tradewright.job.kind': kind, 'tradewright.job.attempt': attempts }
    const attempt = () => onBehalfOf(this.job.userId, () => this.#attempt())
    return belowTraceParent(traceParent, () => inSpan('job', `job ${kind}`, attributes, attempt))
  }

  async #attempt(): Promise<void> {
    let result: unknown
    try {
      result = await this.#untilStopped(this.#kind.run(this.#context(), this.#kind.input.parse(this.job.input)))
    } catch (error) {
      return this.#why() ? this.#stopped() : this.#failed(error)
    }
    // The work is done: only a cancellation by the user outweighs it.
    if (this.#why() === 'cancelled') return this.#end({ state: 'cancelled' })
    return this.#end({ state: 'completed', result })
  }

  #why(): StopReason['why'] | undefined {
    return this.#stop.signal.aborted ? (this.#stop.signal.reason as StopReason).why : undefined
  }

  async #stopped(): Promise<void> {
    if (this.#why() === 'cancelled') return this.#end({ state: 'cancelled' })
    if (this.#why() !== 'taken over') return this.#requeue({ afterSeconds: 0, isAttempt: false })
    // Silent for too long, but alive: only the death of a worker is held against a job.
    this.#log.warn('another worker has taken this job over')
    await persist(() => this.#store.uncount(this.job))
  }

  #failed(error: unknown): Promise<void> {
    if (error instanceof Problem) return this.#end({ state: 'failed', error: failureOf(error) })
    const outage = databaseOutage(error)
    if (outage) this.#log.warn({ err: error, attempt: this.job.attempts }, 'a job lost the database')
    else this.#log.error({ err: error, attempt: this.job.attempts }, 'a job failed unexpectedly')
    if (this.job.attempts >= this.#kind.attemptLimit) {
      return this.#end({ state: 'failed', error: outage ? failureOf(outage) : BUG })
    }
    return this.#requeue({ afterSeconds: retryAfterSeconds(this.job.attempts), isAttempt: true })
  }

  #requeue(options: Parameters<JobRunStore['requeue']>[2]): Promise<void> {
    return persist(() => this.#store.requeue(this.job, this.delivery, options))
  }

  #end(ending: Parameters<JobRunStore['end']>[2]): Promise<void> {
    const progress = this.#progress.drainUnwritten()
    jobEnds.record({ kind: this.job.kind, state: ending.state, seconds: (performance.now() - this.begunAt) / 1_000 })
    return persist(() => this.#store.end(this.job, this.delivery, ending, progress))
  }

  #context(): JobContext<unknown> {
    return {
      jobId: this.job.id,
      userId: this.job.userId,
      attempt: this.job.attempts,
      signal: this.#stop.signal,
      reportProgress: (progress) => this.#progress.write(progress),
      checkpoint: (value) => this.#writeCheckpoint(value),
      previous: this.#previousCheckpoint(),
      log: this.#log,
    }
  }

  #previousCheckpoint(): unknown {
    const { checkpoint } = this.job
    if (checkpoint === null || !this.#kind.checkpoint) return checkpoint
    const parsed = this.#kind.checkpoint.safeParse(checkpoint)
    if (parsed.success) return parsed.data
    this.#log.warn('the stored checkpoint is of another version; the job begins again')
    return null
  }

  async #writeCheckpoint(value: unknown): Promise<void> {
    this.#stop.signal.throwIfAborted()
    const progress = this.#progress.drainUnwritten()
    this.#obey(await persist(() => this.#store.checkpoint(this.job, value, progress)))
    if (this.#isGivingWay) this.stop('giving way')
    this.#stop.signal.throwIfAborted()
  }

  async #writeProgress(progress: Parameters<JobRunStore['saveProgress']>[1]): Promise<void> {
    try {
      this.#obey(await this.#store.saveProgress(this.job, progress))
    } catch (error) {
      this.#log.debug({ err: error }, 'progress could not be written')
    }
  }

  #obey(standing: Standing): void {
    if (standing === 'cancel requested') this.stop('cancelled')
    if (standing === 'lost') this.stop('taken over')
  }

  /** A run that ignores its signal does not keep the job from ending; what it still writes finds no row. */
  async #untilStopped(running: Promise<unknown>): Promise<unknown> {
    const { signal } = this.#stop
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<never>((_, reject) => {
      const begin = () => (timer = setTimeout(() => reject(signal.reason as StopReason), STOP_WITHIN_MS))
      if (signal.aborted) begin()
      else signal.addEventListener('abort', begin, { once: true })
    })
    try {
      return await Promise.race([running, patience])
    } finally {
      clearTimeout(timer)
    }
  }
}

const failureOf = ({ kind, code, message, facts }: Problem): JobFailure => ({
  kind,
  code,
  message,
  ...(facts && { facts }),
})

const BUG: JobFailure = {
  kind: 'bug',
  code: 'job.bug',
  message: 'Something went wrong on our side, several times in a row. The failure was logged.',
}

/** The last runs ended without a record: the process died under them. */
function givenUp({ attempts }: ClaimedJob): JobFailure {
  const times = attempts - 1
  return {
    kind: 'unavailable',
    code: 'job.interrupted',
    message: `The work was interrupted ${times} times because its worker process stopped, and was given up.`,
  }
}

const PAUSES_MS = [100, 300, 1_000, 3_000, 5_000, 10_000, 10_000]

/** Repeats a write while the database is away for a moment: hours of work must not be lost to a second without it. */
async function persist<Result>(write: () => Promise<Result>): Promise<Result> {
  for (const wait of PAUSES_MS) {
    try {
      return await write()
    } catch (error) {
      if (isRefusal(error)) throw error
      await pause(wait)
    }
  }
  return write()
}

/** The value itself cannot be stored (SQLSTATE classes 22 and 23, or no JSON at all): waiting does not help. */
function isRefusal(error: unknown): boolean {
  return error instanceof TypeError || /^2[23]/.test(errorCode(error) ?? '')
}
