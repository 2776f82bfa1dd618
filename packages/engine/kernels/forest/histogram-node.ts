// Search of a block node that is too large to sort: a histogram of packed sums per column, then a scan of its bins.
// One i32 holds rows << 21 | draws << 10 | draws of the lighter class, so that adding a row is a single addition.

import { countVisits } from '../shared/cancel'
import { NO_SPLIT } from './score-sorted'
import { purity } from './purity'
import {
  drawColumn, drawnColumn, nodePositives, nodeRows, nodeWeight, returnColumns, setSplit,
} from './node'
import {
  candidates, columnCount, HIGHEST_CODES, minLeaf, PACKED, RECORDS, recordShift, scratch, TABLE_BINS, TABLES,
} from './scratch'

const TABLE_BYTES: usize = <usize>TABLE_BINS << 2
const RUN_BYTES: usize = 64

// @ts-ignore: decorator
@inline
function add(table: usize, code: usize, value: i32): void {
  const bin = table + (code << 2)
  store<i32>(bin, load<i32>(bin) + value)
}

// @ts-ignore: decorator
@inline
function fillTable(column: usize, shift: usize, bag: usize, rows: i32): void {
  const table = scratch + TABLES
  const packed = scratch + PACKED
  for (let at = bag, end = bag + (<usize>rows << 1); at < end; at += 2) {
    const row = <usize>load<u16>(at)
    add(table, load<u8>(column + (row << shift)), load<i32>(packed + (row << 2)))
  }
}

// @ts-ignore: decorator
@inline
function fillTwoTables(first: usize, second: usize, shift: usize, bag: usize, rows: i32): void {
  const table = scratch + TABLES
  const packed = scratch + PACKED
  for (let at = bag, end = bag + (<usize>rows << 1); at < end; at += 2) {
    const row = <usize>load<u16>(at)
    const value = load<i32>(packed + (row << 2))
    add(table, load<u8>(first + (row << shift)), value)
    add(table + TABLE_BYTES, load<u8>(second + (row << shift)), value)
  }
}

// @ts-ignore: decorator
@inline
function fillThreeTables(first: usize, second: usize, third: usize, shift: usize, bag: usize, rows: i32): void {
  const table = scratch + TABLES
  const packed = scratch + PACKED
  for (let at = bag, end = bag + (<usize>rows << 1); at < end; at += 2) {
    const row = <usize>load<u16>(at)
    const value = load<i32>(packed + (row << 2))
    add(table, load<u8>(first + (row << shift)), value)
    add(table + TABLE_BYTES, load<u8>(second + (row << shift)), value)
    add(table + 2 * TABLE_BYTES, load<u8>(third + (row << shift)), value)
  }
}

// Records of sixteen bytes are the rule, and a shift that the compiler knows costs nothing.

function countInOne(column: usize, bag: usize, rows: i32): void {
  if (recordShift == 4) fillTable(column, 4, bag, rows)
  else fillTable(column, recordShift, bag, rows)
}

function countInTwo(first: usize, second: usize, bag: usize, rows: i32): void {
  if (recordShift == 4) fillTwoTables(first, second, 4, bag, rows)
  else fillTwoTables(first, second, recordShift, bag, rows)
}

function countInThree(first: usize, second: usize, third: usize, bag: usize, rows: i32): void {
  if (recordShift == 4) fillThreeTables(first, second, third, 4, bag, rows)
  else fillThreeTables(first, second, third, recordShift, bag, rows)
}

// @ts-ignore: decorator
@inline
function runningSums(v: v128): v128 {
  const zero = i32x4.splat(0)
  v = i32x4.add(v, i8x16.shuffle(zero, v, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27))
  return i32x4.add(v, i8x16.shuffle(zero, v, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23))
}

// @ts-ignore: decorator
@inline
function lastLane(v: v128): v128 {
  return i8x16.shuffle(v, v, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15)
}

let bestScore: f32 = 0
let bestKey: i32 = 0
let bestLeft: i32 = 0
/** Halfway between the last code on the left and the first on the right. */
let bestCut: i32 = 0

