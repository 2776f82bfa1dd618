// A fit whose training rows (at most BLOCK_WEIGHT) and routed rows fit one block: the block is filled once by the host,
// and every tree starts in the block tier. Block rows: training rows first, then test rows.

import { drawCounts, derivedSeed } from '../shared/random'
import { growBlock } from './block'
import { ROW_NUMBERS } from './constants'
import { keepChosen } from './row-lists'
import { BAG, DRAWS, LABELS, MAX_DRAWS, PACKED, RECORDS, recordShift, ROUTED, scratch } from './scratch'
import { startTree } from './tree-nodes'

/** List entries of eight neighbouring rows. */
function rowsFrom(first: i32): v128 {
  return i16x8.shl(i16x8.add(i16x8.splat(<i16>first), v128.load(scratch, ROW_NUMBERS)), 4)
}

let bagWeight: i32 = 0
let bagPositives: i32 = 0

/** Sixteen rows at a time; behind the last row there are no draws. */
function weighBag(trainRows: i32): void {
  v128.store(scratch + <usize>trainRows, i8x16.splat(0), DRAWS)
  let weights = i16x8.splat(0)
  let positives = i16x8.splat(0)
  for (let row = 0; row < trainRows; row += 16) {
    const at = scratch + <usize>row
    const draws = v128.load(at, DRAWS)
    const ofPositives = v128.and(draws, i8x16.neg(v128.load(at, LABELS)))
    weights = i16x8.add(weights, i16x8.extadd_pairwise_i8x16_u(draws))
    positives = i16x8.add(positives, i16x8.extadd_pairwise_i8x16_u(ofPositives))
  }
  bagWeight = sumOf(weights)
  bagPositives = sumOf(positives)
}

function sumOf(v: v128): i32 {
  const sums = i32x4.extadd_pairwise_i16x8_u(v)
  return (
    i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3)
  )
}

/** Lists the bag rows and packs what each adds to a sum, sixteen rows at a time; returns how many there are. */
// @ts-ignore: decorator
@inline
function fillBag(trainRows: i32, flipped: bool): i32 {
  const flip = i8x16.splat(<i8>flipped)
  const none = i8x16.splat(0)
  const tables = scratch
  const list = tables + BAG
  let end = list
  for (let row = 0; row < trainRows; row += 16) {
    const at = tables + <usize>row
    const draws = v128.load(at, DRAWS)
    const lighter = v128.xor(v128.load(at, LABELS), flip)
    const ofLighter = v128.and(draws, i8x16.neg(lighter))
    const payloads = v128.or(i8x16.shl(lighter, 7), draws)
    writePacked(row, i16x8.extend_low_i8x16_u(draws), i16x8.extend_low_i8x16_u(ofLighter))
    writePacked(row + 8, i16x8.extend_high_i8x16_u(draws), i16x8.extend_high_i8x16_u(ofLighter))
    writePayloads(row, i64x2.extract_lane(payloads, 0))
    writePayloads(row + 8, i64x2.extract_lane(payloads, 1))
    const mask = i8x16.bitmask(i8x16.gt_u(draws, none))
    end = keepChosen(tables, rowsFrom(row), mask & 0xff, end)
    end = keepChosen(tables, rowsFrom(row + 8), mask >> 8, end)
  }
  return <i32>((end - list) >> 1)
}

/** 1 << 21 | draws << 10 | draws of the lighter class, made of two halves. */
function writePacked(row: i32, draws: v128, ofLighter: v128): void {
  const lower = v128.or(i16x8.shl(draws, 10), ofLighter)
  const upper = v128.or(i16x8.shr_u(draws, 6), i16x8.splat(1 << 5))
  const at = scratch + (<usize>row << 2)
  v128.store(at, i8x16.shuffle(lower, upper, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23), PACKED)
  v128.store(at, i8x16.shuffle(lower, upper, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31), PACKED + 16)
}

/** Into the last byte of eight records. */
function writePayloads(row: i32, payloads: u64): void {
  const at = scratch + RECORDS + (<usize>(row + 1) << recordShift) - 1
  // Records of sixteen bytes are the rule, and places that the compiler knows cost nothing.
  if (recordShift == 4) writeEight(at, 16, payloads)
  else writeEight(at, <usize>1 << recordShift, payloads)
}

// @ts-ignore: decorator
@inline
function writeEight(at: usize, size: usize, payloads: u64): void {
  store<u8>(at, <u8>payloads)
  store<u8>(at + size, <u8>(payloads >> 8))
  store<u8>(at + 2 * size, <u8>(payloads >> 16))
  store<u8>(at + 3 * size, <u8>(payloads >> 24))
  store<u8>(at + 4 * size, <u8>(payloads >> 32))
  store<u8>(at + 5 * size, <u8>(payloads >> 40))
  store<u8>(at + 6 * size, <u8>(payloads >> 48))
  store<u8>(at + 7 * size, <u8>(payloads >> 56))
}

/** Test rows, and on demand the training rows outside the bag. */
function fillRouted(trainRows: i32, testRows: i32, withOutOfBag: bool): i32 {
  const list = scratch + ROUTED
  let end = list
  if (withOutOfBag) {
    for (let row = 0; row < trainRows; row += 8) {
      const draws = v128.load64_zero(scratch + <usize>row, DRAWS)
      const valid = row + 8 > trainRows ? (1 << (trainRows - row)) - 1 : 0xff
      end = keepChosen(scratch, rowsFrom(row), i8x16.bitmask(i8x16.eq(draws, i8x16.splat(0))) & valid, end)
    }
  }
  for (let i = 0; i < testRows; i += 8) v128.store(end + (<usize>i << 1), rowsFrom(trainRows + i))
  return <i32>((end - list) >> 1) + testRows
}

/** Grows one tree from DRAWS as the host wrote them or, with `bootstrap`, from draws of its own. */
export function growSmallTree(
  trainRows: i32, testRows: i32, treeSeed: u32, bootstrap: bool, withOutOfBag: bool,
): void {
  startTree()
  if (bootstrap) drawCounts(scratch + DRAWS, trainRows, treeSeed, MAX_DRAWS)
  weighBag(trainRows)
  const flipped = 2 * bagPositives > bagWeight
  const bagRows = fillBag(trainRows, flipped)
  const routedRows = fillRouted(trainRows, testRows, withOutOfBag)
  const lighter = flipped ? bagWeight - bagPositives : bagPositives
  growBlock(bagRows, routedRows, bagWeight, lighter, flipped, derivedSeed(treeSeed, 0), -1)
}

/** Grows trees one after another for their routed rows only, each from the seed of its number. */
export function growSmallTrees(trainRows: i32, testRows: i32, seed: u32, treeFrom: u32, treeTo: u32): void {
  for (let tree = treeFrom; tree < treeTo; tree++) {
    growSmallTree(trainRows, testRows, derivedSeed(seed, tree), true, false)
  }
}
