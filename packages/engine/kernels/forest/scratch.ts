// Where everything lies in a thread's scratch memory, and what the fit's settings are.
//
// A forest grows in two tiers that give the same trees to the last bit:
//   block: a node of weight <= BLOCK_WEIGHT with all its rows copied into a small column-major block of code bytes;
//   top:   heavier nodes, on the rows of the whole fit.
// Weight is the number of bootstrap draws, so a small training set starts in the block tier right away.
//
// Words used below: a *bag row* is a training row with its number of draws; a *routed row* is one whose probability is
// wanted (a test row, or a training row outside the bag) and which is sent down the tree while the tree grows.

import { CONSTANTS_END, writeConstants } from './constants'

/** Heaviest node of the block tier: count and weight take 11 bits of a packed sum, the lighter class 10. */
export const BLOCK_WEIGHT: i32 = 2047
/** Most routed rows of a block. */
export const BLOCK_ROUTED: i32 = 2048
/** Rows of a block at most: bag rows first, then routed rows. A multiple of 16. */
export const BLOCK_ROWS: i32 = 4096
/** A bag row's draws fit 7 bits, so that draws and label share a byte. */
export const MAX_DRAWS: u32 = 127
/** Most columns of a fit. */
export const MAX_COLUMNS: i32 = 4096

export const TABLE_BINS: i32 = 256

// Offsets from `scratch`. What loops reach by an offset from it lies first: a short one is part of the instruction.
/** u8 per mask of eight bits: how many are set; and how many are not. */
export const CHOICE_COUNTS: usize = CONSTANTS_END
/** Sort keys (u16) of up to four columns, at most 32 registers, with a register of room before and after them. */
export const KEYS: usize = CHOICE_COUNTS + 512 + 16
/** Per register of a search, u16: draws of the rows on the outer side of each cut, and their running difference. */
export const OUTER_WEIGHTS: usize = KEYS + 32 * 16 + 16
export const OUTER_DIFFERENCES: usize = OUTER_WEIGHTS + 32 * 16
/**
 * i32: the packed sums up to the end of each run of up to four histograms, 16 each, with a 0 and 12 bytes before.
 * Behind them, three times in the same way, f32 that are made of these sums.
 */
export const RUN_ENDS: usize = OUTER_DIFFERENCES + 32 * 16 + 16
/** Histograms: four of 256 i32 (block) or four of 256 i64 (top). All zero between nodes. */
export const TABLES: usize = RUN_ENDS + 4 * 4 * 80
/** 256 i64: the packed sum that a payload byte (draws << 1 | label) adds to a top histogram. */
export const INCREMENTS: usize = TABLES + 4 * 256 * 8
/**
 * 256 x 32 bytes: for each mask of eight list entries, where to take those from whose bit is set, in their order, and
 * where to take the others from.
 */
export const CHOICES: usize = INCREMENTS + 256 * 8
/** u8 per column, rounded up to whole registers: the highest code of a bag row of the block. */
export const HIGHEST_CODES: usize = CHOICES + 256 * 32
/** u16 per column: the identity between nodes. */
export const ORDER: usize = HIGHEST_CODES + 8192
/** u16 per draw of a node: its column. */
export const DRAWN: usize = ORDER + 2 * 4096
/** i32 per bag row of the block: 1 << 21 | draws << 10 | draws of the lighter class. */
export const PACKED: usize = DRAWN + 2 * 4096
/** u8 per training row of a small fit: draws, and label. */
export const DRAWS: usize = PACKED + 4 * 2048
export const LABELS: usize = DRAWS + 2048 + 16
/**
 * u16 lists of block rows, each sixteen times its number: where its record lies, if that takes sixteen bytes. Those of
 * a node lie next to each other. A split leaves one child where its node was and puts the
 * other one, which waits for its turn, behind all others. Every child starts at a multiple of 8, so that eight entries
 * can be read and written at once: room for 4,096 rows twice and for 2,048 waiting children.
 */
