// Divides the rows of a node between its children, in their order on the left and backwards on the right.

/** Where the next row of each side goes. */
export let front: usize = 0
export let back: usize = 0

// @ts-ignore: decorator
@inline
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

// @ts-ignore: decorator
@inline
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

/** Writes left rows on from `front` and right rows, backwards, on from `back`. */
export function partitionChunk(from: usize, end: usize): void {
  let nextFront = front
  let nextBack = back
  const codes = splitCodes
  const stride = splitStride
  const shift = missingLeft
  const last = lastLeft
  for (let at = from; at < end; at += 4) {
    const place = load<u32>(at)
    const code = (<i32>load<u8>(codes + <usize>place * stride) + shift) & 0xff
    const goesLeft = code <= last
    store<u32>(select<usize>(nextFront, nextBack, goesLeft), place)
    nextFront += <usize>goesLeft << 2
    nextBack -= <usize>!goesLeft << 2
  }
  front = nextFront
  back = nextBack
}

/** Divides a range of `from` into the same range of `to`; returns where the right rows begin. */
export function partition(from: usize, to: usize, begin: i32, end: i32): i32 {
  startPartition(to, begin, end)
  partitionChunk(listAt(from, begin), listAt(from, end))
  return <i32>((front - to) >> 2)
}

export function addToMargins(margins: usize, from: usize, end: usize, value: f64): void {
  for (let at = from; at < end; at += 4) {
    const margin = margins + (<usize>load<u32>(at) << 3)
    store<f64>(margin, load<f64>(margin) + value)
  }
}

/** For rows whose both children are leaves: no need to divide them first. */
export function addEitherToMargins(margins: usize, from: usize, end: usize, left: f64, right: f64): void {
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
