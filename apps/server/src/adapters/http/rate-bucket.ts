import type { UtcMillis } from '@tradewright/core/time'
import type { Timing } from './transport.ts'
import { askingUser, connectionLane } from '../../connection-lane.ts'
import { TurnQueue } from '../../turn-queue.ts'
import { untilAborted } from '../../until-aborted.ts'

export interface RateLimit {
  readonly calls: number
  readonly windowMillis: number
  /** Calls of `calls` that are reserved for orders and cancellations: reads never use them. */
  readonly reservedForOrders?: number
  /** Calls of `reservedForOrders` that are reserved for cancellations: orders never use them. */
  readonly reservedForCancels?: number
}

/** Cancellations go before orders, orders before reads. */
export type CallPriority = 'read' | 'order' | 'cancel'

/** How many calls a window may hold for a caller of this priority. */
export function callsFor({ calls, reservedForOrders = 0, reservedForCancels = 0 }: RateLimit, priority: CallPriority) {
  return { read: calls - reservedForOrders, order: calls - reservedForCancels, cancel: calls }[priority]
}

/**
 * Who waits for a call: what running deployments ask comes first, and then users take turns, so that one who asks for a thousand
 * tickers delays no other caller.
 */
export class AllowanceTurns {
  readonly #queues: Readonly<Record<CallPriority, TurnQueue>> = {
    read: oneAtATime(),
    order: oneAtATime(),
    cancel: oneAtATime(),
  }

  run(priority: CallPriority, spend: () => Promise<void>): Promise<void> {
    const lane = connectionLane()
    const asker = { account: String(askingUser() ?? ''), address: '', isKnown: lane === 'trading' || lane === 'stop' }
    return this.#queues[priority].run(asker, spend)
  }
}

function oneAtATime(): TurnQueue {
  const without = Number.POSITIVE_INFINITY
  const tooMany = (count: number) => new Error(`${count} calls wait`)
  return new TurnQueue({ atOnce: 1, waiting: without, perAccount: { atOnce: 1, waiting: without }, tooMany })
}

export interface AcquireOptions {
  readonly priority?: CallPriority | undefined
  /** A longer pause of the vendor's is a `CallsPaused` instead of a wait. */
  readonly maxPauseMillis?: number
}

/** The vendor refuses calls for longer than the caller would wait. */
export class CallsPaused extends Error {
  override readonly name = 'CallsPaused'
  readonly milliseconds: number

  constructor(milliseconds: number) {
    super(`calls are paused for ${milliseconds} ms`)
    this.milliseconds = milliseconds
  }
}

export interface Allowance {
  /** Waits until `cost` tokens are free and spends them. An aborted caller leaves the queue at once and spends none. */
  acquire(cost: number, signal: AbortSignal, options?: AcquireOptions): Promise<void>
  /**
   * After a 429 reads and orders with the same key wait so long. Cancellations are sent all the same: a refused one costs
   * nothing, and a minute is long for an order that has to go.
   */
  pause(milliseconds: number): void
  /**
   * The vendor's own count, in which the calls of other programs are. Below what is reserved for orders, reads wait until
   * its window ends; nothing left is a pause.
   */
  noteRemaining(calls: number, untilResetMillis: number): void
}

/** One allowance per key, which everything that spends it shares. */
export interface Allowances {
  of(key: string, limit: RateLimit): Allowance
}

/**
 * Tokens that return one window after they were spent, so that no window of that length, wherever it begins, holds
 * more calls than allowed. (A bucket that refills steadily would allow twice as many in its first minute.)
 * Callers of one priority take turns and wait for no other priority. Pauses are waited for.
 */
export class RateBucket implements Allowance {
  readonly #limit: RateLimit
  readonly #timing: Timing
  #spent: { at: UtcMillis; cost: number }[] = []
  #pausedUntil = 0
  #readsPausedUntil = 0
  #waiting = 0
  readonly #turns = new AllowanceTurns()

  constructor(limit: RateLimit, timing: Timing) {
    this.#limit = limit
    this.#timing = timing
  }

  async acquire(cost: number, signal: AbortSignal, { priority = 'read' }: AcquireOptions = {}): Promise<void> {
    const usable = callsFor(this.#limit, priority)
    if (cost > usable) throw new RangeError(`a call of cost ${cost} never fits ${usable} tokens`)
    signal.throwIfAborted()
    this.#waiting++
    const turn = this.#turns.run(priority, () => this.#spend(cost, priority, signal)).finally(() => this.#waiting--)
    await untilAborted(turn, signal)
  }

  /** Whether a new bucket in its place would behave the same. */
  get isFull(): boolean {
    const now = this.#timing.now()
    return (
      this.#waiting === 0 &&
      Math.max(this.#pausedUntil, this.#readsPausedUntil) <= now &&
      this.#spent.every(({ at }) => at + this.#limit.windowMillis <= now)
    )
  }

  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#timing.now() + milliseconds)
  }

  noteRemaining(calls: number, untilResetMillis: number): void {
    if (calls === 0) this.pause(untilResetMillis)
    else if (isReserve(this.#limit, calls)) this.#readsPausedUntil = this.#timing.now() + untilResetMillis
  }

  async #spend(cost: number, priority: CallPriority, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const wait = this.#waitMillis(cost, priority)
      if (wait <= 0) break
      await this.#timing.sleep(wait, signal)
    }
    this.#spent.push({ at: this.#timing.now(), cost })
  }

  #waitMillis(cost: number, priority: CallPriority): number {
    const now = this.#timing.now()
    const { windowMillis } = this.#limit
    this.#spent = this.#spent.filter(({ at }) => at + windowMillis > now)
    let excess = cost - callsFor(this.#limit, priority)
    for (const spent of this.#spent) excess += spent.cost
    let freeAt = priority === 'cancel' ? 0 : this.#pausedUntil
    if (priority === 'read') freeAt = Math.max(freeAt, this.#readsPausedUntil)
    for (const spent of this.#spent) {
      if (excess <= 0) break
      excess -= spent.cost
      freeAt = Math.max(freeAt, spent.at + windowMillis)
    }
    return freeAt - now
  }
}

/** Whether what remains is reserved for orders. */
export const isReserve = ({ reservedForOrders = 0 }: RateLimit, remaining: number): boolean =>
  remaining < reservedForOrders

/** Buckets kept before those that are full are discarded. */
const MAX_BUCKETS = 100

/**
 * Allowances of one process alone, for tests. Keys that users bring come and go, so a bucket is looked up when it is used,
 * and a full one need not be kept.
 */
export class RateBuckets implements Allowances {
  readonly #buckets = new Map<string, RateBucket>()
  readonly #timing: Timing

  constructor(timing: Timing) {
    this.#timing = timing
  }

  of(key: string, limit: RateLimit): Allowance {
    return {
      acquire: (cost, signal, options) => this.#bucket(key, limit).acquire(cost, signal, options),
      pause: (milliseconds) => this.#bucket(key, limit).pause(milliseconds),
      noteRemaining: (calls, untilReset) => this.#bucket(key, limit).noteRemaining(calls, untilReset),
    }
  }

  get size(): number {
    return this.#buckets.size
  }

  #bucket(key: string, limit: RateLimit): RateBucket {
    const known = this.#buckets.get(key)
    if (known) return known
    if (this.#buckets.size >= MAX_BUCKETS) {
      for (const [other, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(other)
    }
    const bucket = new RateBucket(limit, this.#timing)
    this.#buckets.set(key, bucket)
    return bucket
  }
}
