// Grows the tree of one round and adds its leaves to the margins of all rows it routes.
//
// A node is 32 bytes: i32 column << 9 | missing goes left << 8 | last code on the left (or -1 for a leaf); i32 left
// child; i32 right child; i32 unused; f64 value; f64 gain.

import { countVisits, shouldStop } from '../shared/cancel'
import { bestG, bestGain, bestH, bestKey, NO_SPLIT, resetBest } from './gain'
import { computeGradients } from './gradient'
import {
  addToHistogram, buildHistogram, CHUNK_ROWS, clearHistogram, searchHistogram, subtractHistogram,
} from './histogram'
import {
  BINS, columnCount, eta, gradients, lambda, margins, maxDepth, minChildWeight, nodes, placesA, placesB, roundColumn, rowBytes,
  rowCodes, scale, SORTED_ROWS, trainRows,
} from './layout'
import { searchSorted } from './sorted-node'

const NODE_BYTES: usize = 32
/** From here on a node's codes do not stay in the near caches from one pass over its rows to the next. */
const MANY_ROWS: i32 = 4096

let nodeCount: i32 = 0

export function grownNodes(): i32 {
  return nodeCount
}

// @ts-ignore: decorator
@inline
function listAt(list: usize, index: i32): usize {
  return list + (<usize>index << 2)
}

function addToMargins(list: usize, begin: i32, end: i32, value: f64): void {
  for (let at = listAt(list, begin), stop = listAt(list, end); at < stop; at += 4) {
    const margin = margins + (<usize>load<u32>(at) << 3)
    store<f64>(margin, load<f64>(margin) + value)
  }
}

let front: usize = 0
let back: usize = 0

/**
 * Writes left rows on from `front` and right rows, backwards, on from `back`. With `missingLeft` the code 255 wraps to 0
 * and so goes left.
 */
function partitionChunk(codes: usize, cut: i32, missingLeft: i32, from: usize, end: usize): void {
  let nextFront = front
  let nextBack = back
  const last = cut + missingLeft
  for (let at = from; at < end; at += 4) {
    const place = load<u32>(at)
    const code = (<i32>load<u8>(codes + <usize>place * rowBytes) + missingLeft) & 0xff
    const goesLeft = code <= last
    store<u32>(select<usize>(nextFront, nextBack, goesLeft), place)
    nextFront += <usize>goesLeft << 2
    nextBack -= <usize>!goesLeft << 2
  }
  front = nextFront
  back = nextBack
}

// @ts-ignore: decorator
@inline
function startPartition(to: usize, begin: i32, end: i32): void {
  front = listAt(to, begin)
  back = listAt(to, end) - 4
}

/** Left rows to the front, right rows to the back of the same range of `to`; returns where the right ones begin. */
function partition(codes: usize, cut: i32, missingLeft: i32, from: usize, to: usize, begin: i32, end: i32): i32 {
  startPartition(to, begin, end)
  partitionChunk(codes, cut, missingLeft, listAt(from, begin), listAt(from, end))
  return <i32>((front - to) >> 2)
}

/** Divides the rows and, while their codes are at hand, builds the histogram of one child from them. */
function partitionAndBuild(
  codes: usize, cut: i32, missingLeft: i32, from: usize, to: usize, begin: i32, end: i32, slot: i32, ofLeft: bool,
): i32 {
  clearHistogram(slot)
  startPartition(to, begin, end)
  for (let at = begin; at < end && !shouldStop(); at += CHUNK_ROWS) {
    const frontBefore = front
    const backBefore = back
    partitionChunk(codes, cut, missingLeft, listAt(from, at), listAt(from, min(end, at + CHUNK_ROWS)))
    if (ofLeft) addToHistogram(slot, frontBefore, front)
    else addToHistogram(slot, back + 4, backBefore + 4)
    countVisits(columnCount * CHUNK_ROWS)
  }
  return <i32>((front - to) >> 2)
}

// @ts-ignore: decorator
@inline
function canSplit(rows: i32, h: i32, depth: i32): bool {
  return depth < maxDepth && rows > 1 && <f32>h >= 2 * minChildWeight
}

// @ts-ignore: decorator
@inline
function needsHistogram(rows: i32, h: i32, depth: i32): bool {
  return rows > SORTED_ROWS && canSplit(rows, h, depth)
}

