import { createHash } from 'node:crypto'
import { SECOND } from '@tradewright/core/time'
import {
  type Allowance,
  type Allowances,
  callsFor,
  type CallPriority,
  CallsPaused,
  AllowanceTurns,
  isReserve,
  RateBucket,
  type RateLimit,
  type AcquireOptions,
} from './rate-bucket.ts'
import { outsideCalls } from '../../observe/process-counts.ts'
import type { Timing } from './transport.ts'
import { untilAborted } from '../../until-aborted.ts'

interface AllowanceKey {
  readonly service: string
  readonly fingerprint: string
}

interface AllowanceRequest {
  /** How many calls a window may hold for a caller of this priority. */
  readonly calls: number
  readonly windowMillis: number
  readonly need: number
  /** The tokens that are asked for, at least `need`; the rest is for calls that follow soon. */
  readonly want: number
  /** How long the tokens may be kept before they are used. */
  readonly leaseMillis: number
  /** Granted although calls are paused. */
  readonly ignoresPause: boolean
}

export interface AllowanceAnswer {
  readonly granted: number
  /** Where nothing was granted: when asking again may succeed. */
  readonly waitMillis: number
  /** How long the vendor refuses calls; 0 when it does not. */
  readonly pausedMillis: number
}

/** Counts for all processes together. */
export interface AllowanceStore {
  /** All or nothing of `need`. */
  acquire(key: AllowanceKey, request: AllowanceRequest): Promise<AllowanceAnswer>
  pause(key: AllowanceKey, milliseconds: number): Promise<void>
}

interface SharedAllowancesParts {
  readonly store: AllowanceStore
  readonly timing: Timing
  readonly log: { warn(fields: object, message: string): void }
}

/** Tokens for later calls are kept so long; what is not used then is lost. */
const LEASE_MILLIS = 2 * SECOND
/** Below such a window every call asks for itself. */
const SHORTEST_LEASED_WINDOW = 10 * SECOND
/** An allowance divided by this is the most that one process keeps. */
const LEASE_PART = 20
/** Processes that may live on local shares without exceeding the allowance together. */
const FALLBACK_PROCESSES = 8
const RETRY_STORE_MILLIS = SECOND
const MAX_PAUSE_MILLIS = 3_600 * SECOND
/** Keys known before those that were not used lately are forgotten. */
const MAX_KEYS = 100

/**
 * Allowances that hold across processes: tokens come from one store, a few at a time where calls follow each other. While
 * the store is away, a process waits for a window and then makes do with a small share of its own; orders go on at once
 * within a part of what is reserved for them, and cancellations within all that is reserved for them.
 */
export function sharedAllowances(parts: SharedAllowancesParts): Allowances {
  const known = new Map<string, SharedAllowance>()
  const allowanceOf = (key: string, limit: RateLimit) => {
    const found = known.get(key)
    if (found) return found
    if (known.size >= MAX_KEYS) for (const [other, one] of known) if (one.isIdle) known.delete(other)
    const made = new SharedAllowance(keyOf(key), limit, parts)
    outsideCalls.noteLimit(keyOf(key).service, limit)
    known.set(key, made)
    return made
  }
  return {
    of: (key, limit) => ({
      acquire: (cost, signal, options) => allowanceOf(key, limit).acquire(cost, signal, options),
      pause: (milliseconds) => allowanceOf(key, limit).pause(milliseconds),
      noteRemaining: (calls, untilReset) => allowanceOf(key, limit).noteRemaining(calls, untilReset),
    }),
  }
}

/** Keys hold what users entered, so the store gets the service's name and a fingerprint. */
const keyOf = (key: string): AllowanceKey => ({
  service: /^[\w-]*/.exec(key)![0],
  fingerprint: createHash('sha256').update(key).digest('hex').slice(0, 32),
})

class SharedAllowance implements Allowance {
  readonly #key: AllowanceKey
  readonly #limit: RateLimit
  readonly #parts: SharedAllowancesParts
  readonly #withoutStore: Record<CallPriority, RateBucket>
  readonly #turns = new AllowanceTurns()
  #lease = { tokens: 0, until: 0, size: 0 }
  /** Taken in one go for all cancellations that wait: a stop has many. */
  #cancelLease = { tokens: 0, until: 0 }
  #waitingCancels = 0
  #pausedUntil = 0
  #readsPausedUntil = 0
  #awaySince: number | undefined
  #waiting = 0
  #lastUse = 0

