/**
 * Several threads that grow one boosted model. Each has its slice of the training rows in a kernel memory of its own;
 * they share a histogram per thread and a few cells as a barrier. Gradients are whole numbers, so that the sum of the
 * threads' histograms does not depend on how the rows were divided.
 *
 * The first thread, the owner, has all rows that are only predicted and gives the result. The owner does not wait for a
 * helper that does not join: the group closes after a tenth of a second, and a later helper returns at once.
 */
import { cancelledProblem, type IsCancelled } from '../cancellation.ts'
import { threadGroupBytes, type BoostingJob } from './booster.ts'
import { type FitSize, isLarge } from './large-booster.ts'
import type { BoostingSettings } from '../settings.ts'

export interface BoostingThreads {
  /** Owner and helpers, if all come. */
  readonly threads: number
  /** How long a thread may give no sign of life. */
  readonly patienceMs: number
  readonly cells: Int32Array<SharedArrayBuffer>
  /** Two histograms per thread, used in turns: one may still be read while the next is written. */
  readonly histograms: Uint8Array<SharedArrayBuffer>
}

/** Helpers that have come, or CLOSED. */
const COME = 0
/** Threads of the closed group. */
const MEMBERS = 1
/** Threads that have arrived at the barrier, and barriers passed. */
const ARRIVED = 2
const MEETINGS = 3
/** Rounds that the owner has begun. */
const ROUNDS = 4
/** 1 once the owner is done, or a thread cannot go on. */
const OVER = 5
/** From here on a cell per thread, which counts the signs of life it gives while it works. */
const BEATS = 6

const CLOSED = -1
/** Poll interval of a waiting thread. */
const LOOK_UP_MS = 20
/** The owner waits a tenth of a second for helpers. */
const JOINING_POLLS = 5
/** A working thread counts its cell up every few milliseconds; one that has not for five seconds has died. */
const PATIENCE_MS = 5000
/** A few microseconds: mostly the others are nearly as far, and to be woken takes longer. */
const SPINS = 2000

export function newThreadGroup(job: BoostingJob, threads: number, patienceMs = PATIENCE_MS): BoostingThreads {
  return {
    threads,
    patienceMs,
    cells: new Int32Array(new SharedArrayBuffer(4 * (BEATS + threads))),
    histograms: new Uint8Array(new SharedArrayBuffer(threadGroupBytes(job, threads))),
  }
}

/** Rows and columns of a node at the last level that a thread should have at least, to be worth the meetings. */
const MIN_WORK = 4096

interface BoostingSize extends FitSize {
  readonly columns: { readonly length: number }
  readonly settings: Pick<BoostingSettings, 'lambda' | 'maxDepth'>
}

/** How many of so many threads are worth using: only large fits gain, and only while their nodes stay large. */
export function worthwhileThreads(job: BoostingSize, threads: number): number {
  if (!isLarge(job)) return 1
  const lastNodes = 2 ** (job.settings.maxDepth - 1)
  const work = (job.trainRows.length * job.columns.length) / lastNodes
  return Math.max(1, Math.min(threads, Math.floor(work / MIN_WORK)))
}

/** The group cannot go on, though the fit was not cancelled: a thread died or failed. */
export class ThreadGroupBroken extends Error {}

/** One thread's place in a group. */
export class Seat {
  readonly rank: number
  readonly #group: BoostingThreads
  readonly #isCancelled: IsCancelled
  #turn = 0

  private constructor(group: BoostingThreads, rank: number, isCancelled: IsCancelled) {
    this.#group = group
    this.rank = rank
    this.#isCancelled = isCancelled
  }

  /** The owner's: waits a little for helpers and closes the group. */
  static take(group: BoostingThreads, isCancelled: IsCancelled): Seat {
    const { cells } = group
    for (let polls = 0; polls < JOINING_POLLS; polls++) {
      const come = Atomics.load(cells, COME)
      if (come === group.threads - 1 || isCancelled()) break
      Atomics.wait(cells, COME, come, LOOK_UP_MS)
    }
    Atomics.store(cells, MEMBERS, 1 + Atomics.exchange(cells, COME, CLOSED))
    Atomics.notify(cells, MEMBERS)
    return new Seat(group, 0, isCancelled)
  }

