// The node being searched, the columns drawn for it, and its best split so far.
//
// Of equal scores the split of the column drawn first wins, then the lowest cut: the same rule in both tiers and in
// the twin, so it does not matter how many candidates a vector compares at once.

import { scaled, splitMix } from '../shared/random'
import { columnCount, ORDER, scratch, SWAPS } from './scratch'

export let nodeRows: i32 = 0
export let nodeWeight: i32 = 0
/** Weight of the positive class; inside a block, of the lighter class. */
export let nodePositives: i32 = 0
export let nodeSeed: u32 = 0

/** The split found: the column, and the highest code that goes left. */
export let splitColumn: i32 = 0
export let splitCode: i32 = 0
export let leftRows: i32 = 0
export let leftWeight: i32 = 0
export let leftPositives: i32 = 0

export function enterNode(rows: i32, weight: i32, positives: i32, seed: u32): void {
  nodeRows = rows
  nodeWeight = weight
  nodePositives = positives
  nodeSeed = seed
}

// @ts-ignore: decorator
@inline
export function setSplit(column: i32, code: i32, rows: i32, weight: i32, positives: i32): void {
  splitColumn = column
  splitCode = code
  leftRows = rows
  leftWeight = weight
  leftPositives = positives
}

/** Draws the next column of the node without replacement: one step of a Fisher-Yates shuffle. */
// @ts-ignore: decorator
@inline
export function drawColumn(draw: i32): i32 {
  const order = scratch + ORDER
  const other = draw + <i32>scaled(splitMix(nodeSeed, draw), columnCount - draw)
  const here = order + (<usize>draw << 1)
  const there = order + (<usize>other << 1)
  const column = load<u16>(there)
  store<u16>(there, load<u16>(here))
  store<u16>(here, column)
  store<u16>(scratch + SWAPS + (<usize>draw << 1), <u16>other)
  return <i32>column
}

// @ts-ignore: decorator
@inline
export function drawnColumn(draw: i32): i32 {
  return <i32>load<u16>(scratch + ORDER + (<usize>draw << 1))
}

/** Undoes the node's draws, so that what a node draws depends on its own seed alone. */
// @ts-ignore: decorator
@inline
export function returnColumns(drawn: i32): void {
  const order = scratch + ORDER
  for (let draw = drawn - 1; draw >= 0; draw--) {
    const here = order + (<usize>draw << 1)
    const there = order + (<usize>load<u16>(scratch + SWAPS + (<usize>draw << 1)) << 1)
    const column = load<u16>(here)
    store<u16>(here, load<u16>(there))
    store<u16>(there, column)
  }
}
