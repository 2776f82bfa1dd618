// The records of a large fit: their codes, once per fit, and their gradients, once per round.

import { countVisits, shouldStop } from '../shared/cancel'
import { derivatives } from './gradient'
import { CHUNK_ROWS, chunkValues, trainRows } from './layout'
import {
  codesOf, gradientAt, placeCount, placeMargins, recordBytes, recordLabels, recordOf, records, widened,
} from './large-layout'

/** Turns the codes of the training rows, if they lie column after column, into records. */
export function fillRecords(columns: i32): void {
  for (let from = 0; from < trainRows && !shouldStop(); from += CHUNK_ROWS) {
    const to = min(trainRows, from + CHUNK_ROWS)
    for (let column = 0; column < columns; column += 4) fillFour(<usize>column, columns - column, <usize>from, <usize>to)
    countVisits(columns * CHUNK_ROWS)
  }
}

/** Four columns of some rows; behind the last one up to three bytes, where the gradient will be. */
function fillFour(column: usize, left: i32, from: usize, to: usize): void {
  const a = codesOf(column)
  const b = left > 1 ? a + placeCount : a
  const c = left > 2 ? b + placeCount : a
  const d = left > 3 ? c + placeCount : a
  let record = recordOf(from) + column
  for (let row = from; row < to; row++, record += recordBytes) {
    store<u32>(
      record,
      <u32>load<u8>(a + row) | (<u32>load<u8>(b + row) << 8) | (<u32>load<u8>(c + row) << 16) | (<u32>load<u8>(d + row) << 24),
    )
  }
}

/** Writes the gradients of rows [from, to), at most a chunk, to the chunk's values and, narrowed, to their records. */
export function computeRecordGradients(from: usize, to: usize): void {
  derivatives(placeMargins + (from << 3), recordLabels + (from >> 3), chunkValues, <i32>(to - from))
  let record = recordOf(from) + gradientAt
  for (let row = from, value = chunkValues; row < to; row += 2, value += 16, record += recordBytes << 1) {
    const both = v128.load(value)
    const narrow = v128.or(i64x2.shr_s(both, 16), v128.and(both, i64x2.splat(0xffff)))
    store<i32>(record, i32x4.extract_lane(narrow, 0))
    store<i32>(record + recordBytes, i32x4.extract_lane(narrow, 2))
  }
}

/** Notes the gradients of the listed rows as the chunk's values, which also brings their records near. */
export function gatherChunk(list: usize, end: usize): void {
  const gradients = records + gradientAt
  for (let at = list, to = chunkValues; at < end; at += 4, to += 8) {
    store<i64>(to, widened(load<i32>(gradients + <usize>load<u32>(at) * recordBytes)))
  }
}
