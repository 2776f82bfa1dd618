/** Time is passed in, so that a test or a simulated month decides what "now" is. */
export interface Clock {
  now(): Date
}

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  #now: number

  constructor(start: Date) {
    this.#now = start.getTime()
  }

  now(): Date {
    return new Date(this.#now)
  }

  /** As the clock of a machine that was wrong is set right: it may go back. */
  jumpTo(at: Date): void {
    this.#now = at.getTime()
  }

  advance(milliseconds: number): void {
    if (milliseconds < 0) throw new RangeError('time does not run backwards')
    this.#now += milliseconds
  }
}
