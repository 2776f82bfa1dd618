// A long fit asks its host now and then whether it should stop.

// @ts-ignore: decorator
@external("host", "isCancelled")
declare function isCancelled(): bool

/** About a millisecond or two of work, in row visits. */
const VISITS_BETWEEN_QUESTIONS: i32 = 500_000

let visits: i32 = 0
let stopped: bool = false

/** Counts work done; true once the fit is cancelled. */
export function shouldStop(moreVisits: i32): bool {
  visits += moreVisits
  if (visits < VISITS_BETWEEN_QUESTIONS) return stopped
  visits = 0
  stopped = stopped || isCancelled()
  return stopped
}

export function wasStopped(): bool {
  return stopped
}

export function clearStop(): void {
  stopped = false
  visits = 0
}
