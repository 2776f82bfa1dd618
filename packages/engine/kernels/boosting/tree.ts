// Grows the tree of one round and adds its leaves to the margins of all rows it routes. A large fit and a small one differ
// in where their rows lie and how they are divided; a subtree of few rows in a large fit is grown as a small one.

import { countVisits, shouldStop } from '../shared/cancel'
import { addBlockMargins, BLOCK_ROWS, fillBlock } from './block'
import { partition, settle, settleBoth, useSplit } from './divide'
import { bestG, bestH, bestKey, NO_SPLIT, resetBest } from './gain'
import { searchHistogram } from './histogram-search'
import { codesOf, codeStride, listA, listB, otherThreads, placeMargins } from './large-layout'
import { divideFollowers, divideLarge, startLarge } from './large-tree'
import { margins, placesA, placesB, roundColumn, rowBytes, rowCodes } from './layout'
import { addLeaves, addNode, leafValue, linkChildren, mayBeSplit, splitNode, startTree } from './nodes'
import { divideSmall, searchSmall, startSmall } from './small-tree'

/** The list that rows are divided from at a side, 0 or 1; they are divided into that of the other side. */
function listOf(isLarge: bool, side: i32): usize {
  if (isLarge) return side == 0 ? listA : listB
  return side == 0 ? placesA : placesB
}

/**
 * Grows the node of this thread's rows [begin, end); `slot` holds the histogram of all threads' rows, in a small fit only
 * if the node needs one. Returns the node's index.
 */
function grow(
  begin: i32, end: i32, routedBegin: i32, routedEnd: i32, g: i32, h: i32, depth: i32, slot: i32, side: i32,
  isLarge: bool,
): i32 {
  const list = listOf(isLarge, side)
  if (isLarge && otherThreads == 0 && end - begin <= BLOCK_ROWS && routedEnd - routedBegin <= BLOCK_ROWS) {
    return growBlock(list, begin, end, routedBegin, routedEnd, g, h, depth, slot)
  }
  const marginsAt = isLarge ? placeMargins : margins
  const value = leafValue(g, h)
  const index = addNode(value)
  resetBest(g, h)
  if (mayBeSplit(h, depth) && !shouldStop()) {
    if (isLarge) searchHistogram(slot)
    else searchSmall(list, begin, end, g, h, slot)
  }
  countVisits(end - begin + routedEnd - routedBegin)
  if (bestKey == NO_SPLIT) {
    settle(marginsAt, list, begin, end, routedBegin, routedEnd, value)
    return index
  }
  splitNode(index)
  const column = roundColumn(bestKey >> 16)
  if (isLarge) useSplit(codesOf(column), codeStride(), bestKey)
  else useSplit(rowCodes + column, rowBytes, bestKey)
  const rightG = g - bestG
  const rightH = h - bestH
  if (mayBeSplit(bestH, depth + 1) || mayBeSplit(rightH, depth + 1)) {
    growChildren(
      index, begin, end, routedBegin, routedEnd, bestG, bestH, rightG, rightH, depth + 1, slot, side, isLarge,
    )
  } else {
    const left = leafValue(bestG, bestH)
    const right = leafValue(rightG, rightH)
    addLeaves(index, left, right, bestH <= rightH)
    settleBoth(marginsAt, list, begin, end, routedBegin, routedEnd, left, right)
  }
  return index
}

/**
 * The lighter child, whose histogram is in slot + 1, first: its descendants use the slots above, while the other one's waits
 * in `slot`.
 */
function growChildren(
  parent: i32, begin: i32, end: i32, routedBegin: i32, routedEnd: i32, leftG: i32, leftH: i32, rightG: i32, rightH: i32,
  depth: i32, slot: i32, side: i32, isLarge: bool,
): void {
  const list = listOf(isLarge, side)
  const other = listOf(isLarge, 1 - side)
  const leftIsLighter = leftH <= rightH
  let middle = 0
  let routedMiddle = 0
  if (isLarge) {
    middle = divideLarge(list, other, begin, end, leftIsLighter, slot)
    routedMiddle = divideFollowers(list, other, routedBegin, routedEnd)
  } else {
    middle = divideSmall(list, other, begin, end, leftH, rightH, depth, slot)
    routedMiddle = partition(list, other, routedBegin, routedEnd)
  }
  const leftSlot = leftIsLighter ? slot + 1 : slot
  const rightSlot = leftIsLighter ? slot : slot + 1
  let left = 0
  if (leftIsLighter) {
    left = grow(begin, middle, routedBegin, routedMiddle, leftG, leftH, depth, leftSlot, 1 - side, isLarge)
  }
  const right = grow(middle, end, routedMiddle, routedEnd, rightG, rightH, depth, rightSlot, 1 - side, isLarge)
  if (!leftIsLighter) {
    left = grow(begin, middle, routedBegin, routedMiddle, leftG, leftH, depth, leftSlot, 1 - side, isLarge)
  }
  linkChildren(parent, left, right)
}

/** A subtree of few rows in a large fit; the node's histogram is in `slot`. Returns the node's index. */
function growBlock(
  list: usize, begin: i32, end: i32, routedBegin: i32, routedEnd: i32, g: i32, h: i32, depth: i32, slot: i32,
): i32 {
  const rows = end - begin
  const all = rows + routedEnd - routedBegin
  fillBlock(list, begin, end, routedBegin, routedEnd)
  const index = grow(0, rows, rows, all, g, h, depth, slot, 0, false)
  addBlockMargins(list, begin, end, 0)
  addBlockMargins(list, routedBegin, routedEnd, rows)
  return index
}

function growFrom(sum: i64, learnedRows: i32, routedRows: i32, isLarge: bool): void {
  startTree()
  grow(0, learnedRows, learnedRows, learnedRows + routedRows, <i32>(sum >> 32), <i32>sum, 0, 0, 0, isLarge)
}

/** One round: the first `learnedRows` of placesA teach the tree, the `routedRows` after them only follow it. */
export function growRound(learnedRows: i32, routedRows: i32): void {
  growFrom(startSmall(learnedRows), learnedRows, routedRows, false)
}

/** The same of this thread's rows of a large fit, which listA names. */
export function growLargeRound(learnedRows: i32, routedRows: i32): void {
  growFrom(startLarge(learnedRows), learnedRows, routedRows, true)
}
