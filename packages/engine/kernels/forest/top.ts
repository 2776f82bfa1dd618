// Grows a tree of a large fit: heavy nodes here, and every node that is light enough in the block.

import { countVisits, shouldStop } from '../shared/cancel'
import { derivedSeed, drawCounts } from '../shared/random'
import { growBlock } from './block'
import { enterNode, leftPositives, leftRows, leftWeight, splitCode, splitColumn } from './node'
import {
  BAG, BLOCK_ROUTED, BLOCK_WEIGHT, columnCount, findHighestCodes, minNode, MAX_DRAWS, nodes, PACKED, RECORDS,
  recordShift, ROUTED, scratch, SUMS, TARGETS,
} from './scratch'
import * as stack from './stack'
import {
  bagA, bagB, firstRouted, routedA, routedB, routedSums, rowBytes, rowCodes, topStack, topStackEnd,
  trainDraws, trainLabels,
} from './top-layout'
import { searchTopNode } from './top-node'
import { addNode, NO_PARENT, splitNode, startTree } from './tree-nodes'

/** As in the block: left rows to the front, right rows to the back. `shift` takes a place from a list entry. */
// @ts-ignore: decorator
@inline
function partition(codes: usize, cut: i32, from: usize, to: usize, begin: i32, end: i32, shift: u32): i32 {
  let front = to + (<usize>begin << 2)
  let back = to + (<usize>end << 2) - 4
  for (let at = from + (<usize>begin << 2), stop = from + (<usize>end << 2); at < stop; at += 4) {
    const entry = load<u32>(at)
    const goesLeft = <i32>load<u8>(codes + <usize>(entry >> shift) * rowBytes) <= cut
    store<u32>(select<usize>(front, back, goesLeft), entry)
    front += <usize>goesLeft << 2
    back -= <usize>!goesLeft << 2
  }
  return <i32>((front - to) >> 2)
}

/** Copies whole words: the rows of a large fit have room for them, as have the records. */
function copyRow(place: usize, record: usize): void {
  const from = rowCodes + place * rowBytes
  for (let offset: usize = 0; offset < <usize>columnCount; offset += 8) {
    store<u64>(record + offset, load<u64>(from + offset))
  }
}

/** Copies a node's rows into the block, bag rows first, and lists them there. */
function fillBlock(bag: usize, rows: i32, routed: usize, routedRows: i32, flip: u32): void {
  const lastByte = (<usize>1 << recordShift) - 1
  for (let i = 0; i < rows; i++) {
    const entry = load<u32>(bag + (<usize>i << 2))
    const record = scratch + RECORDS + (<usize>i << recordShift)
    copyRow(<usize>(entry >> 8), record)
    const payload = (entry & 0xff) ^ flip
    const draws = payload >> 1
    store<u8>(record + lastByte, <u8>((payload << 7) | draws))
    store<u32>(scratch + PACKED + (<usize>i << 2), (1 << 21) | (draws << 10) | (payload & 1 ? draws : 0))
    store<u16>(scratch + BAG + (<usize>i << 1), <u16>(i << 4))
  }
  findHighestCodes(rows)
  for (let i = 0; i < routedRows; i++) {
    const place = load<u32>(routed + (<usize>i << 2))
    const row = rows + i
    copyRow(place, scratch + RECORDS + (<usize>row << recordShift))
    store<u32>(scratch + TARGETS + (<usize>i << 2), place)
    store<u16>(scratch + ROUTED + (<usize>i << 1), <u16>(row << 4))
    store<f64>(scratch + SUMS + (<usize>row << 3), 0)
  }
}

function addToSum(place: usize, fraction: f64): void {
  const sum = routedSums + ((place - firstRouted) << 3)
  store<f64>(sum, load<f64>(sum) + fraction)
}

function growInBlock(
  bag: usize, rows: i32, routed: usize, routedRows: i32, weight: i32, positives: i32, seed: u32, parent: i32,
): void {
  const flipped = 2 * positives > weight
  fillBlock(bag, rows, routed, routedRows, <u32>flipped)
  growBlock(rows, routedRows, weight, flipped ? weight - positives : positives, flipped, seed, parent)
  for (let i = 0; i < routedRows; i++) {
    addToSum(
      load<u32>(scratch + TARGETS + (<usize>i << 2)), load<f64>(scratch + SUMS + (<usize>(rows + i) << 3)),
    )
  }
}

