// Finds the best cut of counted columns. A *run* is sixteen bins; its *end* holds the packed sums of all rows up to it.
//
// The score of a cut is a convex function of what lies on its left (weight, and weight of the lighter class). So within a
// run it is nowhere higher than in the highest of four corners: what lies left of the run, of its end, of all its rows
// of the lighter class, or of all its other rows. Both runs at the best end are scored first; of the others, only those with a
// corner that may beat what was found there.
//
// Weights are 1024 times what they are here, as they lie in a packed sum, and P is a 1024th: so (l1 W - P l)^2 stays as it
// is, and scores are 2^-20 times what they are.

import { evenLanes, halvesSwapped, neighboursSwapped, oddLanes } from '../shared/lanes'
import { DRAWS_FIELD, LIGHTER_FIELD, NO_SCORE, ZERO } from './constants'
import { TABLE_BYTES } from './count-rows'
import { drawnColumn, nodePositives, nodeRows, nodeWeight } from './node'
import { differenceOf, mayExceed, purity, purityFrom } from './purity'
import { NO_SPLIT } from './score-sorted'
import { HIGHEST_CODES, minLeaf, RUN_ENDS, scratch, TABLE_BINS } from './scratch'

const RUN_BYTES: usize = 64
// From where an end lies, f32: its weight, its weight of the lighter class, and its difference l1 W - P l. Those of the
// end before lie 4 bytes before.
const END_WEIGHTS: usize = 4 * 80
const END_LIGHTER: usize = 2 * 4 * 80
const END_DIFFERENCES: usize = 3 * 4 * 80
/** Four runs, whose ends lie in one vector. */
const GROUP_BYTES: usize = 4 * RUN_BYTES

let bestScore: f32 = 0
/** draw << 16 | code, and the packed sums of the rows up to that code. */
export let bestKey: i32 = 0
export let bestLeft: i32 = 0
/** Halfway between the last code on the left and the first on the right. */
export let bestCut: i32 = 0

export function startScans(): void {
  bestScore = -1
  bestKey = NO_SPLIT
}

/** As ctz, which V8 on Arm calls a function for. */
function lowestBit(mask: i32): i32 {
  return 31 - clz<i32>(mask & -mask)
}

/** The last lane of a, then the first three of b. */
function lanesBefore(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)
}

function runningSums(v: v128, zero: v128): v128 {
  v = i32x4.add(v, lanesBefore(zero, v))
  return i32x4.add(v, i8x16.shuffle(zero, v, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23))
}

function lastLane(v: v128): v128 {
  return i8x16.shuffle(v, v, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15)
}

/** In every lane. */
function highestOf(scores: v128): v128 {
  const ofTwo = f32x4.max(scores, neighboursSwapped(scores))
  return f32x4.max(ofTwo, halvesSwapped(ofTwo))
}

function lowestOf(keys: v128): i32 {
  const ofTwo = i32x4.min_s(keys, neighboursSwapped(keys))
  return i32x4.extract_lane(i32x4.min_s(ofTwo, halvesSwapped(ofTwo)), 0)
}

/** a0 + a1, a2 + a3, b0 + b1, b2 + b3. */
function pairSums(a: v128, b: v128): v128 {
  return i32x4.add(evenLanes(a, b), oddLanes(a, b))
}

function sumOf(a: v128, b: v128, c: v128, d: v128): v128 {
  return i32x4.add(i32x4.add(a, b), i32x4.add(c, d))
}

/** The bins of a run, added up to four. */
function foldedRun(at: usize): v128 {
  return sumOf(v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48))
}

function weightIn(left: v128, field: v128): v128 {
  return f32x4.convert_i32x4_s(v128.and(left, field))
}

function weight1024(): v128 {
  return f32x4.splat(<f32>(nodeWeight << 10))
}

function positives1024th(): v128 {
  return f32x4.splat(<f32>nodePositives * <f32>(1.0 / 1024.0))
}

