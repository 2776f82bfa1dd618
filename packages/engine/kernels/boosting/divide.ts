// Divides the rows of a node between its children.

import { CHUNK_ROWS, scratch } from './layout'

/** Where the next row of each side goes. */
export let front: usize = 0
export let back: usize = 0

export function listAt(list: usize, index: i32): usize {
  return list + (<usize>index << 2)
}

/** All places in their order, up to three more behind them. */
export function listPlaces(list: usize, count: i32): void {
  let four = i32x4(0, 1, 2, 3)
  for (let at = list, end = listAt(list, count); at < end; at += 16) {
    v128.store(at, four)
    four = i32x4.add(four, i32x4.splat(4))
  }
}

export function startPartition(to: usize, begin: i32, end: i32): void {
  front = listAt(to, begin)
  back = listAt(to, end) - 4
}

/** The split column's code of place 0, and how far behind it that of place 1 lies. */
let splitCodes: usize = 0
let splitStride: usize = 0
let missingLeft: i32 = 0
/** The last code on the left, one more when missing values go left too: 255 + 1 then wraps to 0. */
let lastLeft: i32 = 0

/** What divides rows from here on. `key` as in gain.ts. */
export function useSplit(codes: usize, stride: usize, key: i32): void {
  splitCodes = codes
  splitStride = stride
  missingLeft = (key >> 8) & 1
  lastLeft = (key & 0xff) + missingLeft
}

// Scratch, behind that of gradient.ts: the split column's codes of a chunk's rows; for each mask of four rows, a bit for
// each that goes left, where to take the left ones from, the first in front, and where the others, the first at the end;
// and how many bytes the left ones' places have.
const CODES: usize = 2048
const LEFT_CHOICES: usize = CODES + 512 + 16
const RIGHT_CHOICES: usize = LEFT_CHOICES + 256
const LEFT_BYTES: usize = RIGHT_CHOICES + 256

export function writeChoices(): void {
  for (let mask = 0; mask < 16; mask++) {
    const at = scratch + (<usize>mask << 4)
    // What does not count is a place too: that of the first row.
    v128.store(at, i32x4.splat(0x03020100), LEFT_CHOICES)
    v128.store(at, i32x4.splat(0x03020100), RIGHT_CHOICES)
    let left = 0
    let right = 3
    for (let row = 0; row < 4; row++) {
      const bytes: u32 = 0x03020100 + 0x04040404 * row
      if ((mask >> row) & 1) {
        store<u32>(at + (<usize>left << 2), bytes, LEFT_CHOICES)
        left += 1
      } else {
        store<u32>(at + (<usize>right << 2), bytes, RIGHT_CHOICES)
        right -= 1
      }
    }
    store<u8>(scratch + <usize>mask, <u8>(left << 2), LEFT_BYTES)
  }
}

/** The split column's codes of the listed rows: loads that do not wait for each other. */
function gatherCodes(from: usize, end: usize): void {
  const codes = splitCodes
  const stride = splitStride
  let to = scratch + CODES
  for (let at = from; at < end; at += 4, to++) store<u8>(to, load<u8>(codes + <usize>load<u32>(at) * stride))
}

/**
 * Writes left rows on from `front` and right rows, backwards, on from `back`; no more than a chunk of them. Four at a time
 * while eight are left: at either end four places are written, of which only some count.
 */
export function partitionChunk(from: usize, end: usize): void {
  gatherCodes(from, end)
  const shift = i8x16.splat(<i8>missingLeft)
  const last = i8x16.splat(<i8>lastLeft)
  let nextFront = front
  let nextBack = back
  let mask = 0
  let at = from
  let code = scratch + CODES
  for (; at + 32 <= end; at += 16, code += 4) {
    if (((at - from) & 63) == 0) mask = i8x16.bitmask(i8x16.le_u(i8x16.add(v128.load(code), shift), last))
    const four = <usize>(mask & 15)
    mask >>= 4
    const places = v128.load(at)
    const leftBytes = <usize>load<u8>(scratch + four, LEFT_BYTES)
    v128.store(nextFront, i8x16.swizzle(places, v128.load(scratch + (four << 4), LEFT_CHOICES)))
    v128.store(nextBack - 12, i8x16.swizzle(places, v128.load(scratch + (four << 4), RIGHT_CHOICES)))
    nextFront += leftBytes
    nextBack += leftBytes - 16
  }
  for (; at < end; at += 4, code++) {
    const goesLeft = ((<i32>load<u8>(code) + missingLeft) & 0xff) <= lastLeft
    store<u32>(select<usize>(nextFront, nextBack, goesLeft), load<u32>(at))
    nextFront += <usize>goesLeft << 2
    nextBack -= <usize>!goesLeft << 2
  }
  front = nextFront
  back = nextBack
}

/** Divides a range of `from` into the same range of `to`; returns where the right rows begin. */
export function partition(from: usize, to: usize, begin: i32, end: i32): i32 {
  startPartition(to, begin, end)
  for (let at = begin; at < end; at += CHUNK_ROWS) {
    partitionChunk(listAt(from, at), listAt(from, min(end, at + CHUNK_ROWS)))
  }
  return <i32>((front - to) >> 2)
}

function addToMargins(margins: usize, from: usize, end: usize, value: f64): void {
  for (let at = from; at < end; at += 4) {
    const margin = margins + (<usize>load<u32>(at) << 3)
    store<f64>(margin, load<f64>(margin) + value)
  }
}

function addEitherToMargins(margins: usize, from: usize, end: usize, left: f64, right: f64): void {
  const codes = splitCodes
  const stride = splitStride
  const shift = missingLeft
  const last = lastLeft
  for (let at = from; at < end; at += 4) {
    const place = <usize>load<u32>(at)
    const code = (<i32>load<u8>(codes + place * stride) + shift) & 0xff
    const margin = margins + (place << 3)
    store<f64>(margin, load<f64>(margin) + select<f64>(left, right, code <= last))
  }
}

/** The rows of a leaf. */
export function settle(
  margins: usize, list: usize, begin: i32, end: i32, routedBegin: i32, routedEnd: i32, value: f64,
): void {
  addToMargins(margins, listAt(list, begin), listAt(list, end), value)
  addToMargins(margins, listAt(list, routedBegin), listAt(list, routedEnd), value)
}

/** The rows of a node whose both children are leaves: no need to divide them first. */
export function settleBoth(
  margins: usize, list: usize, begin: i32, end: i32, routedBegin: i32, routedEnd: i32, left: f64, right: f64,
): void {
  addEitherToMargins(margins, listAt(list, begin), listAt(list, end), left, right)
  addEitherToMargins(margins, listAt(list, routedBegin), listAt(list, routedEnd), left, right)
}
