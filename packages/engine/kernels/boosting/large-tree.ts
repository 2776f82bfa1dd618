// Grows the tree of one round of a large fit. Several threads do so in step: each divides its own rows and adds them to a
// histogram, all sum their histograms up, and each finds the same splits in the sum.

import { countVisits, shouldStop } from '../shared/cancel'
import { BLOCK_ROWS, growBlock } from './block'
import { addEitherToMargins, addToMargins, back, front, listAt, useSplit } from './divide'
import { divideChunk, startDivision } from './division'
import { bestG, bestH, bestKey, NO_SPLIT, resetBest } from './gain'
import { addChunk, addHistogram, clearHistogram, slotAt, subtractHistogram } from './histogram'
import { searchHistogram } from './histogram-search'
import {
  codesOf, codeStride, listA, listB, otherHistograms, otherThreads, placeMargins, recordBytes, records,
} from './large-layout'
import { BINS, CHUNK_ROWS, columnCount, roundColumn, trainRows } from './layout'
import { addLeaves, addNode, leafValue, linkChildren, mayBeSplit, splitNode, startTree } from './nodes'
import { computeRecordGradients, gatherChunk } from './records'

/** Waits until all threads have published a histogram of so many bytes, and lays those of the others behind each other. */
// @ts-ignore: decorator
@external("host", "exchange")
declare function exchange(own: usize, bytes: usize, others: usize): void

/** Makes the histogram of this thread's rows that of all rows. */
function sumOverThreads(slot: i32): void {
  if (otherThreads == 0) return
  const bytes = slotAt(1) - slotAt(0)
  exchange(slotAt(slot), bytes, otherHistograms)
  for (let i = 0; i < otherThreads; i++) addHistogram(slotAt(slot), otherHistograms + <usize>i * bytes)
}

// @ts-ignore: decorator
@inline
function addRows(slot: i32, from: usize, end: usize): void {
  gatherChunk(from, end)
  addChunk(slot, records, recordBytes, from, end)
}

/**
 * Divides the rows and, chunk by chunk, adds those of one child to its histogram; returns where the right ones begin. All
 * are divided even when the fit is cancelled, since a list must name rows.
 */
function divideAndAdd(from: usize, to: usize, begin: i32, end: i32, slot: i32, ofLeft: bool): i32 {
  clearHistogram(slot)
  startDivision(from, to, begin, end)
  let frontBefore = front
  let backBefore = back
  while (divideChunk()) {
    if (!shouldStop()) {
      if (ofLeft) addRows(slot, frontBefore, front)
      else addRows(slot, back + 4, backBefore + 4)
    }
    frontBefore = front
    backBefore = back
  }
  return <i32>((front - to) >> 2)
}

function divide(from: usize, to: usize, begin: i32, end: i32): i32 {
  startDivision(from, to, begin, end)
  let divided = true
  while (divided) divided = divideChunk()
  return <i32>((front - to) >> 2)
}

/** The rows of a leaf. */
function settle(list: usize, begin: i32, end: i32, value: f64): void {
  addToMargins(placeMargins, listAt(list, begin), listAt(list, end), value)
}

/** The rows of a node whose both children are leaves. */
function settleBoth(list: usize, begin: i32, end: i32, left: f64, right: f64): void {
  addEitherToMargins(placeMargins, listAt(list, begin), listAt(list, end), left, right)
}

