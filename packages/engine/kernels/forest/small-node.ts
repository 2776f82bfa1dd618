// Search of a block node with at most 64 bag rows and weight below 256: its rows are sorted in vector registers, two
// columns at a time. A sort key is code << 8 | draws << 1 | lighter class. Sums of draws fit a byte, so the sums of all
// draws and of the lighter class share 16 bits.

import { countVisits } from '../shared/cancel'
import { registersFor, SORTABLE, sortKeyPairs } from '../shared/sort-network'
import { bestKey, bestLeft, NO_SPLIT, purity, resetBest } from './best-lanes'
import {
  drawColumn, drawnColumn, nodePositives, nodeRows, nodeWeight, returnColumns, setSplit,
} from './node'
import {
  BEST_KEY, BEST_LEFT, BEST_SCORE, BLOCK_CODES, blockStride, candidates, columnCount, KEYS, minLeaf, PAYLOAD, scratch,
  SECOND_KEY, SECOND_LEFT, SECOND_SCORE,
} from './scratch'

// @ts-ignore: decorator
@inline
export function isSmallNode(rows: i32, weight: i32): bool {
  return rows <= SORTABLE && weight < 256
}

// @ts-ignore: decorator
@inline
function groupsBytes(rows: i32): usize {
  return rows <= 32 ? <usize>registersFor(rows) << 4 : 256
}

/** Writes the keys of two columns interleaved, and after them keys that sort last. */
function gatherKeys(first: usize, second: usize, bag: usize, rows: i32): void {
  const payloads = scratch + PAYLOAD
  let key = scratch + KEYS
  const end = key + groupsBytes(rows)
  for (let at = key + ((<usize>rows << 2) & ~15); at < end; at += 16) v128.store(at, i32x4.splat(-1))
  for (let at = bag, stop = bag + (<usize>rows << 1); at < stop; at += 2, key += 4) {
    const row = <usize>load<u16>(at)
    const payload = <u32>load<u8>(payloads + row) * 0x10001
    store<u32>(key, (<u32>load<u8>(first + row) << 8) | (<u32>load<u8>(second + row) << 24) | payload)
  }
}

/** Per key: draws in the high byte, draws of the lighter class in the low byte. */
// @ts-ignore: decorator
@inline
function sharesOf(keys: v128): v128 {
  const draws = v128.and(i16x8.shr_u(keys, 1), i16x8.splat(127))
  const ofLighter = i16x8.neg(v128.and(keys, i16x8.splat(1)))
  return v128.or(i16x8.shl(draws, 8), v128.and(draws, ofLighter))
}

/** 0, lane 0, lane 1, lane 2. */
// @ts-ignore: decorator
@inline
function oneLaneOn(v: v128): v128 {
  return i8x16.shuffle(i32x4.splat(0), v, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)
}

/** 0, 0, lane 0, lane 1. */
// @ts-ignore: decorator
@inline
function twoLanesOn(v: v128): v128 {
  return i8x16.shuffle(i32x4.splat(0), v, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)
}

