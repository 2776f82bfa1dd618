// Buffers of a large fit: one of so many rows that a gradient fits 16 bits (`gradientScale` of rounds.ts). Such rows leave
// the near caches, so they are laid out twice: column after column for dividing them, which reads one byte per row, and
// as records for histograms, which read a whole row.
//
// With several threads each has a memory of its own with its share of the training rows; the first one has all rows that
// are only predicted. Places count the thread's own rows.

/** u8 codes, column after column, `placeCount` apart. */
export let columnCodes: usize = 0
export let placeCount: usize = 0
/**
 * A record per training row, `recordBytes` apart: a code per column, from `gradientAt` on the i32 gradient << 16
 * + hessian. Behind the last one there is room for another.
 */
export let records: usize = 0
export let recordBytes: usize = 0
export let gradientAt: usize = 0
/** u8 per training row. */
export let recordLabels: usize = 0
/** f64 per place: the log-odds so far. */
export let placeMargins: usize = 0
/** Two u32 lists of places, as in layout.ts. */
export let listA: usize = 0
export let listB: usize = 0
/** Histograms of the other threads, one behind the other. */
export let otherHistograms: usize = 0
export let otherThreads: i32 = 0

export function setLargeBuffers(
  columnCodesAt: usize, places: usize, recordsAt: usize, bytesPerRecord: usize, gradientOffset: usize, labelsAt: usize,
  marginsAt: usize, list0: usize, list1: usize, otherHistogramsAt: usize, otherThreadCount: i32,
): void {
  columnCodes = columnCodesAt
  placeCount = places
  records = recordsAt
  recordBytes = bytesPerRecord
  gradientAt = gradientOffset
  recordLabels = labelsAt
  placeMargins = marginsAt
  listA = list0
  listB = list1
  otherHistograms = otherHistogramsAt
  otherThreads = otherThreadCount
}

// @ts-ignore: decorator
@inline
export function recordOf(place: usize): usize {
  return records + place * recordBytes
}

/** A record's gradient as layout.ts has it: i64 gradient << 32 + hessian. */
// @ts-ignore: decorator
@inline
export function widened(gradient: i32): i64 {
  return (<i64>(gradient >> 16) << 32) | <i64>(gradient & 0xffff)
}