  constructor(key: AllowanceKey, limit: RateLimit, parts: SharedAllowancesParts) {
    this.#key = key
    this.#limit = limit
    this.#parts = parts
    const { calls, windowMillis, reservedForOrders = 0, reservedForCancels = 0 } = limit
    const bucket = (bucketCalls: number, bucketWindowMillis = windowMillis) =>
      new RateBucket({ calls: Math.max(1, bucketCalls), windowMillis: bucketWindowMillis }, parts.timing)
    this.#withoutStore = {
      read: bucket(1, Math.ceil((FALLBACK_PROCESSES * windowMillis) / calls)),
      order: bucket(Math.floor(reservedForOrders / FALLBACK_PROCESSES)),
      // Not divided: a stop of several processes at once may meet a 429, and is sent again.
      cancel: bucket(reservedForCancels),
    }
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && this.#lastUse + this.#limit.windowMillis < this.#parts.timing.now()
  }

  /** Callers of one priority take turns and wait for no other priority. */
  async acquire(cost: number, signal: AbortSignal, options: AcquireOptions = {}): Promise<void> {
    const { priority = 'read' } = options
    const calls = callsFor(this.#limit, priority)
    if (cost > calls) throw new RangeError(`a call of cost ${cost} never fits ${calls} tokens`)
    signal.throwIfAborted()
    this.#waiting++
    if (priority === 'cancel') this.#waitingCancels += cost
    const turn = this.#turns
      .run(priority, () => this.#spend(cost, signal, options))
      .finally(() => {
        this.#waiting--
        if (priority === 'cancel') this.#waitingCancels -= cost
      })
    await untilAborted(turn, signal)
  }

  pause(milliseconds: number): void {
    const pause = Math.min(milliseconds, MAX_PAUSE_MILLIS)
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#parts.timing.now() + pause)
    this.#lease.tokens = 0
    this.#parts.store.pause(this.#key, pause).catch((error: unknown) => this.#warn(error))
  }

  noteRemaining(calls: number, untilResetMillis: number): void {
    if (calls === 0) this.pause(untilResetMillis)
    else if (isReserve(this.#limit, calls)) {
      this.#readsPausedUntil = this.#parts.timing.now() + Math.min(untilResetMillis, MAX_PAUSE_MILLIS)
      this.#lease.tokens = 0
    }
  }

  #pauseOf(priority: CallPriority, now: number): number {
    if (priority === 'cancel') return 0
    return Math.max(this.#pausedUntil, priority === 'read' ? this.#readsPausedUntil : 0) - now
  }

  async #spend(
    cost: number,
    signal: AbortSignal,
    { priority = 'read', maxPauseMillis = Number.POSITIVE_INFINITY }: AcquireOptions,
  ): Promise<void> {
    const { timing } = this.#parts
    for (;;) {
      signal.throwIfAborted()
      const now = timing.now()
      this.#lastUse = now
      const pause = this.#pauseOf(priority, now)
      if (pause > maxPauseMillis) throw new CallsPaused(pause)
      if (pause > 0) await timing.sleep(pause, signal)
      else if (this.#fromLease(cost, priority, now)) return
      else {
        const wait = await this.#fromStore(cost, priority, now)
        if (wait === 'granted') return
        if (wait === 'away' && (await this.#fromFallback(cost, signal, priority))) return
        if (typeof wait === 'number' && wait > 0) await timing.sleep(wait, signal)
      }
    }
  }

  #fromLease(cost: number, priority: CallPriority, now: number): boolean {
    const lease = priority === 'cancel' ? this.#cancelLease : this.#lease
    if (lease.tokens < cost || now > lease.until) return false
    lease.tokens -= cost
    return true
  }

  async #fromStore(cost: number, priority: CallPriority, now: number): Promise<'granted' | 'away' | number> {
    const extra = this.#extraTokens(cost, priority, now)
    const { windowMillis } = this.#limit
    const calls = callsFor(this.#limit, priority)
    const ignoresPause = priority === 'cancel'
    const leaseMillis = extra > 0 ? LEASE_MILLIS : 0
    try {
      const want = Math.min(calls, cost + extra)
      const request = { calls, windowMillis, need: cost, want, leaseMillis, ignoresPause }
      const { granted, waitMillis, pausedMillis } = await this.#parts.store.acquire(this.#key, request)
      this.#awaySince = undefined
      // The next round of the caller's loop waits for it, or gives up.
      if (pausedMillis > 0) this.#pausedUntil = Math.max(this.#pausedUntil, this.#parts.timing.now() + pausedMillis)
      if (granted === 0) return pausedMillis > 0 && !ignoresPause ? 0 : waitMillis
      // From before the question: the store counts from later on.
      const lease = { tokens: granted - cost, until: now + leaseMillis }
      if (priority === 'read') this.#lease = { ...lease, size: extra }
      if (priority === 'cancel') this.#cancelLease = lease
      return 'granted'
    } catch (error) {
      if (this.#awaySince === undefined) this.#warn(error)
      this.#awaySince ??= now
      return 'away'
    }
  }

  /** Reads: none for a single call; twice as many each time the last ones were used up before their end. */
  #extraTokens(cost: number, priority: CallPriority, now: number): number {
    const { calls, windowMillis } = this.#limit
    if (priority === 'order' || windowMillis < SHORTEST_LEASED_WINDOW) return 0
    if (priority === 'cancel') return this.#waitingCancels - cost
    const { until, size } = this.#lease
    const followsSoon = now <= (size > 0 ? until : until + LEASE_MILLIS)
    return followsSoon ? Math.min(Math.max(1, size * 2), Math.floor(calls / LEASE_PART)) : 0
  }

  /** False when the store is to be asked again first. */
  async #fromFallback(cost: number, signal: AbortSignal, priority: CallPriority): Promise<boolean> {
    const { timing } = this.#parts
    if (priority !== 'read') {
      await this.#withoutStore[priority].acquire(1, signal)
      return true
    }
    // Calls that were granted before may still be in the window.
    const fallbackFrom = this.#awaySince! + this.#limit.windowMillis
    if (timing.now() < fallbackFrom) {
      await timing.sleep(Math.min(RETRY_STORE_MILLIS, fallbackFrom - timing.now()), signal)
      return false
    }
    for (let taken = 0; taken < cost; taken++) await this.#withoutStore.read.acquire(1, signal)
    return true
  }

  #warn(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    this.#parts.log.warn({ service: this.#key.service, reason }, 'the shared allowance cannot be counted')
  }
}
