// Grows the tree of one round and adds its leaves to the margins of all rows it routes.

import { countVisits, shouldStop } from '../shared/cancel'
import {
  addEitherToMargins, addToMargins, back, front, listAt, partition, partitionChunk, startPartition, useSplit,
} from './divide'
import { bestG, bestH, bestKey, NO_SPLIT, resetBest } from './gain'
import { computeGradients } from './gradient'
import {
  addToHistogram, buildHistogram, clearHistogram, removeFromHistogram, subtractHistogram,
} from './histogram'
import { searchHistogram } from './histogram-search'
import {
  BINS, CHUNK_ROWS, gradients, margins, maxDepth, placesA, placesB, roundColumn, rowBytes, rowCodes, SORTED_ROWS, trainRows,
} from './layout'
import { addLeaves, addNode, leafValue, linkChildren, mayBeSplit, splitNode, startTree } from './nodes'
import { searchSorted } from './sorted-node'

/** From here on a node's codes do not stay in the near caches from one pass over its rows to the next. */
const MANY_ROWS: i32 = 4096

/**
 * Divides the rows and, while their codes are at hand, builds the histogram of one child from them. All are divided even
 * when the fit is cancelled, since a list must name rows.
 */
function partitionAndBuild(from: usize, to: usize, begin: i32, end: i32, slot: i32, ofLeft: bool): i32 {
  clearHistogram(slot)
  startPartition(to, begin, end)
  for (let at = begin; at < end; at += CHUNK_ROWS) {
    const frontBefore = front
    const backBefore = back
    partitionChunk(listAt(from, at), listAt(from, min(end, at + CHUNK_ROWS)))
    if (shouldStop()) continue
    if (ofLeft) addToHistogram(slot, frontBefore, front)
    else addToHistogram(slot, back + 4, backBefore + 4)
  }
  return <i32>((front - to) >> 2)
}

// @ts-ignore: decorator
@inline
function canSplit(rows: i32, h: i32, depth: i32): bool {
  return rows > 1 && mayBeSplit(h, depth)
}

// @ts-ignore: decorator
@inline
function needsHistogram(rows: i32, h: i32, depth: i32): bool {
  return rows > SORTED_ROWS && canSplit(rows, h, depth)
}

/**
 * Makes the histograms that two children need: that of the lighter one in `slot + 1`, the other one's in `slot`, where that
 * of their parent is.
 */
function buildChildren(
  slot: i32, list: usize, lighterAt: i32, lighterRows: i32, lighterNeeds: bool, heavierAt: i32, heavierRows: i32,
  heavierNeeds: bool,
): void {
  if (heavierNeeds && !lighterNeeds && lighterRows <= heavierRows) {
    removeFromHistogram(slot, listAt(list, lighterAt), lighterRows)
    return
  }
  const bySubtraction = heavierNeeds && heavierRows > BINS
  if (lighterNeeds || bySubtraction) buildHistogram(slot + 1, listAt(list, lighterAt), lighterRows)
  if (bySubtraction) subtractHistogram(slot, slot + 1)
  else if (heavierNeeds) buildHistogram(slot, listAt(list, heavierAt), heavierRows)
}

/**
 * Divides the rows of a node and makes the histograms that its children, at `depth`, need; returns where the right rows
 * begin.
 */
function divideRows(
  list: usize, other: usize, begin: i32, end: i32, leftH: i32, rightH: i32, depth: i32, slot: i32,
): i32 {
  const leftIsLighter = leftH <= rightH
  if (end - begin > MANY_ROWS && depth < maxDepth) {
    const middle = partitionAndBuild(list, other, begin, end, slot + 1, leftIsLighter)
    subtractHistogram(slot, slot + 1)
    return middle
  }
  const middle = partition(list, other, begin, end)
  const leftNeeds = needsHistogram(middle - begin, leftH, depth)
  const rightNeeds = needsHistogram(end - middle, rightH, depth)
  if (leftIsLighter) buildChildren(slot, other, begin, middle - begin, leftNeeds, middle, end - middle, rightNeeds)
  else buildChildren(slot, other, middle, end - middle, rightNeeds, begin, middle - begin, leftNeeds)
  return middle
}

