// Buffers and settings of one boosting fit. Rows are numbered by *place*: training rows first, then the rows that are
// only predicted (test or validation).
//
// Gradients are whole numbers: scaled by `scale` and rounded, so that every sum is exact and does not depend on its
// order. One i64 holds a row's gradient (high half, signed) and hessian (low half): a histogram update is one addition.

export const BINS: i32 = 256
export const MISSING: i32 = 255
/** Up to this many rows a node is searched by sorting its rows instead of by histograms. */
export const SORTED_ROWS: i32 = 64

/** u8 codes, column after column (`places` apart) and row after row (`rowBytes` apart). */
export let columnCodes: usize = 0
export let rowCodes: usize = 0
export let places: i32 = 0
export let rowBytes: usize = 0
/** u8 per training row. */
export let labels: usize = 0
/** f64 per place: the log-odds so far. */
export let margins: usize = 0
/** i64 per training row: gradient << 32 + hessian. */
export let gradients: usize = 0
/** u32 lists of places, two of each: a split writes its children into the other one. */
export let learnedA: usize = 0
export let learnedB: usize = 0
export let routedA: usize = 0
export let routedB: usize = 0
/** u16 per column of this round. */
export let roundColumns: usize = 0
/** Histograms, one slot per level: 256 i64 per column of the round. */
export let histograms: usize = 0
/** Scratch of the sorted search, see sorted-node.ts. */
export let sortScratch: usize = 0
/** 32 bytes per node, see tree.ts. */
export let nodes: usize = 0

export let trainRows: i32 = 0
export let columnCount: i32 = 0
export let binCount: i32 = 0
export let scale: f64 = 0
export let eta: f64 = 0
/** In units of `scale`, like all sums. */
export let lambda: f32 = 0
export let minGain: f32 = 0
export let minChildWeight: f32 = 0
export let maxDepth: i32 = 0

export function setBuffers(
  columnsAt: usize, rowsAt: usize, bytesPerRow: usize, labelsAt: usize, marginsAt: usize, gradientsAt: usize,
  learned0: usize, learned1: usize, routed0: usize, routed1: usize, roundColumnsAt: usize, histogramsAt: usize,
  sortScratchAt: usize, nodesAt: usize,
): void {
  columnCodes = columnsAt
  rowCodes = rowsAt
  rowBytes = bytesPerRow
  labels = labelsAt
  margins = marginsAt
  gradients = gradientsAt
  learnedA = learned0
  learnedB = learned1
  routedA = routed0
  routedB = routed1
  roundColumns = roundColumnsAt
  histograms = histogramsAt
  sortScratch = sortScratchAt
  nodes = nodesAt
}

export function setFit(
  trainCount: i32, placeCount: i32, bins: i32, gradientScale: f64, learningRate: f64, regularisation: f64, leastGain: f64,
  leastChildWeight: f64, depth: i32,
): void {
  trainRows = trainCount
  places = placeCount
  binCount = (bins + 3) & ~3
  scale = gradientScale
  eta = learningRate
  lambda = <f32>(regularisation * gradientScale)
  minGain = <f32>(leastGain * gradientScale)
  minChildWeight = <f32>(leastChildWeight * gradientScale)
  maxDepth = depth
}

export function setRoundColumns(count: i32): void {
  columnCount = count
}

// @ts-ignore: decorator
@inline
export function roundColumn(index: i32): i32 {
  return <i32>load<u16>(roundColumns + (<usize>index << 1))
}
