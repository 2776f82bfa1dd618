// The node being searched, the columns drawn for it, and its best split so far.
//
// Among equal scores the split of the column drawn first wins, then the lowest cut: the same rule in both tiers and in
// the reference implementation, so it does not matter how many candidates a vector compares at once.

import { scaled, splitMix } from '../shared/random'
import { columnCount, DRAWN, ORDER, scratch } from './scratch'

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

export function setSplit(column: i32, code: i32, rows: i32, weight: i32, positives: i32): void {
  splitColumn = column
  splitCode = code
  leftRows = rows
  leftWeight = weight
  leftPositives = positives
}

// Columns are drawn without replacement: draw number i is step i of a Fisher-Yates shuffle of ORDER, which swaps its entry
// i with a later one. What a node draws depends on its own seed alone, so ORDER is the identity again after each node.

/** So many draws were also swapped in ORDER. */
let swapped: i32 = 0

function swapIndex(draw: i32): i32 {
  return draw + <i32>scaled(splitMix(nodeSeed, draw), columnCount - draw)
}

function setDrawn(draw: i32, column: i32): void {
  store<u16>(scratch + (<usize>draw << 1), <u16>column, DRAWN)
}

export function drawnColumn(draw: i32): i32 {
  return <i32>load<u16>(scratch + (<usize>draw << 1), DRAWN)
}

function swapInOrder(draw: i32, other: i32): void {
  const here = scratch + ORDER + (<usize>draw << 1)
  const there = scratch + ORDER + (<usize>other << 1)
  const column = load<u16>(there)
  store<u16>(there, load<u16>(here))
  store<u16>(here, column)
}

/** Draws the column after those drawn before. */
export function drawColumn(draw: i32): i32 {
  for (; swapped <= draw; swapped++) swapInOrder(swapped, swapIndex(swapped))
  const column = <i32>load<u16>(scratch + ORDER + (<usize>draw << 1))
  setDrawn(draw, column)
  return column
}

/** Draws three columns in a row or less, without touching ORDER for the first ones of a node. */
// @ts-ignore: decorator
@inline
export function drawColumns(draw: i32, count: i32): void {
  if (draw == 0 && count <= 3) drawFirstThree()
  else for (let i = 0; i < count; i++) drawColumn(draw + i)
}

// @ts-ignore: decorator
@inline
function drawFirstThree(): void {
  const first = swapIndex(0)
  const second = swapIndex(1)
  const third = swapIndex(2)
  // What the swaps before left where a draw looks.
  const nowSecond = first == 1 ? 0 : 1
  const secondColumn = second == first ? 0 : second
  const thirdColumn = third == second ? nowSecond : third == first ? 0 : third
  store<u64>(scratch, <u64>first | (<u64>secondColumn << 16) | (<u64>thirdColumn << 32), DRAWN)
}

/** Undoes the node's swaps. */
// @ts-ignore: decorator
@inline
export function returnColumns(): void {
  for (; swapped > 0; swapped--) swapInOrder(swapped - 1, swapIndex(swapped - 1))
}