/** Scores of four neighbouring cuts, NaN where a side has too few rows. */
// @ts-ignore: decorator
@inline
function scoresOf(left: v128): v128 {
  const rows = i32x4.shr_u(left, 21)
  const enough = v128.and(
    i32x4.ge_s(rows, i32x4.splat(minLeaf)), i32x4.le_s(rows, i32x4.splat(nodeRows - minLeaf)),
  )
  const allowed = v128.and(left, enough)
  return purity(
    v128.and(i32x4.shr_u(allowed, 10), i32x4.splat(0x7ff)), v128.and(allowed, i32x4.splat(0x3ff)),
    f32x4.splat(<f32>nodeWeight), f32x4.splat(<f32>nodePositives),
  )
}

/** The highest of four scores, in every lane. */
// @ts-ignore: decorator
@inline
function highestOf(scores: v128): v128 {
  const ofTwo = f32x4.max(
    scores, i8x16.shuffle(scores, scores, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11),
  )
  return f32x4.max(ofTwo, i8x16.shuffle(ofTwo, ofTwo, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7))
}

/** One bit per lane. */
// @ts-ignore: decorator
@inline
function equals(scores: v128, score: v128): i32 {
  return i32x4.bitmask(f32x4.eq(scores, score))
}

/** Scores the cuts of a run exactly; of equal ones the first is the best. */
function considerRun(at: usize, key: i32): void {
  const first = scoresOf(v128.load(at))
  const second = scoresOf(v128.load(at, 16))
  const third = scoresOf(v128.load(at, 32))
  const fourth = scoresOf(v128.load(at, 48))
  // The order of the arguments matters: NaN is never larger.
  let highest = f32x4.pmax(f32x4.pmax(f32x4.splat(bestScore), first), second)
  highest = f32x4.pmax(f32x4.pmax(highest, third), fourth)
  highest = highestOf(highest)
  const score = f32x4.extract_lane(highest, 0)
  if (score == bestScore) return
  const winners =
    equals(first, highest) | (equals(second, highest) << 4) |
    (equals(third, highest) << 8) | (equals(fourth, highest) << 12)
  const winner = ctz<i32>(winners)
  bestScore = score
  bestKey = key + winner
  bestLeft = load<i32>(at + (<usize>winner << 2))
}

/** A little less than the best score, so that rounding never hides a better cut. */
// @ts-ignore: decorator
@inline
function bar(score: f32): v128 {
  return f32x4.splat(score - Mathf.abs(score) * <f32>1e-5)
}

/** Which of four cuts may beat the bar: purity's numerator > bar x denominator. Spares the division for nearly all. */
// @ts-ignore: decorator
@inline
function mayBeat(left: v128, weight: v128, positives: v128, bar: v128): v128 {
  const l = f32x4.convert_i32x4_s(v128.and(i32x4.shr_u(left, 10), i32x4.splat(0x7ff)))
  const l1 = f32x4.convert_i32x4_s(v128.and(left, i32x4.splat(0x3ff)))
  const difference = f32x4.sub(f32x4.mul(l1, weight), f32x4.mul(l, positives))
  const sides = f32x4.mul(l, f32x4.sub(weight, l))
  return f32x4.gt(f32x4.mul(difference, difference), f32x4.mul(bar, sides))
}

/** How many bins, in whole runs, the codes of a column can fill. */
// @ts-ignore: decorator
@inline
function binsOf(column: i32): i32 {
  return (<i32>load<u8>(scratch + <usize>column, HIGHEST_CODES) + 16) & ~15
}

/** Replaces the sums of each bin by the sums up to and including it. */
// @ts-ignore: decorator
@inline
function accumulate(table: usize, bins: i32): void {
  let before = i32x4.splat(0)
  for (let at = table, end = table + (<usize>bins << 2); at < end; at += 16) {
    const sums = i32x4.add(runningSums(v128.load(at)), before)
    v128.store(at, sums)
    before = lastLane(sums)
  }
}

/** The sums at the ends of four runs. */
// @ts-ignore: decorator
@inline
function endsOfRuns(at: usize): v128 {
  let ends = v128.load32_splat(at, RUN_BYTES - 4)
  ends = v128.load_lane<u32>(at, ends, 1, 2 * RUN_BYTES - 4)
  ends = v128.load_lane<u32>(at, ends, 2, 3 * RUN_BYTES - 4)
  return v128.load_lane<u32>(at, ends, 3, 4 * RUN_BYTES - 4)
}

/** The score of the best cut at the end of a run of sixteen bins: a first bar that spares most of the exact work. */
function scoreOfRuns(table: usize): f32 {
  let best = f32x4.splat(-1)
  for (let at = table, end = table + TABLE_BYTES; at < end; at += 4 * RUN_BYTES) {
    best = f32x4.pmax(best, scoresOf(endsOfRuns(at)))
  }
  return f32x4.extract_lane(highestOf(best), 0)
}

