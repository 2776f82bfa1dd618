// The grown tree: 4 x i32 per node in the order they are visited (a node, its left subtree, its right subtree):
// column << 8 | cut, or -1 for a leaf; index of the right child (the left one follows its parent); weight; positives.

import { nodes } from './scratch'

const NODE_BYTES: usize = 16
export const NO_PARENT: i32 = -1

let nodeCount: i32 = 0

export function grownNodes(): i32 {
  return nodeCount
}

export function startTree(): void {
  nodeCount = 0
}

/** Writes a node as a leaf and, for a right child, tells its parent where it is. */
// @ts-ignore: decorator
@inline
export function addNode(parentOfRight: i32, weight: i32, positives: i32): void {
  if (nodes == 0) return
  const at = nodes + <usize>nodeCount * NODE_BYTES
  store<i32>(at, -1)
  store<i32>(at, 0, 4)
  store<i32>(at, weight, 8)
  store<i32>(at, positives, 12)
  if (parentOfRight != NO_PARENT) store<i32>(nodes + <usize>parentOfRight * NODE_BYTES, nodeCount, 4)
  nodeCount += 1
}

/** Turns the node written last into a split and returns its index. */
export function splitNode(column: i32, cut: i32): i32 {
  if (nodes == 0) return NO_PARENT
  store<i32>(nodes + <usize>(nodeCount - 1) * NODE_BYTES, (column << 8) | cut)
  return nodeCount - 1
}
