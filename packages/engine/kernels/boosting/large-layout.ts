// Buffers of a large fit: one of so many rows that a gradient fits 16 bits (`gradientScale` of rounds.ts). Such rows leave
// the near caches, so they are laid out twice if there is memory for it: column after column for dividing them, which reads
// one byte per row, and as records for histograms, which read a whole row. If there is not, records serve for both, and
// lists are divided in place.
//
// With several threads each has a memory of its own with its share of the training rows; the first one has all rows that
// are only predicted. Places count the thread's own rows.

/** u8 codes of all places, column after column, `placeCount` apart; 0 when only records are there. */
let columnCodes: usize = 0
export let placeCount: usize = 0
/**
 * A record per training row, or per place when only records are there, `recordBytes` apart: a code per column, then, from
 * `gradientAt` on, the i32 gradient << 16 + hessian. Behind the last one there is room for another.
 */
export let records: usize = 0
export let recordBytes: usize = 0
export let gradientAt: usize = 0
/** A bit per training row. */
export let recordLabels: usize = 0
/** f64 per place: the log-odds so far. */
export let placeMargins: usize = 0
/** Two u32 lists of places, as in layout.ts; one and the same when lists are divided in place. */
export let listA: usize = 0
export let listB: usize = 0
/** Three chunks of places, see division.ts. */
export let chunkPlaces: usize = 0
/** Histograms of the other threads, one behind the other. */
export let otherHistograms: usize = 0
export let otherThreads: i32 = 0

export function setLargeBuffers(
  columnCodesAt: usize, places: usize, recordsAt: usize, bytesPerRecord: usize, labelsAt: usize,
  marginsAt: usize, list0: usize, list1: usize, chunkPlacesAt: usize, otherHistogramsAt: usize, otherThreadCount: i32,
): void {
  columnCodes = columnCodesAt
  placeCount = places
  records = recordsAt
  recordBytes = bytesPerRecord
  gradientAt = bytesPerRecord - 4
  recordLabels = labelsAt
  placeMargins = marginsAt
  listA = list0
  listB = list1
  chunkPlaces = chunkPlacesAt
  otherHistograms = otherHistogramsAt
  otherThreads = otherThreadCount
}

export function recordOf(place: usize): usize {
  return records + place * recordBytes
}

/** Where the codes of a column begin, those of place 0. */
export function codesOf(column: usize): usize {
  return columnCodes == 0 ? records + column : columnCodes + column * placeCount
}

/** How far the codes of neighbouring places lie apart. */
export function codeStride(): usize {
  return columnCodes == 0 ? recordBytes : 1
}

/** A record's gradient as layout.ts has it: i64 gradient << 32 + hessian. */
export function widened(gradient: i32): i64 {
  return (<i64>(gradient >> 16) << 32) | <i64>(gradient & 0xffff)
}
