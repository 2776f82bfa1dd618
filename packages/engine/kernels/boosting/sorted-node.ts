// Search of a node with at most 64 rows: two columns at a time, its rows sorted by code in vector registers.
// A sort key is code << 8 | index among the node's rows.
//
// sortScratch: 256 bytes of keys; i32 gradients and hessians of the node's rows (256 bytes each); then the cuts of one
// column, in order: left gradient sums, left hessian sums, keys (272 bytes each, a vector more than needed).

import { registersFor, sortKeyPairs } from '../shared/sort-network'
import { bestScore, heavyEnough, joinLanes, NO_SPLIT, scores } from './gain'
import { columnCodes, columnCount, gradients, MISSING, places, roundColumn, sortScratch } from './layout'

const GRADIENTS: usize = 256
const HESSIANS: usize = 512
const CUT_G: usize = 768
const CUT_H: usize = 1040
const CUT_KEY: usize = 1312

function loadGradients(list: usize, rows: i32): void {
  let to = sortScratch
  for (let at = list, end = list + (<usize>rows << 2); at < end; at += 4, to += 4) {
    const value = load<i64>(gradients + (<usize>load<u32>(at) << 3))
    store<i32>(to, <i32>(value >> 32), GRADIENTS)
    store<i32>(to, <i32>value, HESSIANS)
  }
}

function gatherKeys(first: usize, second: usize, list: usize, rows: i32): void {
  let key = sortScratch
  const end = key + (rows <= 32 ? <usize>registersFor(rows) << 4 : 256)
  for (let at = key + ((<usize>rows << 2) & ~15); at < end; at += 16) v128.store(at, i32x4.splat(-1))
  let index: u32 = 0
  for (let at = list, stop = list + (<usize>rows << 2); at < stop; at += 4, key += 4, index += 0x10001) {
    const place = <usize>load<u32>(at)
    store<u32>(key, (<u32>load<u8>(first + place) << 8) | (<u32>load<u8>(second + place) << 24) | index)
  }
}

/** Lists the cuts of one sorted column: after every code but the missing ones. Returns how many. */
function listCuts(half: usize, rows: i32, keyBase: i32): i32 {
  const registers = rows <= 32 ? registersFor(rows) : 8
  const shift = 31 - clz<i32>(registers)
  const base = sortScratch + half
  let g = 0
  let h = 0
  let cuts: usize = 0
  for (let i = 0; i < rows; i++) {
    const inGroup = i & 31
    const at = base + ((<usize>i >> 5) << 7) + (<usize>(inGroup & (registers - 1)) << 4) + (<usize>(inGroup >> shift) << 2)
    const key = <u32>load<u16>(at)
    const code = <i32>(key >> 8)
    if (code == MISSING) break
    const row = sortScratch + (<usize>(key & 0xff) << 2)
    g += load<i32>(row, GRADIENTS)
    h += load<i32>(row, HESSIANS)
    // Rows of the same code overwrite each other's cut: only the last one counts.
    const to = sortScratch + (cuts << 2)
    const isNew = cuts == 0 || (load<i32>(to, CUT_KEY - 4) & 0xff) != code
    const cut = isNew ? to : to - 4
    store<i32>(cut, g, CUT_G)
    store<i32>(cut, h, CUT_H)
    store<i32>(cut, keyBase | code, CUT_KEY)
    cuts += <usize>isNew
  }
  return <i32>cuts
}

/** Scores the listed cuts; `g0`, `h0` and `keyBits` are those of the missing values when they go left. */
function scoreCuts(cuts: i32, g: i32, h: i32, g0: i32, h0: i32, keyBits: i32): void {
  const allG = i32x4.splat(g)
  const allH = i32x4.splat(h)
  const count = i32x4.splat(cuts)
  let best = f32x4.splat(bestScore)
  let bestKeys = i32x4.splat(NO_SPLIT)
  let bestGs = i32x4.splat(0)
  let bestHs = i32x4.splat(0)
  let position = i32x4(0, 1, 2, 3)
  for (let at = sortScratch, end = sortScratch + (<usize>cuts << 2); at < end; at += 16) {
    const leftG = i32x4.add(v128.load(at, CUT_G), i32x4.splat(g0))
    const leftH = i32x4.add(v128.load(at, CUT_H), i32x4.splat(h0))
    const key = v128.or(v128.load(at, CUT_KEY), i32x4.splat(keyBits))
    const score = scores(leftG, leftH, allG, allH)
    const valid = v128.and(heavyEnough(leftH, allH), i32x4.lt_s(position, count))
    const better = v128.and(f32x4.gt(score, best), valid)
    best = v128.bitselect(score, best, better)
    bestKeys = v128.bitselect(key, bestKeys, better)
    bestGs = v128.bitselect(leftG, bestGs, better)
    bestHs = v128.bitselect(leftH, bestHs, better)
    position = i32x4.add(position, i32x4.splat(4))
  }
  if (v128.any_true(i32x4.ne(bestKeys, i32x4.splat(NO_SPLIT)))) joinLanes(best, bestKeys, bestGs, bestHs)
}

function searchColumn(half: usize, rows: i32, index: i32, g: i32, h: i32): void {
  const cuts = listCuts(half, rows, index << 16)
  if (cuts == 0) return
  const last = sortScratch + (<usize>(cuts - 1) << 2)
  const missingG = g - load<i32>(last, CUT_G)
  const missingH = h - load<i32>(last, CUT_H)
  scoreCuts(cuts, g, h, 0, 0, 0)
  if (missingH != 0) scoreCuts(cuts, g, h, missingG, missingH, 0x100)
}

export function searchSorted(list: usize, rows: i32, g: i32, h: i32): void {
  loadGradients(list, rows)
  for (let index = 0; index < columnCount; index += 2) {
    const both = index + 1 < columnCount
    const first = columnCodes + <usize>roundColumn(index) * <usize>places
    const second = both ? columnCodes + <usize>roundColumn(index + 1) * <usize>places : first
    gatherKeys(first, second, list, rows)
    sortKeyPairs(sortScratch, rows)
    searchColumn(0, rows, index, g, h)
    if (both) searchColumn(2, rows, index + 1, g, h)
  }
}
