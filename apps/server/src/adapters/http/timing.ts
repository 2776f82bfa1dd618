import { setTimeout as wait } from 'node:timers/promises'
import type { UtcMillis } from '@tradewright/core/time'

/** All waiting that an adapter does, passed in so that a test can make a minute pass at once. */
export interface Timing {
  now(): UtcMillis
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
  /** A signal that aborts after so many milliseconds. */
  timeout(milliseconds: number): AbortSignal
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await wait(milliseconds, undefined, { signal })
    } catch (error) {
      // Node rejects with an AbortError of its own; callers promised their signal's reason.
      signal.throwIfAborted()
      throw error
    }
  },
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
}
