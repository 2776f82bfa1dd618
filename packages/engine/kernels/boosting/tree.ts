// Grows the tree of one round and adds its leaves to the margins of all rows it routes.
//
// A node is 32 bytes: i32 column << 9 | missing goes left << 8 | last code on the left (or -1 for a leaf); i32 left
// child; i32 right child; i32 unused; f64 value; f64 gain.

import { shouldStop } from '../shared/cancel'
import { bestG, bestH, bestKey, bestScore, NO_SPLIT, ownScore, resetBest } from './gain'
import { computeGradients } from './gradient'
import { buildHistogram, searchHistogram, subtractHistogram } from './histogram'
import {
  columnCodes, eta, gradients, lambda, learnedA, learnedB, margins, maxDepth, minChildWeight, nodes, places, roundColumn,
  routedA, routedB, scale, SORTED_ROWS, BINS, columnCount,
} from './layout'
import { searchSorted } from './sorted-node'

const NODE_BYTES: usize = 32

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

/** Left rows to the front, right rows to the back. With `missingLeft` the code 255 wraps to 0 and so goes left. */
function partition(column: usize, cut: i32, missingLeft: i32, from: usize, to: usize, begin: i32, end: i32): i32 {
  let front = listAt(to, begin)
  let back = listAt(to, end) - 4
  const last = cut + missingLeft
  for (let at = listAt(from, begin), stop = listAt(from, end); at < stop; at += 4) {
    const place = load<u32>(at)
    const code = (<i32>load<u8>(column + <usize>place) + missingLeft) & 0xff
    const goesLeft = code <= last
    store<u32>(select<usize>(front, back, goesLeft), place)
    front += <usize>goesLeft << 2
    back -= <usize>!goesLeft << 2
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

/**
 * Makes the histograms that two children need out of their parent's in `slot`: the child with fewer rows gets
 * `slot + 1`, the other one `slot`.
 */
function buildChildren(slot: i32, list: usize, begin: i32, middle: i32, end: i32, leftNeeds: bool, rightNeeds: bool): void {
  const leftIsFewer = middle - begin <= end - middle
  const fewerAt = leftIsFewer ? begin : middle
  const fewerRows = leftIsFewer ? middle - begin : end - middle
  const moreAt = leftIsFewer ? middle : begin
  const moreRows = leftIsFewer ? end - middle : middle - begin
  const fewerNeeds = leftIsFewer ? leftNeeds : rightNeeds
  const moreNeeds = leftIsFewer ? rightNeeds : leftNeeds
  const bySubtraction = moreNeeds && moreRows > BINS
  if (fewerNeeds || bySubtraction) buildHistogram(slot + 1, listAt(list, fewerAt), fewerRows)
  if (bySubtraction) subtractHistogram(slot, slot + 1)
  else if (moreNeeds) buildHistogram(slot, listAt(list, moreAt), moreRows)
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
  const learned = side == 0 ? learnedA : learnedB
  const routed = side == 0 ? routedA : routedB
  resetBest(g, h)
  if (canSplit(rows, h, depth) && !shouldStop(rows * columnCount)) {
    if (rows > SORTED_ROWS) searchHistogram(slot, g, h)
    else searchSorted(listAt(learned, begin), rows, g, h)
  }
  if (bestKey == NO_SPLIT) {
    addToMargins(learned, begin, end, value)
    addToMargins(routed, routedBegin, routedEnd, value)
    return index
  }
  const column = roundColumn(bestKey >> 16)
  const missingLeft = (bestKey >> 8) & 1
  const cut = bestKey & 0xff
  const leftG = bestG
  const leftH = bestH
  store<i32>(node, (column << 9) | (missingLeft << 8) | cut)
  store<f64>(node, <f64>(bestScore - ownScore) / scale, 24)
  const codes = columnCodes + <usize>column * <usize>places
  const other = side == 0 ? learnedB : learnedA
  const middle = partition(codes, cut, missingLeft, learned, other, begin, end)
  const routedMiddle = partition(
    codes, cut, missingLeft, routed, side == 0 ? routedB : routedA, routedBegin, routedEnd,
  )
  const rightG = g - leftG
  const rightH = h - leftH
  buildChildren(
    slot, other, begin, middle, end,
    needsHistogram(middle - begin, leftH, depth + 1), needsHistogram(end - middle, rightH, depth + 1),
  )
  // The child in slot + 1 first: its descendants use the slots above, while the other one's histogram waits in `slot`.
  const leftFirst = middle - begin <= end - middle
  let left = 0
  if (leftFirst) left = grow(begin, middle, routedBegin, routedMiddle, leftG, leftH, depth + 1, slot + 1, 1 - side)
  const right = grow(middle, end, routedMiddle, routedEnd, rightG, rightH, depth + 1, leftFirst ? slot : slot + 1, 1 - side)
  if (!leftFirst) left = grow(begin, middle, routedBegin, routedMiddle, leftG, leftH, depth + 1, slot, 1 - side)
  store<i32>(node, left, 4)
  store<i32>(node, right, 8)
  return index
}

/** One round: learnedA[0, learnedRows) teach the tree, routedA[0, routedRows) only follow it. */
export function growRound(learnedRows: i32, routedRows: i32): void {
  nodeCount = 0
  computeGradients()
  let g = 0
  let h = 0
  for (let i = 0; i < learnedRows; i++) {
    const value = load<i64>(gradients + (<usize>load<u32>(listAt(learnedA, i)) << 3))
    g += <i32>(value >> 32)
    h += <i32>value
  }
  if (needsHistogram(learnedRows, h, 0)) buildHistogram(0, learnedA, learnedRows)
  grow(0, learnedRows, 0, routedRows, g, h, 0, 0, 0)
}