export const BAG: usize = LABELS + 2048 + 16
const LIST_BYTES: usize = 2 * (2 * 4096 + 8 * 2048 + 16)
export const ROUTED: usize = BAG + LIST_BYTES
/** Pending children of the block tier. */
export const BLOCK_STACK: usize = ROUTED + LIST_BYTES
export const STACK_ENTRY: usize = 40
/** f64 per block row: sum of the leaf fractions it reached. */
export const SUMS: usize = BLOCK_STACK + 40 * 2048
/** u32 per block row: its place among the fit's rows (top tier only). */
export const TARGETS: usize = SUMS + 8 * 4096
/**
 * Records of the block's rows, 1 << recordShift bytes each: the codes of its columns and in the last byte, for a bag
 * row, belongs to the lighter class << 7 | draws.
 */
export const RECORDS: usize = TARGETS + 4 * 4096

export let scratch: usize = 0
export let recordShift: usize = 0

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
  if (scratchAt != scratch) {
    scratch = scratchAt
    writeConstants(scratchAt)
    writeChoices()
    writeIncrements()
  }
  columnCount = columns
  recordShift = recordShiftFor(columns)
  candidates = candidateCount
  minLeaf = smallestLeaf
  minNode = smallestNode
  binCount = (bins + 15) & ~15
  nodes = nodesAt
  memory.fill(scratchAt + TABLES, 0, 4 * 256 * 8)
  memory.fill(scratchAt + RUN_ENDS - 16, 0, 4 * 4 * 80)
  // Entries beyond a list's end are read too, and must name rows of this fit.
  memory.fill(scratchAt + BAG, 0, 2 * LIST_BYTES)
  for (let column = 0; column < columns; column++) store<u16>(scratchAt + ORDER + (<usize>column << 1), <u16>column)
}

/** At least 16 bytes, so that a record of up to 15 columns fits one register. */
function recordShiftFor(columns: i32): usize {
  return <usize>max<i32>(4, 32 - clz<i32>(columns))
}

/** Beyond the chosen entries a list names row 0 or another entry's row. */
function writeChoices(): void {
  memory.fill(scratch + CHOICES, 0xff, 256 * 32)
  for (let mask = 0; mask < 256; mask++) {
    const choice = scratch + CHOICES + (<usize>mask << 5)
    const count = scratch + CHOICE_COUNTS + <usize>mask
    store<u8>(count, <u8>writeChoice(mask, choice))
    store<u8>(count, <u8>writeChoice(mask ^ 0xff, choice + 16), 256)
  }
}

function writeChoice(mask: i32, choice: usize): i32 {
  let count = 0
  for (let entry = 0; entry < 8; entry++) {
    store<u16>(choice + (<usize>count << 1), <u16>(0x0100 + 0x0202 * entry))
    count += (mask >> entry) & 1
  }
  return count
}

function writeIncrements(): void {
  for (let payload = 0; payload < 256; payload++) {
    const draws = <u64>(payload >> 1)
    store<u64>(scratch + INCREMENTS + (<usize>payload << 3), (<u64>1 << 42) | (draws << 21) | (payload & 1 ? draws : 0))
  }
}

/** To be called when the first `bagRows` records of the block are filled. */
export function findHighestCodes(bagRows: i32): void {
  const bytes = <usize>1 << recordShift
  for (let offset: usize = 0; offset < bytes; offset += 16) {
    let highest = i8x16.splat(0)
    let at = scratch + RECORDS + offset
    for (let row = 0; row < bagRows; row++, at += bytes) highest = i8x16.max_u(highest, v128.load(at))
    v128.store(scratch + offset, highest, HIGHEST_CODES)
  }
}

/** Sizes for the host's memory plan. */
export function recordsOffset(): usize {
  return RECORDS
}
export function recordBytes(columns: i32): i32 {
  return 1 << <i32>recordShiftFor(columns)
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
