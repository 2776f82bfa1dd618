// How the tree of a large fit divides its rows and makes histograms. Several threads do so in step: each divides its own
// rows and adds them to a histogram, all sum their histograms up, and each finds the same splits in the sum.

import { countVisits, shouldStop } from '../shared/cancel'
import { back, front, listAt } from './divide'
import { divideChunk, startDivision } from './division'
import { addChunk, addHistogram, clearHistogram, slotAt, subtractHistogram } from './histogram'
import { listA, otherHistograms, otherThreads, recordBytes, records } from './large-layout'
import { BINS, CHUNK_ROWS, columnCount, trainRows } from './layout'
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

function addRows(slot: i32, from: usize, end: usize): void {
  gatherChunk(from, end)
  addChunk(slot, records, recordBytes, from, end)
}

/**
 * Divides this thread's rows of a node and, chunk by chunk, adds those of the lighter child to its histogram, in `slot + 1`;
 * that of all threads' rows of the other child is then left in `slot`. Returns where the right rows begin. All rows are
 * divided even when the fit is cancelled, since a list must name rows.
 */
export function divideLarge(list: usize, other: usize, begin: i32, end: i32, leftIsLighter: bool, slot: i32): i32 {
  clearHistogram(slot + 1)
  startDivision(list, other, begin, end)
  let frontBefore = front
  let backBefore = back
  while (divideChunk()) {
    if (!shouldStop()) {
      if (leftIsLighter) addRows(slot + 1, frontBefore, front)
      else addRows(slot + 1, back + 4, backBefore + 4)
    }
    frontBefore = front
    backBefore = back
  }
  const middle = <i32>((front - other) >> 2)
  sumOverThreads(slot + 1)
  subtractHistogram(slot, slot + 1)
  return middle
}

/** Divides rows that only follow the tree. */
export function divideFollowers(list: usize, other: usize, begin: i32, end: i32): i32 {
  startDivision(list, other, begin, end)
  let divided = true
  while (divided) divided = divideChunk()
  return <i32>((front - other) >> 2)
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

/** Gradients of all training rows and the first histogram; returns the sum over the rows of all threads that teach. */
export function startLarge(learnedRows: i32): i64 {
  clearHistogram(0)
  const allTeach = learnedRows == trainRows
  computeAndAdd(allTeach)
  if (!allTeach) addListed(learnedRows)
  sumOverThreads(0)
  countVisits(columnCount * BINS)
  return sumOfBins(0)
}
