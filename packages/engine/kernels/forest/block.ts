// Grows a subtree inside the block, depth first, left child before right child, with an explicit stack. What every node
// passes through is inlined into one function.

import { countVisits, shouldStop } from '../shared/cancel'
import { derivedSeed } from '../shared/random'
import { searchHistogramNode } from './histogram-node'
import { enterNode, leftPositives, leftRows, leftWeight, splitCode, splitColumn } from './node'
import { addBothToSums, addToSums, divide, keepSide, LEFT, moveRows, RIGHT, roundedUp } from './row-lists'
import { BAG, BLOCK_STACK, minNode, nodes, RECORDS, ROUTED, scratch } from './scratch'
import { SORTED_WEIGHT } from './score-sorted'
import * as stack from './stack'
import { searchSmallNode, SORTED_ROWS } from './small-node'
import { addNode, NO_PARENT, splitNode } from './tree-nodes'

// The node at hand: where its rows begin in their lists, how many they are, and what it weighs.
let bagBegin: i32 = 0
let rows: i32 = 0
let routedBegin: i32 = 0
let routedRows: i32 = 0
let weight: i32 = 0
let positives: i32 = 0
let seed: u32 = 0
let parent: i32 = 0
/** Positives are those of the lighter class, which is the positive one unless this is set. */
let flipped: bool = false
let top: usize = 0
/** The first free entries of the lists, behind those of all pending nodes. */
let bagFree: i32 = 0
let routedFree: i32 = 0

function bagAt(begin: i32): usize {
  return scratch + BAG + (<usize>begin << 1)
}

function routedAt(begin: i32): usize {
  return scratch + ROUTED + (<usize>begin << 1)
}

function isPureOrTiny(rows: i32, weight: i32, positives: i32): bool {
  return rows < minNode || positives == 0 || positives == weight
}

function fraction(positives: i32, weight: i32): f64 {
  return <f64>(flipped ? weight - positives : positives) / <f64>weight
}

// @ts-ignore: decorator
@inline
function findSplit(): bool {
  if (shouldStop()) return false
  enterNode(rows, weight, positives, seed)
  const bag = bagAt(bagBegin)
  return rows <= SORTED_ROWS && weight <= SORTED_WEIGHT ? searchSmallNode(bag) : searchHistogramNode(bag)
}

/**
 * Searches the node at hand and makes a child of it the next one; false when nothing is left to grow below it. Without
 * a tree to keep, neither leaves come here nor branches that no routed row reaches.
 */
// @ts-ignore: decorator
@inline
function growNode(): bool {
  addNode(parent, weight, flipped ? weight - positives : positives)
  countVisits(rows + routedRows)
  if ((nodes != 0 && isPureOrTiny(rows, weight, positives)) || !findSplit()) {
    addToSums(routedAt(routedBegin), routedRows, fraction(positives, weight))
    return false
  }
  const codes = scratch + RECORDS + <usize>splitColumn
  const leftIsLeaf = isPureOrTiny(leftRows, leftWeight, leftPositives)
  const rightIsLeaf = isPureOrTiny(rows - leftRows, weight - leftWeight, positives - leftPositives)
  if (nodes != 0) return growBoth(codes, !leftIsLeaf || !rightIsLeaf)
  if (leftIsLeaf && rightIsLeaf) {
    addBothToSums(
      codes, splitCode, routedAt(routedBegin), routedRows, fraction(leftPositives, leftWeight), rightFraction(),
    )
    return false
  }
  if (leftIsLeaf) return growBeside(codes, RIGHT, fraction(leftPositives, leftWeight))
  if (rightIsLeaf) return growBeside(codes, LEFT, rightFraction())
  return growWanted(codes)
}

function rightFraction(): f64 {
  return fraction(positives - leftPositives, weight - leftWeight)
}

/**
 * Grows both children of a node in a tree that is kept: the left child next, the right one later. Leaves need no order
 * among their bag rows.
 */
function growBoth(codes: usize, divideBag: bool): bool {
  const routedLeft = divide(codes, splitCode, LEFT, routedAt(routedBegin), routedRows, routedAt(routedFree))
  if (divideBag) divide(codes, splitCode, LEFT, bagAt(bagBegin), rows, bagAt(bagFree))
  pushRight(routedRows - routedLeft, splitNode(splitColumn, splitCode))
  enterLeft(routedLeft)
  return true
}