let bagRows: i32 = 0
let bagWeight: i32 = 0
let bagPositives: i32 = 0

function fillBag(trainRows: i32): void {
  bagRows = 0
  bagWeight = 0
  bagPositives = 0
  for (let place = 0; place < trainRows; place++) {
    const draws = <i32>load<u8>(trainDraws + <usize>place)
    const label = <i32>load<u8>(trainLabels + <usize>place)
    store<u32>(bagA + (<usize>bagRows << 2), (<u32>place << 8) | (draws << 1) | label)
    bagRows += <i32>(draws != 0)
    bagWeight += draws
    bagPositives += draws & -label
  }
}

function fillRouted(trainRows: i32, testRows: i32, outOfBag: bool): i32 {
  let count = 0
  if (outOfBag) {
    for (let place = 0; place < trainRows; place++) {
      store<u32>(routedA + (<usize>count << 2), place)
      count += <i32>(load<u8>(trainDraws + <usize>place) == 0)
    }
  }
  for (let i = 0; i < testRows; i++, count++) store<u32>(routedA + (<usize>count << 2), trainRows + i)
  return count
}

/** Grows one tree. Routed are the test rows or, with `outOfBag`, the training rows outside the bag. */
export function growLargeTree(trainRows: i32, testRows: i32, treeSeed: u32, bootstrap: bool, outOfBag: bool): void {
  startTree()
  if (bootstrap) drawCounts(trainDraws, trainRows, treeSeed, MAX_DRAWS)
  else memory.fill(trainDraws, 1, trainRows)
  fillBag(trainRows)
  countVisits(3 * trainRows + testRows)
  let top = topStack
  let begin = 0, end = bagRows, routedBegin = 0, routedEnd = fillRouted(trainRows, testRows, outOfBag)
  let side = 0
  let weight = bagWeight, positives = bagPositives, seed = derivedSeed(treeSeed, 0), parent = NO_PARENT
  while (true) {
    const lists = side == 0 ? bagA : bagB
    const routedLists = side == 0 ? routedA : routedB
    const bag = lists + (<usize>begin << 2)
    const routed = routedLists + (<usize>routedBegin << 2)
    const rows = end - begin
    const routedRows = routedEnd - routedBegin
    const wanted = nodes != 0 || routedRows > 0
    let isSplit = false
    countVisits(rows + routedRows)
    if (!wanted || shouldStop()) {
      // No routed row reaches this part of the tree, or the fit is cancelled.
    } else if (weight <= BLOCK_WEIGHT && routedRows <= BLOCK_ROUTED) {
      growInBlock(bag, rows, routed, routedRows, weight, positives, seed, parent)
    } else {
      addNode(parent, weight, positives)
      if (rows >= minNode && positives != 0 && positives != weight) {
        enterNode(rows, weight, positives, seed)
        isSplit = searchTopNode(bag)
      }
      if (!isSplit) {
        const fraction = <f64>positives / <f64>weight
        for (let i = 0; i < routedRows; i++) addToSum(load<u32>(routed + (<usize>i << 2)), fraction)
      }
    }
    if (!isSplit) {
      if (top == topStack) return
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
    const codes = rowCodes + <usize>splitColumn
    const middle = partition(codes, splitCode, lists, side == 0 ? bagB : bagA, begin, end, 8)
    const routedMiddle = partition(
      codes, splitCode, routedLists, side == 0 ? routedB : routedA, routedBegin, routedEnd, 0,
    )
    side = 1 - side
    if (top == topStackEnd) unreachable()
    top = stack.push(
      top, middle, end, routedMiddle, routedEnd, side, weight - leftWeight, positives - leftPositives,
      derivedSeed(seed, 1), splitNode(splitColumn, splitCode),
    )
    end = middle
    routedEnd = routedMiddle
    weight = leftWeight
    positives = leftPositives
    seed = derivedSeed(seed, 0)
    parent = NO_PARENT
  }
}
