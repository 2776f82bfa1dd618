// Buffers and settings of one boosting fit. Rows are numbered by *place*: training rows first, then the rows that are
// only predicted (test or validation).
//
// Gradients are whole numbers: scaled by `scale` and rounded, so that every sum is exact and does not depend on its
// order. One i64 holds a row's gradient (high half, signed) and hessian (low half): a histogram update is one addition.

export const BINS: i32 = 256
export const MISSING: i32 = 255
/** Up to this many rows a node is searched by sorting its rows instead of by histograms. */
export const SORTED_ROWS: i32 = 64

/** Rows that are divided, or added to all columns, before the next ones are looked at: they stay in the nearest cache. */
export const CHUNK_ROWS: i32 = 512

/** u8 codes, row after row, `rowBytes` apart. */
export let rowCodes: usize = 0
export let rowBytes: usize = 0
/** A bit per training row. */
export let labels: usize = 0
/** f64 per place: the log-odds so far. */
export let margins: usize = 0
/** i64 per training row: gradient << 32 + hessian. */
export let gradients: usize = 0
/**
 * Two u32 lists of places: first those that teach the round's tree, then those that only follow it. A split writes its
 * children into the other list.
 */
export let placesA: usize = 0
export let placesB: usize = 0
/** u16 per column of this round. */
export let roundColumns: usize = 0
/** Histograms, one slot per level: 256 i64 per column of the round. */
export let histograms: usize = 0
/** i64 per row of a chunk, see histogram.ts. */
export let chunkValues: usize = 0
/** Scratch of sorted-node.ts, gradient.ts and divide.ts, one behind the other. */
export let scratch: usize = 0
/** 32 bytes per node, see tree.ts. */
export let nodes: usize = 0

export let trainRows: i32 = 0
/** The columns that this round uses. */
export let columnCount: i32 = 0
export let roundTakesAll: bool = false
export let binCount: i32 = 0
export let scale: f64 = 0
export let eta: f64 = 0
/** In units of `scale`, like all sums. */
export let lambda: f32 = 0
export let minGain: f32 = 0
export let minChildWeight: f32 = 0
export let maxDepth: i32 = 0

export function setBuffers(
  rowsAt: usize, bytesPerRow: usize, labelsAt: usize, marginsAt: usize, gradientsAt: usize, places0: usize,
  places1: usize, roundColumnsAt: usize, histogramsAt: usize, chunkValuesAt: usize, scratchAt: usize, nodesAt: usize,
): void {
  rowCodes = rowsAt
  rowBytes = bytesPerRow
  labels = labelsAt
  margins = marginsAt
  gradients = gradientsAt
  placesA = places0
  placesB = places1
  roundColumns = roundColumnsAt
  histograms = histogramsAt
  chunkValues = chunkValuesAt
  scratch = scratchAt
  nodes = nodesAt
}

export function setFit(
  trainCount: i32, bins: i32, gradientScale: f64, learningRate: f64, regularisation: f64, leastGain: f64,
  leastChildWeight: f64, depth: i32,
): void {
  trainRows = trainCount
  binCount = (bins + 15) & ~15
  scale = gradientScale
  eta = learningRate
  lambda = <f32>(regularisation * gradientScale)
  minGain = <f32>(leastGain * gradientScale)
  // No child without a row: every row's hessian is at least 1.
  minChildWeight = max<f32>(1, <f32>(leastChildWeight * gradientScale))
  maxDepth = depth
}

export function setRoundColumns(count: i32, all: bool): void {
  columnCount = count
  roundTakesAll = all
}

export function roundColumn(index: i32): usize {
  return <usize>load<u16>(roundColumns + (<usize>index << 1))
}
