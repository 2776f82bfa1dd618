import { SECOND } from '@tradewright/core/time'
import { setTimeout as wait } from 'node:timers/promises'

/** What is under way and takes longer must not delay the end: another process takes it up again. */
const CLOSE_WITHIN_MS = 3 * SECOND

/** Work that a process looks for at an interval, one poll at a time, until it closes. */
export abstract class Poller {
  readonly #intervalMs: number
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #work: Promise<void> | undefined

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  /** Does what is due. A failure is its own to handle: the next poll comes either way. */
  protected abstract workOnce(): Promise<void>

  protected get isClosed(): boolean {
    return this.#isClosed
  }

  start(): void {
    const loop = async () => {
      await this.poll()
      if (!this.#isClosed) this.#timer = setTimeout(() => void loop(), this.#intervalMs).unref()
    }
    void loop()
  }

  /** One poll; joins the one that is under way. */
  async poll(): Promise<void> {
    this.#work ??= this.workOnce().finally(() => (this.#work = undefined))
    await this.#work
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.race([this.#work, wait(CLOSE_WITHIN_MS, undefined, { ref: false })])
  }
}
