import type { Timing } from '../src/adapters/http/transport.ts'

/** Time that passes only during a sleep, and then at once. Time-outs fire when the test says so. */
export class VirtualTiming implements Timing {
  #now: number
  #timeouts = new Set<AbortController>()
  readonly slept: number[] = []

  constructor(start: string | number) {
    this.#now = typeof start === 'number' ? start : Date.parse(start)
  }

  now(): number {
    return this.#now
  }

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.slept.push(milliseconds)
    this.#now += milliseconds
    await Promise.resolve()
  }

  timeout(): AbortSignal {
    const controller = new AbortController()
    this.#timeouts.add(controller)
    return controller.signal
  }

  /** Every time-out that is running expires now. */
  expireTimeouts(): void {
    const expired = this.#timeouts
    this.#timeouts = new Set()
    for (const controller of expired) controller.abort(new DOMException('timed out', 'TimeoutError'))
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}
