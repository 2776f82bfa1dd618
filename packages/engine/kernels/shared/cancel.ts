// A long fit asks its host now and then whether it should stop.
//
// Work is counted in visits: a row of one column, or a bin. Every loop over rows or bins counts what it did. A stretch
// of work between two questions is at most QUESTION_AFTER and then one step more: a pass over the rows of eight columns,
// or the search of a block (2,047 rows and 256 bins) in all columns.

// @ts-ignore: decorator
@external("host", "isCancelled")
declare function isCancelled(visits: i32): bool

/** About a millisecond of work. */
const QUESTION_AFTER: i32 = 500_000

let visits: i32 = 0
let stopped: bool = false

export function countVisits(more: i32): void {
  visits += more
}

/** True once the fit is cancelled. */
export function shouldStop(): bool {
  return visits < QUESTION_AFTER ? stopped : ask()
}

function ask(): bool {
  if (!stopped) stopped = isCancelled(visits)
  visits = 0
  return stopped
}

export function wasStopped(): bool {
  return stopped
}

export function clearStop(): void {
  stopped = false
  visits = 0
}