  /** A helper's; null when it comes too late or the owner never closes the group. */
  static join(group: BoostingThreads, isCancelled: IsCancelled): Seat | null {
    const { cells } = group
    let come = Atomics.load(cells, COME)
    while (come !== CLOSED) {
      const found = Atomics.compareExchange(cells, COME, come, come + 1)
      if (found === come) break
      come = found
    }
    if (come === CLOSED) return null
    Atomics.notify(cells, COME)
    const seat = new Seat(group, come + 1, isCancelled)
    try {
      seat.#waitWhile(MEMBERS, 0)
      return seat
    } catch (error) {
      // The owner counts on who has come.
      seat.end()
      if (error instanceof ThreadGroupBroken) return null
      throw error
    }
  }

  get members(): number {
    return Atomics.load(this.#group.cells, MEMBERS)
  }

  get isOver(): boolean {
    return Atomics.load(this.#group.cells, OVER) === 1
  }

  end(): void {
    const { cells } = this.#group
    Atomics.store(cells, OVER, 1)
    for (const cell of [MEMBERS, MEETINGS, ROUNDS]) Atomics.notify(cells, cell)
  }

  /** Passed to this thread's kernel: whether to stop, for whatever reason. */
  readonly shouldStop: IsCancelled = (visits) => {
    Atomics.add(this.#group.cells, BEATS + this.rank, 1)
    return this.isOver || this.#isCancelled(visits)
  }

  beginRound(round: number): void {
    Atomics.store(this.#group.cells, ROUNDS, round + 1)
    Atomics.notify(this.#group.cells, ROUNDS)
  }

  awaitRound(round: number): void {
    this.#waitWhile(ROUNDS, round)
  }

  /** Makes `bytes` at `own` known to all threads, and writes theirs one behind the other from `others` on. */
  exchange(memory: Uint8Array, own: number, bytes: number, others: number): void {
    const { histograms, threads } = this.#group
    const { members } = this
    const room = histograms.length / (2 * threads)
    const first = this.#turn * threads * room
    this.#turn = 1 - this.#turn
    histograms.set(memory.subarray(own, own + bytes), first + this.rank * room)
    this.#meet()
    let to = others
    for (let rank = 0; rank < members; rank++) {
      if (rank === this.rank) continue
      memory.set(histograms.subarray(first + rank * room, first + rank * room + bytes), to)
      to += bytes
    }
  }

  #meet(): void {
    const { cells } = this.#group
    const held = Atomics.load(cells, MEETINGS)
    if (Atomics.add(cells, ARRIVED, 1) < this.members - 1) return this.#waitWhile(MEETINGS, held)
    Atomics.store(cells, ARRIVED, 0)
    Atomics.add(cells, MEETINGS, 1)
    Atomics.notify(cells, MEETINGS)
  }

  /** Throws when the fit is cancelled, or when the others cannot be waited for. */
  #waitWhile(cell: number, value: number): void {
    const { cells } = this.#group
    for (let i = 0; i < SPINS; i++) if (Atomics.load(cells, cell) !== value) return
    let silentMs = 0
    let heard = this.#beatsOfOthers()
    while (Atomics.load(cells, cell) === value) {
      if (this.isOver) throw new ThreadGroupBroken('the group is over')
      if (Atomics.wait(cells, cell, value, LOOK_UP_MS) !== 'timed-out') continue
      if (this.#isCancelled()) throw cancelledProblem()
      const beats = this.#beatsOfOthers()
      silentMs = beats === heard ? silentMs + LOOK_UP_MS : 0
      heard = beats
      if (silentMs >= this.#group.patienceMs) throw new ThreadGroupBroken('a thread has died')
    }
  }

  #beatsOfOthers(): number {
    let sum = 0
    for (let rank = 0; rank < this.#group.threads; rank++) {
      if (rank !== this.rank) sum += Atomics.load(this.#group.cells, BEATS + rank)
    }
    return sum
  }
}