/** Which packed sums leave enough rows on both sides: those less than `rowRange` above `fewestRows`. */
function fewestRows(): v128 {
  return i32x4.splat(minLeaf << 21)
}

function rowRange(): v128 {
  return i32x4.splat((nodeRows - 2 * minLeaf + 1) << 21)
}

function hasEnoughRows(left: v128, fewest: v128, range: v128): v128 {
  return i32x4.lt_u(i32x4.sub(left, fewest), range)
}

/** Scores of four cuts; -1 where a side has too few rows. */
// @ts-ignore: decorator
@inline
function scoresOf(
  left: v128, drawsField: v128, lighterField: v128, times: v128, weight: v128, positives: v128, fewest: v128,
  range: v128, none: v128,
): v128 {
  const score = purity(
    weightIn(left, drawsField), f32x4.mul(weightIn(left, lighterField), times), weight, positives,
  )
  return v128.bitselect(score, none, hasEnoughRows(left, fewest, range))
}

/** How many groups of runs the codes of a column can fill. */
function groupsOf(draw: i32): i32 {
  return (<i32>load<u8>(scratch + <usize>drawnColumn(draw), HIGHEST_CODES) >> 6) + 1
}

/** The ends of a column's runs lie behind those of the columns before it, each after a 0. */
function endsAt(index: i32): usize {
  return scratch + RUN_ENDS + <usize>index * 80
}

/** The sums of four runs. */
function groupSums(at: usize): v128 {
  return pairSums(
    pairSums(foldedRun(at), foldedRun(at + RUN_BYTES)),
    pairSums(foldedRun(at + 2 * RUN_BYTES), foldedRun(at + 3 * RUN_BYTES)),
  )
}

/** The best scores in a run, lane by lane, given what lies before it. */
// @ts-ignore: decorator
@inline
function scoresIn(
  at: usize, before: v128, zero: v128, drawsField: v128, lighterField: v128, times: v128, weight: v128,
  positives: v128, fewest: v128, range: v128, none: v128,
): v128 {
  const first = i32x4.add(runningSums(v128.load(at), zero), before)
  // A bin and the three before it add up to what four bins before lacks.
  const second = i32x4.add(first, sumOf(v128.load(at, 16), v128.load(at, 12), v128.load(at, 8), v128.load(at, 4)))
  const third = i32x4.add(second, sumOf(v128.load(at, 32), v128.load(at, 28), v128.load(at, 24), v128.load(at, 20)))
  const fourth = i32x4.add(third, sumOf(v128.load(at, 48), v128.load(at, 44), v128.load(at, 40), v128.load(at, 36)))
  const a = scoresOf(first, drawsField, lighterField, times, weight, positives, fewest, range, none)
  const b = scoresOf(second, drawsField, lighterField, times, weight, positives, fewest, range, none)
  const c = scoresOf(third, drawsField, lighterField, times, weight, positives, fewest, range, none)
  const d = scoresOf(fourth, drawsField, lighterField, times, weight, positives, fewest, range, none)
  return f32x4.max(f32x4.max(a, b), f32x4.max(c, d))
}

/** Where the sum before a run of one of the columns lies; they are numbered through. */
function sumBefore(run: i32): usize {
  return endsAt(run >> 4) + (<usize>(run & 15) << 2) - 4
}

/** Writes the ends of all runs. */
// @ts-ignore: decorator
@inline
function writeEnds(tables: usize, draw: i32, count: i32): void {
  const zero = v128.load(scratch, ZERO)
  for (let i = 0; i < count; i++) {
    let at = tables + <usize>i * TABLE_BYTES
    let to = endsAt(i)
    let before = zero
    for (const end = at + <usize>groupsOf(draw + i) * GROUP_BYTES; at < end; at += GROUP_BYTES, to += 16) {
      const ends = i32x4.add(runningSums(groupSums(at), zero), before)
      v128.store(to, ends)
      before = lastLane(ends)
    }
  }
}

/**
 * The run whose end has the best score above the given one; keeps what it makes of the ends. In a loop of its own more
 * of them are under way at once.
 */
