// Where everything lies in a thread's scratch memory, and what the fit's settings are.
//
// A forest grows in two tiers that give the same trees to the last bit:
//   block: a node of weight <= BLOCK_WEIGHT with all its rows copied into a small column-major block of code bytes;
//   top:   heavier nodes, on the rows of the whole fit.
// Weight is the number of bootstrap draws, so a small training set starts in the block tier right away.
//
// Words used below: a *bag row* is a training row with its number of draws; a *routed row* is one whose probability is
// wanted (a test row, or a training row outside the bag) and which is sent down the tree while the tree grows.

/** Heaviest node of the block tier: count and weight take 11 bits of a packed sum, the lighter class 10. */
export const BLOCK_WEIGHT: i32 = 2047
/** Most routed rows of a block. */
export const BLOCK_ROUTED: i32 = 2048
/** Rows of a block at most: bag rows first, then routed rows. A multiple of 16. */
export const BLOCK_ROWS: i32 = 4096
/** A bag row's draws fit 7 bits, so that draws and label share a byte. */
export const MOST_DRAWS: u32 = 127
/** Most columns of a fit. */
export const MOST_COLUMNS: i32 = 4096

export const TABLE_BINS: i32 = 256

// Offsets from `scratch`.
/** Two interleaved lists of 64 sort keys (u16). */
export const KEYS: usize = 0
/** The node's best split so far, one candidate per vector lane. */
export const BEST_SCORE: usize = 320
export const BEST_KEY: usize = 336
export const BEST_LEFT: usize = 352
/** The same for the second of two columns that are sorted together. */
export const SECOND_SCORE: usize = 368
export const SECOND_KEY: usize = 384
export const SECOND_LEFT: usize = 400
/** Histograms: four of 256 i32 (block) or four of 256 i64 (top). All zero between nodes. */
export const TABLES: usize = 512
/** 256 i64: the packed sum that a payload byte (draws << 1 | label) adds to a top histogram. */
export const SHARES: usize = TABLES + 4 * 256 * 8
/** u16 per column: the identity between nodes; its first entries are the drawn columns while a node is searched. */
export const ORDER: usize = SHARES + 256 * 8
/** u16 per draw: what it swapped with, to restore ORDER. */
export const SWAPS: usize = ORDER + 2 * 4096
/** Pending right children of the block tier. */
export const BLOCK_STACK: usize = SWAPS + 2 * 4096
export const STACK_ENTRY: usize = 40
/** i32 per bag row of the block: 1 << 21 | draws << 10 | draws of the lighter class. */
export const PACKED: usize = BLOCK_STACK + 40 * 2048
/** u8 per bag row: draws << 1 | belongs to the lighter class. */
export const PAYLOAD: usize = PACKED + 4 * 2048
/** u8 per training row of a small fit: draws, and label. */
export const DRAWS: usize = PAYLOAD + 2048
export const LABELS: usize = DRAWS + 2048
/** u16 lists of block rows, two of each: every split writes its children into the other one. */
export const BAG_0: usize = LABELS + 2048
export const BAG_1: usize = BAG_0 + 2 * 2048 + 64
export const ROUTED_0: usize = BAG_1 + 2 * 2048 + 64
export const ROUTED_1: usize = ROUTED_0 + 2 * 4096 + 64
/** f64 per block row: sum of the leaf fractions it reached. */
export const SUMS: usize = ROUTED_1 + 2 * 4096 + 64
/** u32 per block row: its place among the fit's rows (top tier only). */
export const TARGETS: usize = SUMS + 8 * 4096
/** Code bytes of the block, column after column, `blockStride` apart. */
export const BLOCK_CODES: usize = TARGETS + 4 * 4096

export let scratch: usize = 0
export let blockStride: usize = 0

// Settings of the fit.
export let columnCount: i32 = 0
/** How many columns a node looks at (scikit-learn's max_features). */
export let candidates: i32 = 0
export let minLeaf: i32 = 0
/** Smallest node worth searching: max(min_samples_split, 2 * min_samples_leaf). */
export let minNode: i32 = 0
/** Codes in use, rounded up to a multiple of 16. */
export let binCount: i32 = 0
/** Where the tree's nodes are written, or 0: then nodes that no routed row reaches are not even grown. */
export let nodes: usize = 0

export function configure(
  scratchAt: usize, columns: i32, candidateCount: i32, smallestLeaf: i32, smallestNode: i32, bins: i32, nodesAt: usize,
): void {
  scratch = scratchAt
  columnCount = columns
  candidates = candidateCount
  minLeaf = smallestLeaf
  minNode = smallestNode
  binCount = (bins + 15) & ~15
  nodes = nodesAt
  memory.fill(scratchAt + TABLES, 0, 4 * 256 * 8)
  for (let column = 0; column < columns; column++) store<u16>(scratchAt + ORDER + (<usize>column << 1), <u16>column)
  for (let payload = 0; payload < 256; payload++) {
    const draws = <u64>(payload >> 1)
    store<u64>(scratchAt + SHARES + (<usize>payload << 3), (<u64>1 << 42) | (draws << 21) | (payload & 1 ? draws : 0))
  }
}

export function setBlockStride(stride: usize): void {
  blockStride = stride
}

/** Sizes for the host's memory plan. */
export function blockCodesOffset(): usize {
  return BLOCK_CODES
}
export function labelsOffset(): usize {
  return LABELS
}
export function sumsOffset(): usize {
  return SUMS
}
export function drawsOffset(): usize {
  return DRAWS
}
