// Buffers of a large fit. Its rows are numbered by *place*: training rows first, then test rows.
// The codes lie row after row, so that a histogram reads several columns of a row from one cache line. All threads of a
// fit share them.

/** u8, `rowBytes` per place. */
export let rowCodes: usize = 0
export let rowBytes: usize = 0
/** u8 per training row, shared. */
export let trainLabels: usize = 0

// Each thread has its own of all that follows:
/** u8 per training row: draws of the current tree. */
export let trainDraws: usize = 0
/** u32 lists: place << 8 | draws << 1 | label. */
export let bagA: usize = 0
export let bagB: usize = 0
/** u32 lists of places. */
export let routedA: usize = 0
export let routedB: usize = 0
/** f64 per routed place, counted from `firstRouted`. */
export let routedSums: usize = 0
export let firstRouted: usize = 0
export let topStack: usize = 0
export let topStackEnd: usize = 0

export function setSharedCodes(rowsAt: usize, bytesPerRow: usize, labels: usize): void {
  rowCodes = rowsAt
  rowBytes = bytesPerRow
  trainLabels = labels
}

export function setThreadLists(
  draws: usize, bag0: usize, bag1: usize, routed0: usize, routed1: usize, sums: usize, firstPlace: usize,
  stack: usize, stackEnd: usize,
): void {
  trainDraws = draws
  bagA = bag0
  bagB = bag1
  routedA = routed0
  routedB = routed1
  routedSums = sums
  firstRouted = firstPlace
  topStack = stack
  topStackEnd = stackEnd
}