// @ts-ignore: decorator
@inline
function bestEnd(draw: i32, count: i32, start: v128): i32 {
  const drawsField = v128.load(scratch, DRAWS_FIELD)
  const lighterField = v128.load(scratch, LIGHTER_FIELD)
  const times = f32x4.splat(<f32>nodeWeight)
  const weight = weight1024()
  const positives = positives1024th()
  const fewest = fewestRows()
  const range = rowRange()
  const none = v128.load(scratch, NO_SCORE)
  let best = start
  let bestRuns = v128.load(scratch, ZERO)
  for (let i = 0; i < count; i++) {
    let at = endsAt(i)
    let runs = i32x4.add(i32x4.splat(i << 4), i32x4(0, 1, 2, 3))
    for (const end = at + (<usize>groupsOf(draw + i) << 4); at < end; at += 16) {
      const left = v128.load(at)
      const l = weightIn(left, drawsField)
      const lighter = weightIn(left, lighterField)
      const difference = differenceOf(l, f32x4.mul(lighter, times), positives)
      v128.store(at, l, END_WEIGHTS)
      v128.store(at, lighter, END_LIGHTER)
      v128.store(at, difference, END_DIFFERENCES)
      const scores = v128.bitselect(purityFrom(difference, l, weight), none, hasEnoughRows(left, fewest, range))
      bestRuns = v128.bitselect(runs, bestRuns, f32x4.gt(scores, best))
      best = f32x4.max(best, scores)
      runs = i32x4.add(runs, i32x4.splat(4))
    }
  }
  return lowestOf(v128.bitselect(bestRuns, i32x4.splat(NO_SPLIT), f32x4.eq(best, highestOf(best))))
}

/** One bit for every run with a corner that may exceed the bar. */
// @ts-ignore: decorator
@inline
function runsToLookInto(groups: i32, ends: usize, bar: v128): i32 {
  const weight = weight1024()
  // What a draw of the lighter class adds to a weight, and to a difference.
  const scale = f32x4.splat(1024)
  const ofLighter = f32x4.splat(<f32>(nodeWeight - nodePositives))
  let runs = 0
  let exceeding = f32x4.splat(0)
  for (let group = 0; group < groups; group++) {
    const at = ends + (<usize>group << 4)
    const endL = v128.load(at, END_WEIGHTS)
    const startL = v128.load(at, END_WEIGHTS - 4)
    const ofRun = f32x4.sub(v128.load(at, END_LIGHTER), v128.load(at, END_LIGHTER - 4))
    const endDifference = v128.load(at, END_DIFFERENCES)
    const startDifference = v128.load(at, END_DIFFERENCES - 4)
    const atEnd = mayExceed(endL, endDifference, weight, bar)
    const weightOfRun = f32x4.mul(ofRun, scale)
    const differenceOfRun = f32x4.mul(ofRun, ofLighter)
    const lighterFirst = mayExceed(
      f32x4.add(startL, weightOfRun), f32x4.add(startDifference, differenceOfRun), weight, bar,
    )
    const lighterLast = mayExceed(f32x4.sub(endL, weightOfRun), f32x4.sub(endDifference, differenceOfRun), weight, bar)
    const any = v128.or(v128.or(atEnd, lanesBefore(exceeding, atEnd)), v128.or(lighterFirst, lighterLast))
    runs |= i32x4.bitmask(any) << (group << 2)
    exceeding = atEnd
  }
  return runs
}

/** A little less than a score, so that rounding never hides a better cut. */
function barOf(score: v128): v128 {
  return f32x4.sub(score, f32x4.mul(f32x4.abs(score), f32x4.splat(1e-5)))
}

/**
 * Looks in `count` columns, drawn from number `draw` on and counted in as many tables, for a cut that is better than
 * those before, and empties the tables. A cut after an empty bin equals the cut before it and therefore never wins
 * against it.
 */
