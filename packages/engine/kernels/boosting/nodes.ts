// The nodes of the round's tree. A node is 32 bytes: i32 column << 9 | missing goes left << 8 | last code on the left (or
// -1 for a leaf); i32 left child; i32 right child; i32 unused; f64 value; f64 gain.

import { bestGain, bestKey } from './gain'
import { eta, lambda, maxDepth, minChildWeight, nodes, roundColumn, scale } from './layout'

const NODE_BYTES: usize = 32

let nodeCount: i32 = 0

export function grownNodes(): i32 {
  return nodeCount
}

export function startTree(): void {
  nodeCount = 0
}

function nodeAt(index: i32): usize {
  return nodes + <usize>index * NODE_BYTES
}

export function leafValue(g: i32, h: i32): f64 {
  return (-eta * <f64>g) / (<f64>h + <f64>lambda)
}

/** A leaf until it is split; returns its index. */
export function addNode(value: f64): i32 {
  const index = nodeCount
  nodeCount += 1
  const node = nodeAt(index)
  store<i32>(node, -1)
  store<i32>(node, 0, 4)
  store<i32>(node, 0, 8)
  store<f64>(node, value, 16)
  store<f64>(node, 0, 24)
  return index
}

/** Notes the best split that the search found. */
export function splitNode(index: i32): void {
  const node = nodeAt(index)
  store<i32>(node, (<i32>roundColumn(bestKey >> 16) << 9) | (bestKey & 0x1ff))
  store<f64>(node, <f64>bestGain() / scale, 24)
}

export function linkChildren(index: i32, left: i32, right: i32): void {
  store<i32>(nodeAt(index), left, 4)
  store<i32>(nodeAt(index), right, 8)
}

/** The child with the smaller sum of hessians is numbered first, as everywhere. */
export function addLeaves(parent: i32, left: f64, right: f64, leftIsLighter: bool): void {
  const first = addNode(leftIsLighter ? left : right)
  const second = addNode(leftIsLighter ? right : left)
  linkChildren(parent, leftIsLighter ? first : second, leftIsLighter ? second : first)
}

export function mayBeSplit(h: i32, depth: i32): bool {
  return depth < maxDepth && <f32>h >= 2 * minChildWeight
}
