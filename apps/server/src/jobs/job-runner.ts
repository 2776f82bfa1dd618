import type { Logger } from '../log.ts'
import {
  listenToJobChanges,
  type JobChange,
  type AnyJobKind,
  type Delivery,
  type JobCarrier,
  type JobMessages,
  type JobRunStore,
  type JobTurn,
} from './job.ts'
import { JobRun } from './job-run.ts'

/** Messages wake us at once; this is for deliveries that come back because a worker died, and for lost messages. */
const POLL_INTERVAL_MS = 1_000
const RENEW_INTERVAL_MS = 3_000
const SWEEP_INTERVAL_MS = 60_000
const TURN_MS = 60_000

export interface JobRunnerDeps {
  carrier: JobCarrier
  store: JobRunStore
  messages: JobMessages
  /** Names this process in the rows of the jobs that it runs. */
  workerId: string
  log: Logger
  /** How long a run keeps its place while another user's job waits for one. */
  turnMs?: number
}

/** Takes jobs of the given kinds and runs them beside any number of others that do the same. */
export class JobRunner {
  readonly #deps: JobRunnerDeps
  readonly #kinds: readonly AnyJobKind[]
  readonly #runs = new Map<JobRun, Promise<void>>()
  readonly #timers: NodeJS.Timeout[] = []
  #taking: Promise<void> | undefined
  /** Kinds of which there may be a job to take: each poll costs the database a query or two. */
  readonly #toPoll = new Set<AnyJobKind>()
  #isClosing = false
  #isTroubled = false

  constructor(deps: JobRunnerDeps, kinds: readonly AnyJobKind[]) {
    this.#deps = deps
    this.#kinds = kinds
  }

  async start(): Promise<void> {
    await listenToJobChanges(
      this.#deps.messages,
      (change) => this.#hear(change),
      () => this.#catchUp(),
    )
    this.#every(POLL_INTERVAL_MS, () => this.#poll())
    this.#every(RENEW_INTERVAL_MS, () => this.#keepAlive())
    this.#every(SWEEP_INTERVAL_MS, () => this.#deps.store.sweep())
    this.#catchUp()
  }

  /** Stops taking jobs and hands the running ones back with their checkpoints. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#taking
    for (const run of this.#runs.keys()) run.stop('shutting down')
    await Promise.all(this.#runs.values())
  }

  #every(milliseconds: number, work: () => Promise<void>): void {
    this.#timers.push(setInterval(() => void this.#attempt(work), milliseconds))
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#isTroubled = false
    } catch (error) {
      // Once per trouble: while the database is away, every second fails the same way.
      const level = this.#isTroubled ? 'debug' : 'warn'
      this.#isTroubled = true
      this.#deps.log[level]({ reason: (error as Error).message }, 'jobs: will try again')
    }
  }

  #hear({ job, kind, what }: JobChange): void {
    if (what === 'queued') void this.#attempt(() => this.#poll(this.#kinds.filter((one) => one.kind === kind)))
    if (what === 'cancel') for (const run of this.#runs.keys()) if (run.job.id === job) run.stop('cancelled')
  }

  #catchUp(): void {
    void this.#attempt(() => this.#keepAlive())
    void this.#attempt(() => this.#poll())
    void this.#attempt(() => this.#deps.store.sweep())
  }

  /** One poll at a time; a reason to poll that comes meanwhile adds one more. */
  #poll(kinds = this.#kinds): Promise<void> {
    for (const kind of kinds) this.#toPoll.add(kind)
    this.#taking ??= this.#claimAll().finally(() => {
      this.#taking = undefined
      if (this.#toPoll.size > 0 && !this.#isClosing) void this.#attempt(() => this.#poll([]))
    })
    return this.#taking
  }

  async #claimAll(): Promise<void> {
    for (const kind of this.#toPoll) {
      if (this.#isClosing) return
      this.#toPoll.delete(kind)
      while (!this.#isClosing && (await this.#claimOne(kind))) continue
    }
  }

  async #claimOne(kind: AnyJobKind): Promise<boolean> {
    const turns = await this.#deps.carrier.turns(kind.kind)
    const running = [...this.#runs.keys()].filter(({ job }) => job.kind === kind.kind)
    if (running.length >= kind.concurrency) {
      this.#endTurn(running, turns)
      return false
    }
    for (const { userId } of turns) {
      if (countOf(running, userId) >= kind.concurrencyPerUser) continue
      const others = turns.filter((turn) => turn.userId !== userId).map((turn) => turn.userId)
      const delivery = await this.#deps.carrier.claim(kind.kind, others)
      if (!delivery) continue
      await this.#claim(kind, delivery)
      return true
    }
    return false
  }

  async #claim(kind: AnyJobKind, delivery: Delivery): Promise<void> {
    const { carrier, store, workerId } = this.#deps
    await this.#giveUp(delivery.jobId)
    const job = await store.claim(delivery, workerId)
    if (job) this.#begin(new JobRun(this.#deps, kind, job, delivery), kind)
    else await carrier.discard(delivery)
  }

  /** No place is free: a run of the user with the most of them gives way to a user who has fewer. */
  #endTurn(running: readonly JobRun[], [next]: readonly JobTurn[]): void {
    if (!next || running.some(({ isGivingWay }) => isGivingWay)) return
    const { turnMs = TURN_MS } = this.#deps
    const [longest] = running
      .filter(({ job, begunAt }) => countOf(running, job.userId) > next.atWork && performance.now() - begunAt >= turnMs)
      .sort((a, b) => countOf(running, b.job.userId) - countOf(running, a.job.userId) || a.begunAt - b.begunAt)
    longest?.giveWay()
  }

  /** This process was silent for so long that its own job is delivered to it again: the old run ends first. */
  async #giveUp(jobId: string): Promise<void> {
    for (const [run, ended] of this.#runs) {
      if (run.job.id !== jobId) continue
      run.stop('taken over')
      await ended
    }
  }

  #begin(run: JobRun, kind: AnyJobKind): void {
    const ended = run.run().then(() => {
      this.#runs.delete(run)
      if (!this.#isClosing) void this.#attempt(() => this.#poll([kind]))
    })
    this.#runs.set(run, ended)
  }

  async #keepAlive(): Promise<void> {
    const runs = [...this.#runs.keys()]
    if (runs.length === 0) return
    const lost = await this.#deps.carrier.keep(runs.map(({ delivery }) => delivery))
    for (const run of runs) if (lost.includes(run.delivery)) run.stop('taken over')
    const cancelled = await this.#deps.store.cancelRequested(runs.map(({ job }) => job))
    for (const run of runs) if (cancelled.includes(run.job.id)) run.stop('cancelled')
  }
}

const countOf = (runs: readonly JobRun[], userId: number): number =>
  runs.filter(({ job }) => job.userId === userId).length