/** Grows the node of this thread's rows [begin, end); `slot` holds the histogram of all threads' rows. Returns its index. */
function growLarge(
  begin: i32, end: i32, routedBegin: i32, routedEnd: i32, g: i32, h: i32, depth: i32, slot: i32, side: i32,
): i32 {
  const list = side == 0 ? listA : listB
  if (otherThreads == 0 && end - begin <= BLOCK_ROWS && routedEnd - routedBegin <= BLOCK_ROWS) {
    return growBlock(list, begin, end, routedBegin, routedEnd, g, h, depth, slot)
  }
  const value = leafValue(g, h)
  const index = addNode(value)
  resetBest(g, h)
  if (mayBeSplit(h, depth) && !shouldStop()) searchHistogram(slot)
  countVisits(end - begin + routedEnd - routedBegin)
  if (bestKey == NO_SPLIT) {
    settle(list, begin, end, value)
    settle(list, routedBegin, routedEnd, value)
    return index
  }
  splitNode(index)
  useSplit(codesOf(roundColumn(bestKey >> 16)), codeStride(), bestKey)
  if (mayBeSplit(bestH, depth + 1) || mayBeSplit(h - bestH, depth + 1)) {
    growLargeChildren(index, begin, end, routedBegin, routedEnd, bestG, bestH, g - bestG, h - bestH, depth + 1, slot, side)
  } else {
    const left = leafValue(bestG, bestH)
    const right = leafValue(g - bestG, h - bestH)
    addLeaves(index, left, right, bestH <= h - bestH)
    settleBoth(list, begin, end, left, right)
    settleBoth(list, routedBegin, routedEnd, left, right)
  }
  return index
}

/** In the order of tree.ts. */
function growLargeChildren(
  parent: i32, begin: i32, end: i32, routedBegin: i32, routedEnd: i32, leftG: i32, leftH: i32, rightG: i32, rightH: i32,
  depth: i32, slot: i32, side: i32,
): void {
  const list = side == 0 ? listA : listB
  const other = side == 0 ? listB : listA
  const leftIsLighter = leftH <= rightH
  const middle = divideAndAdd(list, other, begin, end, slot + 1, leftIsLighter)
  const routedMiddle = divide(list, other, routedBegin, routedEnd)
  sumOverThreads(slot + 1)
  subtractHistogram(slot, slot + 1)
  const leftSlot = leftIsLighter ? slot + 1 : slot
  const rightSlot = leftIsLighter ? slot : slot + 1
  let left = 0
  if (leftIsLighter) left = growLarge(begin, middle, routedBegin, routedMiddle, leftG, leftH, depth, leftSlot, 1 - side)
  const right = growLarge(middle, end, routedMiddle, routedEnd, rightG, rightH, depth, rightSlot, 1 - side)
  if (!leftIsLighter) left = growLarge(begin, middle, routedBegin, routedMiddle, leftG, leftH, depth, leftSlot, 1 - side)
  linkChildren(parent, left, right)
}

/** Gradients of all training rows; when all of them teach, they are added to the first histogram at once. */
function computeAndAdd(allTeach: bool): void {
  for (let from = 0; from < trainRows && !shouldStop(); from += CHUNK_ROWS) {
    const to = min(trainRows, from + CHUNK_ROWS)
    computeRecordGradients(<usize>from, <usize>to)
    if (allTeach) addChunk(0, records, recordBytes, listAt(listA, from), listAt(listA, to))
    countVisits(4 * CHUNK_ROWS)
  }
}

function addListed(rows: i32): void {
  for (let at = 0; at < rows && !shouldStop(); at += CHUNK_ROWS) {
    addRows(0, listAt(listA, at), listAt(listA, min(rows, at + CHUNK_ROWS)))
  }
}

/** The sum over the bins of any one column is that of all rows. */
function sumOfBins(slot: i32): i64 {
  let sum: i64 = 0
  for (let at = slotAt(slot), end = at + (<usize>BINS << 3); at < end; at += 8) sum += load<i64>(at)
  return sum
}

/** One round: of this thread's rows the first `learnedRows` of listA teach the tree, the `routedRows` after them follow it. */
export function growLargeRound(learnedRows: i32, routedRows: i32): void {
  startTree()
  clearHistogram(0)
  const allTeach = learnedRows == trainRows
  computeAndAdd(allTeach)
  if (!allTeach) addListed(learnedRows)
  sumOverThreads(0)
  const sum = sumOfBins(0)
  growLarge(0, learnedRows, learnedRows, learnedRows + routedRows, <i32>(sum >> 32), <i32>sum, 0, 0, 0)
  countVisits(columnCount * BINS)
}
