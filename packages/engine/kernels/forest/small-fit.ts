// A fit whose training rows (at most BLOCK_WEIGHT) and routed rows fit one block: the block is filled once by the host,
// and every tree starts in the block tier. Block rows: training rows first, then test rows.

import { drawCounts, derivedSeed } from '../shared/random'
import { growBlock } from './block'
import { BAG, DRAWS, LABELS, MOST_DRAWS, PACKED, RECORDS, recordShift, ROUTED, scratch } from './scratch'
import { startTree } from './tree-nodes'

// @ts-ignore: decorator
@inline
function appendRow(list: usize, count: i32, row: i32): void {
  store<u16>(list + (<usize>count << 1), <u16>row)
}

/** Lists the bag rows and packs what each adds to a sum; returns how many there are. */
function fillBag(trainRows: i32, flipped: bool): i32 {
  const base = scratch
  const flip = <i32>flipped
  let payload = base + RECORDS + (<usize>1 << recordShift) - 1
  let count = 0
  for (let row = 0; row < trainRows; row++, payload += <usize>1 << recordShift) {
    const at = base + <usize>row
    const draws = <i32>load<u8>(at, DRAWS)
    const lighter = <i32>load<u8>(at, LABELS) ^ flip
    store<i32>(base + (<usize>row << 2), (1 << 21) | (draws << 10) | (draws & -lighter), PACKED)
    store<u8>(payload, <u8>((draws << 1) | lighter))
    appendRow(base + BAG, count, row)
    count += <i32>(draws != 0)
  }
  return count
}

/** Test rows, and on demand the training rows outside the bag. */
function fillRouted(trainRows: i32, testRows: i32, withOutOfBag: bool): i32 {
  const list = scratch + ROUTED
  let count = 0
  if (withOutOfBag) {
    for (let row = 0; row < trainRows; row++) {
      appendRow(list, count, row)
      count += <i32>(load<u8>(scratch + <usize>row, DRAWS) == 0)
    }
  }
  for (let row = trainRows; row < trainRows + testRows; row++, count++) appendRow(list, count, row)
  return count
}

/** Grows one tree from DRAWS as the host wrote them or, with `bootstrap`, from draws of its own. */
export function growSmallTree(
  trainRows: i32, testRows: i32, treeSeed: u32, bootstrap: bool, withOutOfBag: bool,
): void {
  startTree()
  if (bootstrap) drawCounts(scratch + DRAWS, trainRows, treeSeed, MOST_DRAWS)
  let weight = 0
  let positives = 0
  for (let row = 0; row < trainRows; row++) {
    const at = scratch + <usize>row
    const draws = <i32>load<u8>(at, DRAWS)
    weight += draws
    positives += draws & -<i32>load<u8>(at, LABELS)
  }
  const flipped = 2 * positives > weight
  const bagRows = fillBag(trainRows, flipped)
  const routedRows = fillRouted(trainRows, testRows, withOutOfBag)
  growBlock(
    bagRows, routedRows, weight, flipped ? weight - positives : positives, flipped, derivedSeed(treeSeed, 0), -1,
  )
}

/** Grows trees one after another for their routed rows only, each from the seed of its number. */
export function growSmallTrees(trainRows: i32, testRows: i32, seed: u32, treeFrom: u32, treeTo: u32): void {
  for (let tree = treeFrom; tree < treeTo; tree++) {
    growSmallTree(trainRows, testRows, derivedSeed(seed, tree), true, false)
  }
}