// @ts-ignore: decorator
@inline
export function scanTables(tables: usize, draw: i32, count: i32): void {
  const drawsField = v128.load(scratch, DRAWS_FIELD)
  const lighterField = v128.load(scratch, LIGHTER_FIELD)
  const zero = v128.load(scratch, ZERO)
  const times = f32x4.splat(<f32>nodeWeight)
  const weight = weight1024()
  const positives = positives1024th()
  const fewest = fewestRows()
  const range = rowRange()
  const none = v128.load(scratch, NO_SCORE)
  const start = f32x4.splat(bestScore)
  writeEnds(tables, draw, count)
  const near = bestEnd(draw, count, start)
  // First both runs at the best end, whose cuts raise the bar; then those of the others that may exceed it.
  const nearRuns = <u64>3 << near
  let best = start
  let bestRuns = i32x4.splat(-1)
  let isNear = true
  for (let runs = nearRuns; runs != 0; ) {
    const run = 63 - <i32>clz<u64>(runs & -runs)
    const scores = scoresIn(
      tables + <usize>run * RUN_BYTES, v128.load32_splat(sumBefore(run)), zero, drawsField, lighterField, times,
      weight, positives, fewest, range, none,
    )
    const numbers = i32x4.splat(run)
    const better = v128.or(f32x4.gt(scores, best), v128.and(f32x4.eq(scores, best), i32x4.lt_s(numbers, bestRuns)))
    bestRuns = v128.bitselect(numbers, bestRuns, better)
    best = f32x4.max(best, scores)
    runs &= runs - 1
    if (isNear && runs == 0) {
      isNear = false
      const bar = barOf(highestOf(best))
      for (let i = 0; i < count; i++) {
        runs |= <u64>runsToLookInto(groupsOf(draw + i), endsAt(i), bar) << (i << 4)
      }
      runs &= ~nearRuns
    }
  }
  const highest = highestOf(best)
  const bestRun = lowestOf(v128.bitselect(bestRuns, i32x4.splat(NO_SPLIT), f32x4.eq(best, highest)))
  if (bestRun >= 0) {
    bestScore = f32x4.extract_lane(highest, 0)
    chooseFirstOf(tables, draw, bestRun >> 4, bestRun & 15, highest)
  }
  memory.fill(tables, 0, <usize>count * TABLE_BYTES)
}

/** Takes the first cut of a run that has the given score as the best one. */
// @ts-ignore: decorator
@inline
function chooseFirstOf(tables: usize, draw: i32, index: i32, run: i32, score: v128): void {
  const table = tables + <usize>index * TABLE_BYTES
  const drawsField = v128.load(scratch, DRAWS_FIELD)
  const lighterField = v128.load(scratch, LIGHTER_FIELD)
  const zero = v128.load(scratch, ZERO)
  const times = f32x4.splat(<f32>nodeWeight)
  let at = table + <usize>run * RUN_BYTES
  let sums = v128.load32_splat(endsAt(index) + (<usize>run << 2) - 4)
  let equal = 0
  while (true) {
    sums = i32x4.add(runningSums(v128.load(at), zero), lastLane(sums))
    const scores = scoresOf(
      sums, drawsField, lighterField, times, weight1024(), positives1024th(), fewestRows(), rowRange(),
      f32x4.splat(-1),
    )
    equal = i32x4.bitmask(f32x4.eq(scores, score))
    if (equal != 0) break
    at += 16
  }
  const lane = lowestBit(equal)
  const code = <i32>((at - table) >> 2) + lane
  const upTo = i8x16.swizzle(sums, i32x4.splat(0x03020100 + 0x04040404 * lane))
  bestKey = ((draw + index) << 16) | code
  bestLeft = i32x4.extract_lane(upTo, 0)
  bestCut = (code + nextCode(table, code)) >> 1
}

/** The code after the given one that some row holds. At most 255. */
function nextCode(table: usize, code: i32): i32 {
  let next = code + 1
  while (next < TABLE_BINS - 1 && load<i32>(table + (<usize>next << 2)) == 0) next += 1
  return next
}