/** Makes the histograms that two children need: that of the lighter one in `slot + 1`, the other one's in `slot`. */
function buildChildren(
  slot: i32, list: usize, lighterAt: i32, lighterRows: i32, lighterNeeds: bool, heavierAt: i32, heavierRows: i32,
  heavierNeeds: bool,
): void {
  const bySubtraction = heavierNeeds && heavierRows > BINS
  if (lighterNeeds || bySubtraction) buildHistogram(slot + 1, listAt(list, lighterAt), lighterRows)
  if (bySubtraction) subtractHistogram(slot, slot + 1)
  else if (heavierNeeds) buildHistogram(slot, listAt(list, heavierAt), heavierRows)
}

/** Grows the node of rows [begin, end), whose histogram is in `slot` if it needs one; returns its index. */
function grow(
  begin: i32, end: i32, routedBegin: i32, routedEnd: i32, g: i32, h: i32, depth: i32, slot: i32, side: i32,
): i32 {
  const rows = end - begin
  const index = nodeCount
  nodeCount += 1
  const node = nodes + <usize>index * NODE_BYTES
  const value = (-eta * <f64>g) / (<f64>h + <f64>lambda)
  store<i32>(node, -1)
  store<i32>(node, 0, 4)
  store<i32>(node, 0, 8)
  store<f64>(node, value, 16)
  store<f64>(node, 0, 24)
  const list = side == 0 ? placesA : placesB
  resetBest(g, h)
  if (canSplit(rows, h, depth) && !shouldStop()) {
    if (rows > SORTED_ROWS) searchHistogram(slot, g, h)
    else searchSorted(listAt(list, begin), rows, g, h)
  }
  countVisits(rows + routedEnd - routedBegin)
  if (bestKey == NO_SPLIT) {
    addToMargins(list, begin, end, value)
    addToMargins(list, routedBegin, routedEnd, value)
    return index
  }
  const column = roundColumn(bestKey >> 16)
  const missingLeft = (bestKey >> 8) & 1
  const cut = bestKey & 0xff
  const leftG = bestG
  const leftH = bestH
  store<i32>(node, (<i32>column << 9) | (missingLeft << 8) | cut)
  store<f64>(node, <f64>bestGain() / scale, 24)
  const codes = rowCodes + column
  const other = side == 0 ? placesB : placesA
  const rightG = g - leftG
  const rightH = h - leftH
  const leftIsLighter = leftH <= rightH
  let middle: i32
  if (rows > MANY_ROWS && depth + 1 < maxDepth) {
    middle = partitionAndBuild(codes, cut, missingLeft, list, other, begin, end, slot + 1, leftIsLighter)
    subtractHistogram(slot, slot + 1)
  } else {
    middle = partition(codes, cut, missingLeft, list, other, begin, end)
    const leftNeeds = needsHistogram(middle - begin, leftH, depth + 1)
    const rightNeeds = needsHistogram(end - middle, rightH, depth + 1)
    if (leftIsLighter) buildChildren(slot, other, begin, middle - begin, leftNeeds, middle, end - middle, rightNeeds)
    else buildChildren(slot, other, middle, end - middle, rightNeeds, begin, middle - begin, leftNeeds)
  }
  const routedMiddle = partition(codes, cut, missingLeft, list, other, routedBegin, routedEnd)
  // The child in slot + 1 first: its descendants use the slots above, while the other one's histogram waits in `slot`.
  let left = 0
  if (leftIsLighter) left = grow(begin, middle, routedBegin, routedMiddle, leftG, leftH, depth + 1, slot + 1, 1 - side)
  const right = grow(
    middle, end, routedMiddle, routedEnd, rightG, rightH, depth + 1, leftIsLighter ? slot : slot + 1, 1 - side,
  )
  if (!leftIsLighter) left = grow(begin, middle, routedBegin, routedMiddle, leftG, leftH, depth + 1, slot, 1 - side)
  store<i32>(node, left, 4)
  store<i32>(node, right, 8)
  return index
}

/** One round: the first `learnedRows` of placesA teach the tree, the `routedRows` after them only follow it. */
export function growRound(learnedRows: i32, routedRows: i32): void {
  nodeCount = 0
  computeGradients()
  let g = 0
  let h = 0
  for (let i = 0; i < learnedRows; i++) {
    const value = load<i64>(gradients + (<usize>load<u32>(listAt(placesA, i)) << 3))
    g += <i32>(value >> 32)
    h += <i32>value
  }
  countVisits(4 * trainRows + learnedRows)
  if (needsHistogram(learnedRows, h, 0) && !shouldStop()) buildHistogram(0, placesA, learnedRows)
  grow(0, learnedRows, learnedRows, learnedRows + routedRows, g, h, 0, 0, 0)
}