/** Finds the best split of rows [begin, end), whose histogram is in `slot` if they need one. */
function search(list: usize, begin: i32, end: i32, g: i32, h: i32, depth: i32, slot: i32): void {
  const rows = end - begin
  resetBest(g, h)
  if (!canSplit(rows, h, depth) || shouldStop()) return
  if (rows > SORTED_ROWS) searchHistogram(slot)
  else searchSorted(listAt(list, begin), rows, g, h)
}

/** The rows of a leaf. */
function settle(list: usize, begin: i32, end: i32, value: f64): void {
  addToMargins(margins, listAt(list, begin), listAt(list, end), value)
}

/** The rows of a node whose both children are leaves. */
function settleBoth(list: usize, begin: i32, end: i32, left: f64, right: f64): void {
  addEitherToMargins(margins, listAt(list, begin), listAt(list, end), left, right)
}

/** Grows the node of rows [begin, end), whose histogram is in `slot` if it needs one; returns its index. */
export function grow(
  begin: i32, end: i32, routedBegin: i32, routedEnd: i32, g: i32, h: i32, depth: i32, slot: i32, side: i32,
): i32 {
  const list = side == 0 ? placesA : placesB
  const value = leafValue(g, h)
  const index = addNode(value)
  search(list, begin, end, g, h, depth, slot)
  countVisits(end - begin + routedEnd - routedBegin)
  if (bestKey == NO_SPLIT) {
    settle(list, begin, end, value)
    settle(list, routedBegin, routedEnd, value)
    return index
  }
  splitNode(index)
  useSplit(rowCodes + roundColumn(bestKey >> 16), rowBytes, bestKey)
  if (mayBeSplit(bestH, depth + 1) || mayBeSplit(h - bestH, depth + 1)) {
    growChildren(index, begin, end, routedBegin, routedEnd, bestG, bestH, g - bestG, h - bestH, depth + 1, slot, side)
  } else {
    const left = leafValue(bestG, bestH)
    const right = leafValue(g - bestG, h - bestH)
    addLeaves(index, left, right, bestH <= h - bestH)
    settleBoth(list, begin, end, left, right)
    settleBoth(list, routedBegin, routedEnd, left, right)
  }
  return index
}

/**
 * The lighter child, whose histogram is in slot + 1, first: its descendants use the slots above, while the other one's waits
 * in `slot`.
 */
function growChildren(
  parent: i32, begin: i32, end: i32, routedBegin: i32, routedEnd: i32, leftG: i32, leftH: i32, rightG: i32, rightH: i32,
  depth: i32, slot: i32, side: i32,
): void {
  const list = side == 0 ? placesA : placesB
  const other = side == 0 ? placesB : placesA
  const leftIsLighter = leftH <= rightH
  const middle = divideRows(list, other, begin, end, leftH, rightH, depth, slot)
  const routedMiddle = partition(list, other, routedBegin, routedEnd)
  const leftSlot = leftIsLighter ? slot + 1 : slot
  const rightSlot = leftIsLighter ? slot : slot + 1
  let left = 0
  if (leftIsLighter) left = grow(begin, middle, routedBegin, routedMiddle, leftG, leftH, depth, leftSlot, 1 - side)
  const right = grow(middle, end, routedMiddle, routedEnd, rightG, rightH, depth, rightSlot, 1 - side)
  if (!leftIsLighter) left = grow(begin, middle, routedBegin, routedMiddle, leftG, leftH, depth, leftSlot, 1 - side)
  linkChildren(parent, left, right)
}

/** One round: the first `learnedRows` of placesA teach the tree, the `routedRows` after them only follow it. */
export function growRound(learnedRows: i32, routedRows: i32): void {
  startTree()
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
