// Search of a node of the top tier: histograms of packed sums, one i64 per bin: rows << 42 | draws << 21 | positives.

import { countVisits, shouldStop } from '../shared/cancel'
import {
  drawColumn, drawnColumn, nodePositives, nodeRows, nodeWeight, returnColumns, setSplit,
} from './node'
import { NO_SPLIT } from './score-sorted'
import {
  binCount, BLOCK_WEIGHT, candidates, columnCount, INCREMENTS, minLeaf, scratch, TABLE_BINS, TABLES,
} from './scratch'
import { rowBytes, rowCodes } from './top-layout'

const TABLE_BYTES: usize = <usize>TABLE_BINS << 3
const FIELD: u64 = 0x1fffff

let bestScore: f64 = 0
let bestKey: i32 = 0
let bestLeft: u64 = 0
/** Halfway between the last code on the left and the first on the right. */
let bestCut: i32 = 0

function add(table: usize, code: usize, increment: u64): void {
  const bin = table + (code << 3)
  store<u64>(bin, load<u64>(bin) + increment)
}

function fillFourTables(bag: usize, rows: i32, draw: i32): void {
  const table = scratch + TABLES
  const increments = scratch + INCREMENTS
  const a = rowCodes + <usize>drawnColumn(draw)
  const b = rowCodes + <usize>drawnColumn(draw + 1)
  const c = rowCodes + <usize>drawnColumn(draw + 2)
  const d = rowCodes + <usize>drawnColumn(draw + 3)
  for (let at = bag, end = bag + (<usize>rows << 2); at < end; at += 4) {
    const entry = load<u32>(at)
    const row = <usize>(entry >> 8) * rowBytes
    const increment = load<u64>(increments + (<usize>(entry & 0xff) << 3))
    add(table, load<u8>(a + row), increment)
    add(table + TABLE_BYTES, load<u8>(b + row), increment)
    add(table + 2 * TABLE_BYTES, load<u8>(c + row), increment)
    add(table + 3 * TABLE_BYTES, load<u8>(d + row), increment)
  }
}

function fillTable(bag: usize, rows: i32, draw: i32): void {
  const table = scratch + TABLES
  const increments = scratch + INCREMENTS
  const codes = rowCodes + <usize>drawnColumn(draw)
  for (let at = bag, end = bag + (<usize>rows << 2); at < end; at += 4) {
    const entry = load<u32>(at)
    const increment = load<u64>(increments + (<usize>(entry & 0xff) << 3))
    add(table, load<u8>(codes + <usize>(entry >> 8) * rowBytes), increment)
  }
}

/** The block tier's score, in single precision as there when the node is light enough for it, else in double. */
function purity(left: i32, leftPositives: i32): f64 {
  const difference = <f64>leftPositives * <f64>nodeWeight - <f64>left * <f64>nodePositives
  const sides = <f64>left * <f64>(nodeWeight - left)
  if (nodeWeight > BLOCK_WEIGHT) return (difference * difference) / sides
  return <f64>(<f32>(difference * difference) / <f32>sides)
}

/** Considers the cut after every bin and empties the table; returns how many codes the node holds. */
function scanTable(table: usize, draw: i32): i32 {
  let left: u64 = 0
  let codes = 0
  let justBest = false
  for (let code = 0; code < binCount; code++) {
    const bin = table + (<usize>code << 3)
    const increment = load<u64>(bin)
    if (increment == 0) continue
    store<u64>(bin, 0)
    if (justBest) bestCut = ((bestKey & 0xff) + code) >> 1
    justBest = false
    left += increment
    codes += 1
    const rows = <i32>(left >> 42)
    if (rows < minLeaf || nodeRows - rows < minLeaf) continue
    const score = purity(<i32>((left >> 21) & FIELD), <i32>(left & FIELD))
    if (score > bestScore) {
      bestScore = score
      bestKey = (draw << 16) | code
      bestLeft = left
      justBest = true
    }
  }
  return codes
}

/** Finds the node's best split; false when there is none, or when the fit was cancelled before. */
export function searchTopNode(bag: usize): bool {
  const table = scratch + TABLES
  bestScore = -1
  bestKey = NO_SPLIT
  let drawn = 0
  let anyVaries = false
  while (drawn < columnCount && (drawn < candidates || !anyVaries)) {
    const together = drawn + 4 <= candidates ? 4 : 1
    for (let i = 0; i < together; i++) drawColumn(drawn + i)
    if (together == 4) fillFourTables(bag, nodeRows, drawn)
    else fillTable(bag, nodeRows, drawn)
    for (let i = 0; i < together; i++) {
      if (scanTable(table + <usize>i * TABLE_BYTES, drawn + i) > 1) anyVaries = true
    }
    drawn += together
    countVisits(together * nodeRows)
    if (shouldStop()) break
  }
  if (bestKey != NO_SPLIT) {
    setSplit(
      drawnColumn(bestKey >> 16), bestCut,
      <i32>(bestLeft >> 42), <i32>((bestLeft >> 21) & FIELD), <i32>(bestLeft & FIELD),
    )
  }
  returnColumns()
  return bestKey != NO_SPLIT
}
