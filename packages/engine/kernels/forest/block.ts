// Grows a subtree inside the block, depth first, left child before right child, with an explicit stack.

import { countVisits, shouldStop } from '../shared/cancel'
import { derivedSeed } from '../shared/random'
import { searchHistogramNode } from './histogram-node'
import { enterNode, leftPositives, leftRows, leftWeight, splitCode, splitColumn } from './node'
import {
  BAG_0, BAG_1, BLOCK_CODES, BLOCK_STACK, blockStride, minNode, nodes, ROUTED_0, ROUTED_1, scratch, SUMS,
} from './scratch'
import * as stack from './stack'
import { isSmallNode, searchSmallNode } from './small-node'
import { addNode, NO_PARENT, splitNode } from './tree-nodes'

/** Writes the rows with code <= cut to the front of the same range of `to` and the others, backwards, to its end. */
function partition(column: usize, cut: i32, from: usize, to: usize, begin: i32, end: i32): i32 {
  let front = to + (<usize>begin << 1)
  let back = to + (<usize>end << 1) - 2
  for (let at = from + (<usize>begin << 1), stop = from + (<usize>end << 1); at < stop; at += 2) {
    const row = load<u16>(at)
    const goesLeft = <i32>load<u8>(column + <usize>row) <= cut
    store<u16>(select<usize>(front, back, goesLeft), row)
    front += <usize>goesLeft << 1
    back -= <usize>!goesLeft << 1
  }
  return <i32>((front - to) >> 1)
}

// @ts-ignore: decorator
@inline
function addToSums(routed: usize, begin: i32, end: i32, fraction: f64): void {
  const sums = scratch + SUMS
  for (let at = routed + (<usize>begin << 1), stop = routed + (<usize>end << 1); at < stop; at += 2) {
    const sum = sums + (<usize>load<u16>(at) << 3)
    store<f64>(sum, load<f64>(sum) + fraction)
  }
}

/** What two leaves of a split add to the rows that reach them, without dividing these first. */
function addBothToSums(
  column: usize, cut: i32, routed: usize, begin: i32, end: i32, leftFraction: f64, rightFraction: f64,
): void {
  const sums = scratch + SUMS
  for (let at = routed + (<usize>begin << 1), stop = routed + (<usize>end << 1); at < stop; at += 2) {
    const row = <usize>load<u16>(at)
    const sum = sums + (row << 3)
    const goesLeft = <i32>load<u8>(column + row) <= cut
    store<f64>(sum, load<f64>(sum) + select<f64>(leftFraction, rightFraction, goesLeft))
  }
}

// @ts-ignore: decorator
@inline
function isPureOrTiny(rows: i32, weight: i32, positives: i32): bool {
  return rows < minNode || positives == 0 || positives == weight
}

function findSplit(bag: usize, rows: i32, weight: i32, positives: i32, seed: u32): bool {
  if (isPureOrTiny(rows, weight, positives) || shouldStop()) return false
  enterNode(rows, weight, positives, seed)
  return isSmallNode(rows, weight) ? searchSmallNode(bag) : searchHistogramNode(bag)
}

/**
 * Grows from BAG_0[0, bagRows) and ROUTED_0[0, routedRows). `lighter` is the weight of the lighter class, which is the
 * positive one unless `flipped`.
 */
export function growBlock(
  bagRows: i32, routedRows: i32, rootWeight: i32, lighter: i32, flipped: bool, rootSeed: u32, rootParent: i32,
): void {
  const bottom = scratch + BLOCK_STACK
  const keepsNodes = nodes != 0
  let top = bottom
  let begin = 0, end = bagRows, routedBegin = 0, routedEnd = routedRows
  let side = 0
  let weight = rootWeight, positives = lighter, seed = rootSeed, parent = rootParent
  while (true) {
    const bag = scratch + (side == 0 ? BAG_0 : BAG_1)
    const otherBag = scratch + (side == 0 ? BAG_1 : BAG_0)
    const routed = scratch + (side == 0 ? ROUTED_0 : ROUTED_1)
    const otherRouted = scratch + (side == 0 ? ROUTED_1 : ROUTED_0)
    const rows = end - begin
    addNode(parent, weight, flipped ? weight - positives : positives)
    countVisits(rows + routedEnd - routedBegin)
    const wanted = keepsNodes || routedEnd > routedBegin
    let goesOn = wanted && findSplit(bag + (<usize>begin << 1), rows, weight, positives, seed)
    if (!goesOn) addToSums(routed, routedBegin, routedEnd, fraction(positives, weight, flipped))
    else {
      const column = scratch + BLOCK_CODES + <usize>splitColumn * blockStride
      const middle = begin + leftRows
      const rightWeight = weight - leftWeight
      const rightPositives = positives - leftPositives
      const leftIsLeaf = isPureOrTiny(leftRows, leftWeight, leftPositives)
      const rightIsLeaf = isPureOrTiny(end - middle, rightWeight, rightPositives)
      const bothAreLeaves = leftIsLeaf && rightIsLeaf
      if (bothAreLeaves && !keepsNodes) {
        addBothToSums(
          column, splitCode, routed, routedBegin, routedEnd,
          fraction(leftPositives, leftWeight, flipped), fraction(rightPositives, rightWeight, flipped),
        )
        goesOn = false
      } else {
        const routedMiddle = partition(column, splitCode, routed, otherRouted, routedBegin, routedEnd)
        // Without a tree to keep, leaves and branches that nobody asks for need not wait for their turn.
        const leftEnds = !keepsNodes && (leftIsLeaf || routedMiddle == routedBegin)
        const rightEnds = !keepsNodes && (rightIsLeaf || routedMiddle == routedEnd)
        goesOn = !leftEnds || !rightEnds
        // Two leaves need no order among their bag rows.
        if (goesOn && !bothAreLeaves) partition(column, splitCode, bag, otherBag, begin, end)
        side = 1 - side
        if (leftEnds) addToSums(otherRouted, routedBegin, routedMiddle, fraction(leftPositives, leftWeight, flipped))
        if (rightEnds) addToSums(otherRouted, routedMiddle, routedEnd, fraction(rightPositives, rightWeight, flipped))
        else if (!leftEnds) {
          top = stack.push(
            top, middle, end, routedMiddle, routedEnd, side, rightWeight, rightPositives, derivedSeed(seed, 1),
            splitNode(splitColumn, splitCode),
          )
        }
        if (leftEnds) {
          begin = middle
          routedBegin = routedMiddle
          weight = rightWeight
          positives = rightPositives
          seed = derivedSeed(seed, 1)
        } else {
          end = middle
          routedEnd = routedMiddle
          weight = leftWeight
          positives = leftPositives
          seed = derivedSeed(seed, 0)
        }
        parent = NO_PARENT
      }
    }
    if (goesOn) continue
    if (top == bottom) return
    top = stack.pop(top)
    begin = stack.begin
    end = stack.end
    routedBegin = stack.routedBegin
    routedEnd = stack.routedEnd
    side = stack.side
    weight = stack.weight
    positives = stack.positives
    seed = stack.seed
    parent = stack.parent
  }
}

// @ts-ignore: decorator
@inline
function fraction(positives: i32, weight: i32, flipped: bool): f64 {
  return <f64>(flipped ? weight - positives : positives) / <f64>weight
}