/** Lane 1, lane 2, lane 3, lane 0 of what follows. */
// @ts-ignore: decorator
@inline
function oneLaneBack(v: v128, following: v128): v128 {
  return i8x16.shuffle(v, following, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
}

/** The sums down each lane of a group. */
function laneSums(keys: usize, end: usize): v128 {
  let sums = sharesOf(v128.load(keys))
  for (let at = keys + 16; at < end; at += 16) sums = i16x8.add(sums, sharesOf(v128.load(at)))
  sums = i16x8.add(sums, oneLaneOn(sums))
  return i16x8.add(sums, twoLanesOn(sums))
}

function scoreSorted(rows: i32, draw: i32, both: bool): void {
  const keys = scratch + KEYS
  v128.store(scratch, f32x4.splat(-1), SECOND_SCORE)
  if (rows <= 32) {
    scoreGroup(keys, keys + (<usize>registersFor(rows) << 4), i32x4.splat(-1), i32x4.splat(0), 0, rows, draw, both)
    return
  }
  const upperGroup = keys + 128
  const lowerSums = laneSums(keys, upperGroup)
  scoreGroup(keys, upperGroup, v128.load(upperGroup), i32x4.splat(0), 0, rows, draw, both)
  scoreGroup(upperGroup, keys + 256, i32x4.splat(-1), lastLane(lowerSums), 32, rows, draw, both)
}

// @ts-ignore: decorator
@inline
function lastLane(v: v128): v128 {
  return i8x16.shuffle(v, v, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15)
}

/**
 * Scores every cut within one group of sorted columns, given the sums before it and the keys after it; the second column only when `both`. A best key is draw << 16 | cut, its left
 * part position << 16 | sums.
 */
function scoreGroup(
  keys: usize, end: usize, following: v128, before: v128, firstPosition: i32, rows: i32, draw: i32, both: bool,
): void {
  const registers = <i32>((end - keys) >> 4)
  const weight = f32x4.splat(<f32>nodeWeight)
  const positives = f32x4.splat(<f32>nodePositives)
  const lowHalf = i32x4.splat(0xffff)
  const lowByte = i32x4.splat(0xff)
  const firstCut = i32x4.splat(minLeaf - 1)
  const endOfCuts = i32x4.splat(rows - minLeaf)
  const firstTag = i32x4.splat(draw << 16)
  const secondTag = i32x4.splat((draw + 1) << 16)
  let position = i32x4.add(i32x4.mul(i32x4(0, 1, 2, 3), i32x4.splat(registers)), i32x4.splat(firstPosition))
  let left = i16x8.add(before, oneLaneOn(laneSums(keys, end)))
  let bestScore = v128.load(scratch, BEST_SCORE)
  let bestKeys = v128.load(scratch, BEST_KEY)
  let bestLefts = v128.load(scratch, BEST_LEFT)
  let secondScore = v128.load(scratch, SECOND_SCORE)
  let secondKeys = v128.load(scratch, SECOND_KEY)
  let secondLefts = v128.load(scratch, SECOND_LEFT)
  let here = v128.load(keys)
  const afterLast = oneLaneBack(here, following)
  for (let at = keys + 16; at <= end; at += 16) {
    const next = at == end ? afterLast : v128.load(at)
    left = i16x8.add(left, sharesOf(here))
    const code = i16x8.shr_u(here, 8)
    const nextCode = i16x8.shr_u(next, 8)
    const inRange = v128.and(i32x4.ge_s(position, firstCut), i32x4.lt_s(position, endOfCuts))
    const allowed = v128.and(left, v128.andnot(inRange, i16x8.eq(code, nextCode)))
    const cut = i16x8.shr_u(i16x8.add(code, nextCode), 1)
    const place = i32x4.shl(position, 16)

    const ofFirst = v128.and(allowed, lowHalf)
    let score = purity(i32x4.shr_u(ofFirst, 8), v128.and(ofFirst, lowByte), weight, positives)
    let better = f32x4.gt(score, bestScore)
    bestScore = v128.bitselect(score, bestScore, better)
    bestKeys = v128.bitselect(v128.or(firstTag, v128.and(cut, lowHalf)), bestKeys, better)
    bestLefts = v128.bitselect(v128.or(place, ofFirst), bestLefts, better)
    if (both) {
      const ofSecond = i32x4.shr_u(allowed, 16)
      score = purity(i32x4.shr_u(ofSecond, 8), v128.and(ofSecond, lowByte), weight, positives)
      better = f32x4.gt(score, secondScore)
      secondScore = v128.bitselect(score, secondScore, better)
      secondKeys = v128.bitselect(v128.or(secondTag, i32x4.shr_u(cut, 16)), secondKeys, better)
      secondLefts = v128.bitselect(v128.or(place, ofSecond), secondLefts, better)
    }
    position = i32x4.add(position, i32x4.splat(1))
    here = next
  }
  v128.store(scratch, bestScore, BEST_SCORE)
  v128.store(scratch, bestKeys, BEST_KEY)
  v128.store(scratch, bestLefts, BEST_LEFT)
  if (both) {
    v128.store(scratch, secondScore, SECOND_SCORE)
    v128.store(scratch, secondKeys, SECOND_KEY)
    v128.store(scratch, secondLefts, SECOND_LEFT)
  }
}

/** The second column had its own best until now, so that a tie stays with the first whatever the order of their cuts. */
function joinSecond(): void {
  const score = v128.load(scratch, BEST_SCORE)
  const second = v128.load(scratch, SECOND_SCORE)
  const better = f32x4.gt(second, score)
  v128.store(scratch, v128.bitselect(second, score, better), BEST_SCORE)
  v128.store(
    scratch, v128.bitselect(v128.load(scratch, SECOND_KEY), v128.load(scratch, BEST_KEY), better), BEST_KEY,
  )
  v128.store(
    scratch, v128.bitselect(v128.load(scratch, SECOND_LEFT), v128.load(scratch, BEST_LEFT), better), BEST_LEFT,
  )
}

/** Does the column in this half of the keys hold more than one code? The lowest key is the first one. */
// @ts-ignore: decorator
@inline
function varies(rows: i32, half: usize): bool {
  const registers = registersFor(rows)
  const last = (rows - 1) & 31
  const group: usize = rows > 32 ? 128 : 0
  const shift = 31 - clz<i32>(registers)
  const lane = last >> shift
  const register = last & (registers - 1)
  const keys = scratch + KEYS + half + 1
  return load<u8>(keys) != load<u8>(keys + group + (<usize>register << 4) + (<usize>lane << 2))
}

/** Two rows of different classes: the first column that tells them apart is as good as any other. */
function splitTwoRows(bag: usize): bool {
  const first = <usize>load<u16>(bag)
  const second = <usize>load<u16>(bag, 2)
  for (let draw = 0; draw < columnCount; draw++) {
    const column = drawColumn(draw)
    const codes = scratch + BLOCK_CODES + <usize>column * blockStride
    const a = <i32>load<u8>(codes + first)
    const b = <i32>load<u8>(codes + second)
    if (a == b) continue
    const payload = <i32>load<u8>(scratch + PAYLOAD + (a < b ? first : second))
    const draws = payload >> 1
    setSplit(column, (a + b) >> 1, 1, draws, payload & 1 ? draws : 0)
    returnColumns(draw + 1)
    return true
  }
  returnColumns(columnCount)
  return false
}

/** Nothing beats a cut that separates the classes; what `purity` says of it is the same for every such cut. */
// @ts-ignore: decorator
@inline
function isSeparated(): bool {
  const most = <f32>(nodePositives * (nodeWeight - nodePositives))
  return v128.any_true(f32x4.ge(v128.load(scratch, BEST_SCORE), f32x4.splat((most * most) / most)))
}

/** Finds the node's best split; false when no column of the block can be cut. */
export function searchSmallNode(bag: usize): bool {
  if (nodeRows == 2) return splitTwoRows(bag)
  const codes = scratch + BLOCK_CODES
  const rows = nodeRows
  resetBest()
  let drawn = 0
  let anyVaries = false
  while (drawn < columnCount && (drawn < candidates || !anyVaries)) {
    const first = codes + <usize>drawColumn(drawn) * blockStride
    const both = drawn + 1 < candidates
    const second = both ? codes + <usize>drawColumn(drawn + 1) * blockStride : first
    gatherKeys(first, second, bag, rows)
    sortKeyPairs(scratch + KEYS, rows)
    scoreSorted(rows, drawn, both)
    if (both) joinSecond()
    anyVaries = anyVaries || varies(rows, 0) || varies(rows, 2)
    drawn += both ? 2 : 1
    if (drawn < candidates && isSeparated()) break
  }
  const key = bestKey()
  if (key != NO_SPLIT) {
    const left = bestLeft()
    setSplit(drawnColumn(key >> 16), key & 0xff, (left >> 16) + 1, (left >> 8) & 0xff, left & 0xff)
  }
  returnColumns(drawn)
  countVisits(4 * drawn * rows)
  return key != NO_SPLIT
}
