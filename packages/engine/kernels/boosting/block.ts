// The rows of a subtree of few rows in a large fit: they are copied into a block, where the buffers of layout.ts lie, and
// grown there as in a small fit.

import { countVisits } from '../shared/cancel'
import { listAt } from './divide'
import { codesOf, codeStride, gradientAt, placeMargins, recordOf, widened } from './large-layout'
import { gradients, margins, placesA, rowBytes, rowCodes } from './layout'

/** The most rows of a block that teach, and the most that only follow. */
export const BLOCK_ROWS: i32 = 2048

function copyLearned(list: usize, begin: i32, end: i32): void {
  let row = rowCodes
  for (let i = begin, to: usize = 0; i < end; i++, to++) {
    const record = recordOf(<usize>load<u32>(listAt(list, i)))
    for (let at: usize = 0; at < rowBytes; at += 8) store<u64>(row + at, load<u64>(record + at))
    row += rowBytes
    store<i64>(gradients + (to << 3), widened(load<i32>(record + gradientAt)))
  }
}

function copyRouted(list: usize, begin: i32, end: i32, firstRow: i32): void {
  let row = rowCodes + <usize>firstRow * rowBytes
  const stride = codeStride()
  const between = codesOf(1) - codesOf(0)
  for (let i = begin; i < end; i++, row += rowBytes) {
    let code = codesOf(0) + <usize>load<u32>(listAt(list, i)) * stride
    for (let column: usize = 0; column < blockColumns; column++, code += between) {
      store<u8>(row + column, load<u8>(code))
    }
  }
}

let blockColumns: usize = 0

/** Takes the columns of the whole fit, since a round may use fewer. */
export function setBlockColumns(columns: i32): void {
  blockColumns = <usize>columns
}

/** Adds what the subtree gave to the rows of a range of the list, which begin at `firstRow` of the block. */
export function addBlockMargins(list: usize, begin: i32, end: i32, firstRow: i32): void {
  let from = margins + (<usize>firstRow << 3)
  for (let i = begin; i < end; i++, from += 8) {
    const margin = placeMargins + (<usize>load<u32>(listAt(list, i)) << 3)
    store<f64>(margin, load<f64>(margin) + load<f64>(from))
  }
}

export function fillBlock(list: usize, begin: i32, end: i32, routedBegin: i32, routedEnd: i32): void {
  const rows = end - begin
  const all = rows + routedEnd - routedBegin
  copyLearned(list, begin, end)
  copyRouted(list, routedBegin, routedEnd, rows)
  for (let place = 0; place < all; place++) store<u32>(listAt(placesA, place), place)
  memory.fill(margins, 0, <usize>all << 3)
  countVisits(all * <i32>blockColumns)
}
