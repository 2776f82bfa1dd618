// Pending right children, 40 bytes each: bag rows [begin, end), routed rows [routedBegin, routedEnd), which of the two
// lists of the top tier holds them, weight, positives, seed, and the parent's index in the tree.

import { STACK_ENTRY } from './scratch'

export let begin: i32 = 0
export let end: i32 = 0
export let routedBegin: i32 = 0
export let routedEnd: i32 = 0
export let side: i32 = 0
export let weight: i32 = 0
export let positives: i32 = 0
export let seed: u32 = 0
export let parent: i32 = 0

// @ts-ignore: decorator
@inline
export function push(
  top: usize, begin: i32, end: i32, routedBegin: i32, routedEnd: i32, side: i32, weight: i32, positives: i32, seed: u32,
  parent: i32,
): usize {
  store<i32>(top, begin)
  store<i32>(top, end, 4)
  store<i32>(top, routedBegin, 8)
  store<i32>(top, routedEnd, 12)
  store<i32>(top, side, 16)
  store<i32>(top, weight, 20)
  store<i32>(top, positives, 24)
  store<u32>(top, seed, 28)
  store<i32>(top, parent, 32)
  return top + STACK_ENTRY
}

/** Loads the entry below `top` into this file's variables and returns its address. */
// @ts-ignore: decorator
@inline
export function pop(top: usize): usize {
  const entry = top - STACK_ENTRY
  begin = load<i32>(entry)
  end = load<i32>(entry, 4)
  routedBegin = load<i32>(entry, 8)
  routedEnd = load<i32>(entry, 12)
  side = load<i32>(entry, 16)
  weight = load<i32>(entry, 20)
  positives = load<i32>(entry, 24)
  seed = load<u32>(entry, 28)
  parent = load<i32>(entry, 32)
  return entry
}
