// How the tree of a small fit, or of a block, divides its rows, makes histograms and searches nodes.

import { countVisits, shouldStop } from '../shared/cancel'
import { back, front, listAt, partition, partitionChunk, startPartition } from './divide'
import { computeGradients } from './gradient'
import { addAllToHistogram, addToHistogram, buildHistogram, clearHistogram, subtractHistogram } from './histogram'
import { searchHistogram } from './histogram-search'
import { BINS, CHUNK_ROWS, gradients, maxDepth, placesA, SORTED_ROWS, trainRows } from './layout'
import { mayBeSplit } from './nodes'
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
    if (ofLeft) addToHistogram(slot, frontBefore, front, 1)
    else addToHistogram(slot, back + 4, backBefore + 4, 1)
  }
  return <i32>((front - to) >> 2)
}

export function needsHistogram(rows: i32, h: i32, depth: i32): bool {
  return rows > SORTED_ROWS && mayBeSplit(h, depth)
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
    addAllToHistogram(slot, listAt(list, lighterAt), lighterRows, -1)
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
export function divideSmall(
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
export function searchSmall(list: usize, begin: i32, end: i32, g: i32, h: i32, slot: i32): void {
  const rows = end - begin
  if (rows > SORTED_ROWS) searchHistogram(slot)
  else if (rows > 1) searchSorted(listAt(list, begin), rows, g, h)
}

/** Gradients of all training rows and, if the first node needs it, its histogram; returns the sum over those that teach. */
export function startSmall(learnedRows: i32): i64 {
  computeGradients()
  let sum: i64 = 0
  for (let i = 0; i < learnedRows; i++) sum += load<i64>(gradients + (<usize>load<u32>(listAt(placesA, i)) << 3))
  countVisits(4 * trainRows + learnedRows)
  if (needsHistogram(learnedRows, <i32>sum, 0) && !shouldStop()) buildHistogram(0, placesA, learnedRows)
  return sum
}