/**
 * Looks at the cut after every bin, a run of sixteen at a time, and empties the table. A cut after an empty bin equals
 * the cut before it and therefore never wins against it. A key is draw << 16 | code, its left part the packed sums.
 */
function scanTable(table: usize, draw: i32): void {
  const bins = binsOf(drawnColumn(draw))
  accumulate(table, bins)
  const weight = f32x4.splat(<f32>nodeWeight)
  const positives = f32x4.splat(<f32>nodePositives)
  const keyBefore = bestKey
  const ofRuns = bestScore < 0 ? scoreOfRuns(table) : bestScore
  let threshold = bar(max<f32>(bestScore, ofRuns))
  let key = draw << 16
  for (let at = table, end = table + (<usize>bins << 2); at < end; at += RUN_BYTES) {
    const first = v128.load(at)
    const second = v128.load(at, 16)
    const third = v128.load(at, 32)
    const fourth = v128.load(at, 48)
    const better = v128.or(
      v128.or(mayBeat(first, weight, positives, threshold), mayBeat(second, weight, positives, threshold)),
      v128.or(mayBeat(third, weight, positives, threshold), mayBeat(fourth, weight, positives, threshold)),
    )
    if (v128.any_true(better)) {
      considerRun(at, key)
      threshold = bar(max<f32>(bestScore, ofRuns))
    }
    key += 16
  }
  if (bestKey != keyBefore) bestCut = ((bestKey & 0xff) + nextCode(table, bestKey & 0xff)) >> 1
  memory.fill(table, 0, <usize>bins << 2)
}

/** The code after the given one that some row holds: there the running sums change. At most 255. */
function nextCode(table: usize, code: i32): i32 {
  const end = TABLE_BINS - 1
  const left = load<i32>(table + (<usize>code << 2))
  let next = code + 1
  while (next < end && load<i32>(table + (<usize>next << 2)) == left) next += 1
  return next
}

function varies(column: usize, bag: usize, rows: i32): bool {
  const code = load<u8>(column + (<usize>load<u16>(bag) << recordShift))
  for (let at = bag + 2, end = bag + (<usize>rows << 1); at < end; at += 2) {
    if (load<u8>(column + (<usize>load<u16>(at) << recordShift)) != code) return true
  }
  return false
}

/** Finds the node's best split; false when no column of the block can be cut. */
export function searchHistogramNode(bag: usize): bool {
  const codes = scratch + RECORDS
  const table = scratch + TABLES
  const rows = nodeRows
  bestScore = -1
  bestKey = NO_SPLIT
  let drawn = 0
  let anyVaries = false
  while (drawn < columnCount && (drawn < candidates || !anyVaries)) {
    const first = codes + <usize>drawColumn(drawn)
    if (drawn + 2 < candidates) {
      const second = codes + <usize>drawColumn(drawn + 1)
      const third = codes + <usize>drawColumn(drawn + 2)
      countInThree(first, second, third, bag, rows)
      scanTable(table, drawn)
      scanTable(table + TABLE_BYTES, drawn + 1)
      scanTable(table + 2 * TABLE_BYTES, drawn + 2)
      anyVaries = anyVaries || varies(first, bag, rows) || varies(second, bag, rows) || varies(third, bag, rows)
      drawn += 3
    } else if (drawn + 1 < candidates) {
      const second = codes + <usize>drawColumn(drawn + 1)
      countInTwo(first, second, bag, rows)
      scanTable(table, drawn)
      scanTable(table + TABLE_BYTES, drawn + 1)
      anyVaries = anyVaries || varies(first, bag, rows) || varies(second, bag, rows)
      drawn += 2
    } else {
      countInOne(first, bag, rows)
      scanTable(table, drawn)
      anyVaries = anyVaries || varies(first, bag, rows)
      drawn += 1
    }
  }
  const key = bestKey
  if (key != NO_SPLIT) {
    const left = bestLeft
    setSplit(drawnColumn(key >> 16), bestCut, left >>> 21, (left >> 10) & 0x7ff, left & 0x3ff)
  }
  returnColumns(drawn)
  countVisits(drawn * (rows + TABLE_BINS))
  return key != NO_SPLIT
}
