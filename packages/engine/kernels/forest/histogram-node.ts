// Search of a block node that is too large to sort: its rows are counted in bins per column, then the bins are scanned.

import { countVisits } from '../shared/cancel'
import { countRows } from './count-rows'
import { drawColumns, drawnColumn, nodeRows, returnColumns, setSplit } from './node'
import { bestCut, bestKey, bestLeft, scanTables, startScans } from './scan-bins'
import { NO_SPLIT } from './score-sorted'
import { candidates, columnCount, RECORDS, recordShift, scratch, TABLE_BINS, TABLES } from './scratch'

function varies(column: usize, bag: usize, rows: i32): bool {
  const code = load<u8>(column + (<usize>load<u16>(bag) << (recordShift - 4)))
  for (let at = bag + 2, end = bag + (<usize>rows << 1); at < end; at += 2) {
    if (load<u8>(column + (<usize>load<u16>(at) << (recordShift - 4))) != code) return true
  }
  return false
}

/** Does one of the columns drawn so far hold more than one code? */
function anyVaries(bag: usize, drawn: i32): bool {
  for (let draw = 0; draw < drawn; draw++) {
    if (varies(scratch + RECORDS + <usize>drawnColumn(draw), bag, nodeRows)) return true
  }
  return false
}

/** Finds the node's best split; false when no column of the block can be cut. */
// @ts-ignore: decorator
@inline
export function searchHistogramNode(bag: usize): bool {
  const codes = scratch + RECORDS
  const table = scratch + TABLES
  const rows = nodeRows
  startScans()
  let drawn = 0
  while (drawn < columnCount && (drawn < candidates || (bestKey == NO_SPLIT && !anyVaries(bag, drawn)))) {
    const count = drawn < candidates ? min<i32>(3, candidates - drawn) : 1
    drawColumns(drawn, count)
    const first = codes + <usize>drawnColumn(drawn)
    const second = codes + <usize>drawnColumn(drawn + 1)
    const third = codes + <usize>drawnColumn(drawn + 2)
    countRows(count, first, second, third, bag, rows)
    scanTables(table, drawn, count)
    drawn += count
  }
  const key = bestKey
  if (key != NO_SPLIT) {
    const left = bestLeft
    setSplit(drawnColumn(key >> 16), bestCut, left >>> 21, (left >> 10) & 0x7ff, left & 0x3ff)
  }
  returnColumns()
  countVisits(drawn * (rows + TABLE_BINS))
  return key != NO_SPLIT
}
