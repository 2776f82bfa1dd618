import type { Timing } from '../src/adapters/http/transport.ts'

interface Sleeper {
  readonly wakeAt: number
  readonly wake: () => void
}

/** A clock that several processes have in common: it moves on to the next alarm when all of them sleep. */
export class SharedClock {
  #now: number
  #awake: number
  #sleepers: Sleeper[] = []

  constructor(start: number, processes: number) {
    this.#now = start
    this.#awake = processes
  }

  now = (): number => this.#now

  timing(): Timing {
    return {
      now: this.now,
      sleep: (milliseconds) =>
        new Promise((wake) => {
          this.#sleepers.push({ wakeAt: this.#now + Math.max(0, milliseconds), wake })
          this.#awake--
          this.#moveOn()
        }),
      timeout: () => new AbortController().signal,
    }
  }

  /** A process that has nothing more to do keeps no other one waiting. */
  leave(): void {
    this.#awake--
    this.#moveOn()
  }

  #moveOn(): void {
    if (this.#awake > 0 || this.#sleepers.length === 0) return
    this.#now = Math.min(...this.#sleepers.map(({ wakeAt }) => wakeAt))
    const due = this.#sleepers.filter(({ wakeAt }) => wakeAt <= this.#now)
    this.#sleepers = this.#sleepers.filter(({ wakeAt }) => wakeAt > this.#now)
    this.#awake += due.length
    for (const { wake } of due) wake()
  }
}
