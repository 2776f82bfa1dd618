// Grows a subtree inside the block, depth first, left child before right child, with an explicit stack.

import { shouldStop } from '../shared/cancel'
import { derivedSeed } from '../shared/random'
import { searchHistogramNode } from './histogram-node'
import { enterNode, leftPositives, leftRows, leftWeight, setSplit, splitCode, splitColumn } from './node'
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

/** The lowest code above `code` among the rows. */
function nextCodeAbove(column: usize, code: i32, bag: usize, rows: i32): i32 {
  let next = 0xff
  for (let at = bag, end = bag + (<usize>rows << 1); at < end; at += 2) {
    const other = <i32>load<u8>(column + <usize>load<u16>(at))
    next = min<i32>(next, select<i32>(other, 0xff, other > code))
  }
  return next
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

// @ts-ignore: decorator
@inline
function isPureOrTiny(rows: i32, weight: i32, positives: i32): bool {
  return rows < minNode || positives == 0 || positives == weight
}

/**
 * Grows from BAG_0[0, bagRows) and ROUTED_0[0, routedRows). `lighter` is the weight of the lighter class, which is the
 * positive one unless `flipped`.
 */
export function growBlock(
  bagRows: i32, routedRows: i32, rootWeight: i32, lighter: i32, flipped: bool, rootSeed: u32, rootParent: i32,
): void {
  const bottom = scratch + BLOCK_STACK
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
    const truePositives = flipped ? weight - positives : positives
    addNode(parent, weight, truePositives)
    const wanted = nodes != 0 || routedEnd > routedBegin
    let isSplit = false
    const small = isSmallNode(rows, weight)
    if (wanted && !isPureOrTiny(rows, weight, positives) && !shouldStop(rows)) {
      enterNode(rows, weight, positives, seed)
      const nodeBag = bag + (<usize>begin << 1)
      isSplit = small ? searchSmallNode(nodeBag) : searchHistogramNode(nodeBag)
      if (isSplit && !small) {
        // A histogram knows the last code on the left; the cut lies halfway to the next code present.
        const column = scratch + BLOCK_CODES + <usize>splitColumn * blockStride
        const next = nextCodeAbove(column, splitCode, nodeBag, rows)
        setSplit(splitColumn, (splitCode + next) >> 1, leftRows, leftWeight, leftPositives)
      }
    }
    if (!isSplit) {
      addToSums(routed, routedBegin, routedEnd, <f64>truePositives / <f64>weight)
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
      continue
    }
    const column = scratch + BLOCK_CODES + <usize>splitColumn * blockStride
    const middle = begin + leftRows
    const rightWeight = weight - leftWeight
    const rightPositives = positives - leftPositives
    // Two leaves need no order among their bag rows.
    if (
      !isPureOrTiny(leftRows, leftWeight, leftPositives) || !isPureOrTiny(end - middle, rightWeight, rightPositives)
    ) {
      partition(column, splitCode, bag, otherBag, begin, end)
    }
    const routedMiddle = partition(column, splitCode, routed, otherRouted, routedBegin, routedEnd)
    side = 1 - side
    top = stack.push(
      top, middle, end, routedMiddle, routedEnd, side, rightWeight, rightPositives, derivedSeed(seed, 1),
      splitNode(splitColumn, splitCode),
    )
    end = middle
    routedEnd = routedMiddle
    weight = leftWeight
    positives = leftPositives
    seed = derivedSeed(seed, 0)
    parent = NO_PARENT
  }
}
