import type { UtcMillis } from '@tradewright/core/time'
import type { Timing } from './timing.ts'
import { untilAborted } from './until-aborted.ts'

export interface RateLimit {
  readonly calls: number
  readonly windowMillis: number
}

/** What a client may spend of a vendor's allowance. */
export interface Allowance {
  /** Waits until `cost` tokens are free and spends them. An aborted caller leaves the queue at once and spends none. */
  take(cost: number, signal: AbortSignal): Promise<void>
  /** After a 429 nobody who shares the key has any luck before then. */
  pause(milliseconds: number): void
}

/**
 * Tokens that return one window after they were spent, so that no window of that length, wherever it begins, holds
 * more calls than allowed. (A bucket that refills steadily would allow twice as many in its first minute.)
 * Callers are served in the order they came.
 */
export class RateBucket implements Allowance {
  readonly #limit: RateLimit
  readonly #timing: Timing
  #spent: { at: UtcMillis; cost: number }[] = []
  #pausedUntil = 0
  #waiting = 0
  #queue: Promise<void> = Promise.resolve()

  constructor(limit: RateLimit, timing: Timing) {
    this.#limit = limit
    this.#timing = timing
  }

  async take(cost: number, signal: AbortSignal): Promise<void> {
    if (cost > this.#limit.calls) throw new RangeError(`a call of cost ${cost} never fits ${this.#limit.calls} tokens`)
    signal.throwIfAborted()
    this.#waiting++
    const turn = this.#queue.then(() => this.#spend(cost, signal)).finally(() => this.#waiting--)
    this.#queue = turn.catch(() => undefined)
    await untilAborted(turn, signal)
  }

  /** Whether a new bucket in its place would behave the same. */
  get isFull(): boolean {
    const now = this.#timing.now()
    return (
      this.#waiting === 0 &&
      this.#pausedUntil <= now &&
      this.#spent.every(({ at }) => at + this.#limit.windowMillis <= now)
    )
  }

  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#timing.now() + milliseconds)
  }

  async #spend(cost: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const wait = this.#waitMillis(cost)
      if (wait <= 0) break
      await this.#timing.sleep(wait, signal)
    }
    this.#spent.push({ at: this.#timing.now(), cost })
  }

  #waitMillis(cost: number): number {
    const now = this.#timing.now()
    const { calls, windowMillis } = this.#limit
    this.#spent = this.#spent.filter(({ at }) => at + windowMillis > now)
    let excess = cost - calls
    for (const spent of this.#spent) excess += spent.cost
    let freeAt = this.#pausedUntil
    for (const spent of this.#spent) {
      if (excess <= 0) break
      excess -= spent.cost
      freeAt = Math.max(freeAt, spent.at + windowMillis)
    }
    return freeAt - now
  }
}

/** So many buckets may lie around before those that are full are thrown away. */
const KEPT = 100

/**
 * One bucket per key: everything in the process that spends one vendor's allowance shares it. Keys that users bring
 * come and go, so a bucket is looked up when it is used, and a full one need not be kept.
 */
export class RateBuckets {
  readonly #buckets = new Map<string, RateBucket>()
  readonly #timing: Timing

  constructor(timing: Timing) {
    this.#timing = timing
  }

  of(key: string, limit: RateLimit): Allowance {
    return {
      take: (cost, signal) => this.#bucket(key, limit).take(cost, signal),
      pause: (milliseconds) => this.#bucket(key, limit).pause(milliseconds),
    }
  }

  get size(): number {
    return this.#buckets.size
  }

  #bucket(key: string, limit: RateLimit): RateBucket {
    const known = this.#buckets.get(key)
    if (known) return known
    if (this.#buckets.size >= KEPT) {
      for (const [other, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(other)
    }
    const bucket = new RateBucket(limit, this.#timing)
    this.#buckets.set(key, bucket)
    return bucket
  }
}