/** One child is a leaf of the given fraction; grows the other one, where it is wanted. */
// @ts-ignore: decorator
@inline
function growBeside(codes: usize, side: i32, leafFraction: f64): bool {
  const wanted = divide(codes, splitCode, side, routedAt(routedBegin), routedRows, routedAt(routedFree))
  addToSums(routedAt(routedFree), routedRows - wanted, leafFraction)
  if (wanted == 0) return false
  keepSide(codes, splitCode, side, bagAt(bagBegin), rows)
  if (side == LEFT) enterLeft(wanted)
  else enterRight(wanted)
  return true
}

/** Grows those children that a routed row reaches. */
// @ts-ignore: decorator
@inline
function growWanted(codes: usize): bool {
  const routed = routedAt(routedBegin)
  const routedLeft = divide(codes, splitCode, LEFT, routed, routedRows, routedAt(routedFree))
  if (routedLeft == 0) {
    moveRows(routedAt(routedFree), routed, routedRows)
    keepSide(codes, splitCode, RIGHT, bagAt(bagBegin), rows)
    enterRight(routedRows)
    return true
  }
  if (routedLeft == routedRows) {
    keepSide(codes, splitCode, LEFT, bagAt(bagBegin), rows)
  } else {
    divide(codes, splitCode, LEFT, bagAt(bagBegin), rows, bagAt(bagFree))
    pushRight(routedRows - routedLeft, NO_PARENT)
  }
  enterLeft(routedLeft)
  return true
}

function enterLeft(routedLeft: i32): void {
  rows = leftRows
  routedRows = routedLeft
  weight = leftWeight
  positives = leftPositives
  seed = derivedSeed(seed, 0)
  parent = NO_PARENT
}

/** The right child in the place of its parent. */
function enterRight(routedRight: i32): void {
  rows -= leftRows
  routedRows = routedRight
  weight -= leftWeight
  positives -= leftPositives
  seed = derivedSeed(seed, 1)
  parent = NO_PARENT
}

/** Keeps the right child, whose rows lie behind all others, for later. */
// @ts-ignore: decorator
@inline
function pushRight(routedRight: i32, index: i32): void {
  const rightRows = rows - leftRows
  top = stack.push(
    top, bagFree, bagFree + rightRows, routedFree, routedFree + routedRight, 0, weight - leftWeight,
    positives - leftPositives, derivedSeed(seed, 1), index,
  )
  bagFree += roundedUp(rightRows)
  routedFree += roundedUp(routedRight)
}

// @ts-ignore: decorator
@inline
function popRight(): void {
  top = stack.pop(top)
  bagBegin = stack.begin
  rows = stack.end - stack.begin
  routedBegin = stack.routedBegin
  routedRows = stack.routedEnd - stack.routedBegin
  bagFree = bagBegin + roundedUp(rows)
  routedFree = routedBegin + roundedUp(routedRows)
  weight = stack.weight
  positives = stack.positives
  seed = stack.seed
  parent = stack.parent
}

/**
 * Grows from the first `bagRows` and `routed` rows of their lists. `lighter` is the weight of the lighter class, which
 * is the positive one unless `isFlipped`.
 */
export function growBlock(
  bagRows: i32, routed: i32, rootWeight: i32, lighter: i32, isFlipped: bool, rootSeed: u32, rootParent: i32,
): void {
  const bottom = scratch + BLOCK_STACK
  top = bottom
  bagBegin = 0
  rows = bagRows
  bagFree = roundedUp(bagRows)
  routedBegin = 0
  routedRows = routed
  routedFree = roundedUp(routed)
  weight = rootWeight
  positives = lighter
  flipped = isFlipped
  seed = rootSeed
  parent = rootParent
  if (nodes == 0 && (routed == 0 || isPureOrTiny(rows, weight, positives))) {
    return addToSums(routedAt(0), routed, fraction(positives, weight))
  }
  while (true) {
    if (growNode()) continue
    if (top == bottom) return
    popRight()
  }
}
