import { randomUUID } from 'node:crypto'
import { enqueueJobs, type JobWatch, cancelJob } from './job-watch.ts'
import type { Job, JobKind, JobStore } from './job.ts'

/** Evaluates many items in pieces of bounded time, on the threads of this process or of all that share the queue. */
export type Evaluate<Item, Result> = (items: readonly Item[], options: EvaluationOptions) => Promise<Result[]>

interface EvaluationOptions {
  readonly userId: number
  readonly signal: AbortSignal
  readonly onProgress: (done: number) => void
}

/** A piece keeps its thread for about so long. */
const PIECE_MS = 250

interface PieceSize {
  /** A piece is at most this part of what is left: one half of it over as many as do the work. */
  readonly fraction: number
  /** Milliseconds of one item, as far as is known. */
  readonly millisEach: number
  readonly leastMs?: number
}

/**
 * Large pieces first, small ones last: few are on their way, and the first thread to end finds something small to do,
 * so that all end at about the same time.
 */
function pieceLength(left: number, { fraction, millisEach, leastMs = 0 }: PieceSize): number {
  const most = Math.max(1, Math.floor(PIECE_MS / millisEach))
  return Math.min(most, Math.max(Math.ceil(leastMs / millisEach), Math.ceil(fraction * left)))
}

export function inPieces<Item>(items: readonly Item[], size: PieceSize): Item[][] {
  const pieces: Item[][] = []
  for (let from = 0; from < items.length; from += pieces.at(-1)!.length) {
    pieces.push(items.slice(from, from + pieceLength(items.length - from, size)))
  }
  return pieces
}

interface Evaluated<Result> {
  readonly results: readonly Result[]
  /** Processor time of the thread: time in which it stood still costs nothing. */
  readonly cpuMs: number
}

type EvaluatePiece<Item, Result> = (
  piece: readonly Item[],
  options: { readonly owner: string; readonly signal: AbortSignal },
) => Promise<Evaluated<Result>>

/** The assumed time of a piece until the first one is measured. */
const UNKNOWN_MS = PIECE_MS
/** The processor's clock is not finer than that. */
const MEASURABLE_MS = 0.01

/** On the threads of this process, in pieces that are sized by what the pieces before them took. */
export function onPool<Item, Result>(
  threads: number,
  evaluatePiece: EvaluatePiece<Item, Result>,
): Evaluate<Item, Result> {
  let millisEach = UNKNOWN_MS
  return async (items, { userId, signal, onProgress }) => {
    const results = Array.from<Result>({ length: items.length })
    const failure = new AbortController()
    const either = AbortSignal.any([signal, failure.signal])
    let next = 0
    let done = 0
    const claimPieces = async () => {
      while (next < items.length) {
        const from = next
        next += pieceLength(items.length - from, { fraction: 0.75 / threads, millisEach })
        const piece = items.slice(from, next)
        const found = await evaluatePiece(piece, { owner: String(userId), signal: either })
        millisEach = Math.max(MEASURABLE_MS, found.cpuMs / piece.length)
        found.results.forEach((result, at) => (results[from + at] = result))
        onProgress((done += piece.length))
      }
    }
    // One piece more than threads each: the next is at hand when a thread gets free.
    const takers = Array.from({ length: 2 * threads }, () =>
      claimPieces().catch((error: unknown) => failure.abort(error)),
    )
    await Promise.all(takers)
    either.throwIfAborted()
    return results
  }
}

/** The process that does pieces, and on how many threads it does them side by side. */
interface PieceProcess {
  readonly id: string
  readonly threads: number
}

/** How many pieces of a kind a process takes at once, and the process as the job that waits for them is told of it. */
export const pieceSettings = (threads: number) => ({
  process: { id: randomUUID(), threads } satisfies PieceProcess,
  // One more than there are threads: the next is at hand when a thread gets free.
  limits: { concurrency: threads + 1, concurrencyPerUser: threads + 1 },
})

/** What the job of a piece answers beside its results. */
export interface PieceAnswer {
  readonly cpuMs: number
  readonly process: PieceProcess
}

export interface QueueDeps {
  readonly jobs: JobStore
  readonly watch: Pick<JobWatch, 'result'>
}

/** The threads that are assumed until it is known which processes take part. */
export const ASSUMED_THREADS = 4
/** The way through the queue costs some ten milliseconds; what the last one takes, all the others wait. */
const MIN_MS = 25

interface QueuedPieces<Item, Result, Input> {
  readonly subject: string
  readonly inputOf: (piece: readonly Item[]) => Input
  /** Milliseconds of one item, until the first ones are measured. */
  readonly assumedMs?: number
  /** What the job of a piece answered. */
  readonly read: (answer: unknown) => Evaluated<Result> & PieceAnswer
}

/** On the threads of every process that takes jobs: each piece is a job, which is redone when its worker dies. */
export function overQueue<Item, Result, Input>(
  deps: QueueDeps,
  job: Pick<JobKind<Input>, 'kind' | 'input'>,
  { subject, inputOf, read, assumedMs = 20 }: QueuedPieces<Item, Result, Input>,
): Evaluate<Item, Result> {
  let millisEach = assumedMs
  let threads = ASSUMED_THREADS
  return async (items, { userId, signal, onProgress }) => {
    // Workers claim the next piece before they end one, so two of the first pieces must take no longer than all the
    // others.
    const pieces = inPieces(items, { fraction: 0.6 / threads, millisEach, leastMs: MIN_MS })
    const seen = new Map<string, number>()
    const failure = new AbortController()
    const either = AbortSignal.any([signal, failure.signal])
    let done = 0
    const jobs = await enqueueJobs(deps, job, { userId, subject, inputs: pieces.map(inputOf) })
    const resultsOf = async ({ id }: Job): Promise<readonly Result[]> => {
      try {
        const { results, cpuMs, process } = read(await deps.watch.result(userId, id, either))
        seen.set(process.id, process.threads)
        millisEach = Math.max(1, cpuMs / results.length)
        onProgress((done += results.length))
        return results
      } catch (error) {
        failure.abort(error)
        await cancelJob(deps, userId, id)
        throw error
      }
    }
    const ended = await Promise.allSettled(jobs.map(resultsOf))
    either.throwIfAborted()
    // A worker that comes later takes one of the smaller pieces, and counts from then on.
    if (seen.size > 0) threads = [...seen.values()].reduce((sum, one) => sum + one, 0)
    return ended.flatMap((piece) => (piece.status === 'fulfilled' ? piece.value : []))
  }
}

/** A few at once: what a run is prepared to may be a hundred megabytes. */
const MAX_PREPARED = 3

/** What this process has read or computed for all pieces of a run, once. */
export class Prepared<Key, Value> {
  readonly #prepare: (key: Key, userId: number) => Promise<Value>
  /** The one used last comes last. */
  readonly #values = new Map<Key, Promise<Value>>()

  constructor(prepare: (key: Key, userId: number) => Promise<Value>) {
    this.#prepare = prepare
  }

  get(key: Key, userId: number): Promise<Value> {
    const preparing = this.#values.get(key) ?? this.#prepare(key, userId)
    this.#values.delete(key)
    this.#values.set(key, preparing)
    preparing.catch(() => {
      if (this.#values.get(key) === preparing) this.#values.delete(key)
    })
    for (const oldest of [...this.#values.keys()].slice(0, -MAX_PREPARED)) this.#values.delete(oldest)
    return preparing
  }

  forget(key: Key): void {
    this.#values.delete(key)
  }
}
