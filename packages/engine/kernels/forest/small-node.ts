// Search of a block node with at most 64 bag rows: they are sorted by up to four columns at once in vector registers,
// then every cut is scored.

import { countVisits } from '../shared/cancel'
import { registersForTwo, sortFourLists, sortTwoLists } from '../shared/sort-lists'
import { gatherFour, gatherTwo } from './gather-keys'
import {
  drawColumn, drawColumns, drawnColumn, nodePositives, nodeRows, nodeWeight, returnColumns, setSplit,
} from './node'
import { keyOf, lighterOf, scoreBitsOf, scoreFour, scoreTwo } from './score-sorted'
import {
  candidates, columnCount, KEYS, OUTER_DIFFERENCES, OUTER_WEIGHTS, RECORDS, recordShift, scratch,
} from './scratch'

/** The largest node that is sorted: above it counting in bins takes less time. */
export const SORTED_ROWS: i32 = 64

/** How many registers hold the keys of four columns. */
function registersFor(rows: i32): i32 {
  return rows <= 16 ? (rows <= 8 ? 4 : 8) : rows <= 32 ? (rows <= 24 ? 12 : 16) : rows <= 48 ? 24 : 32
}

/** How the columns at hand lie among the sorted keys. */
let columnsAtHand: i32 = 0
let lanesAtHand: i32 = 0
let registersAtHand: i32 = 0
/** Places before the first row in the sorted order. */
let emptyAtHand: i32 = 0

// @ts-ignore: decorator
@inline
function sortAndScoreFour(bag: usize, draw: i32, count: i32): i64 {
  columnsAtHand = 4
  lanesAtHand = 2
  registersAtHand = registersFor(nodeRows)
  emptyAtHand = registersAtHand - ((nodeRows + 1) >> 1)
  gatherFour(bag, nodeRows, registersAtHand, draw, count)
  sortFourLists(scratch + KEYS, registersAtHand)
  return scoreFour(registersAtHand, emptyAtHand, draw)
}

// @ts-ignore: decorator
@inline
function sortAndScoreTwo(bag: usize, draw: i32, count: i32): i64 {
  columnsAtHand = 2
  lanesAtHand = 4
  registersAtHand = registersForTwo(nodeRows)
  emptyAtHand = 0
  gatherTwo(bag, nodeRows, registersAtHand, draw, count)
  sortTwoLists(scratch + KEYS, registersAtHand)
  return scoreTwo(registersAtHand, draw)
}

/** Which lane of its list a place of the sorted order lies in. */
function laneOf(position: i32): i32 {
  return columnsAtHand == 4 ? <i32>(position >= registersAtHand) : position >> (31 - clz<i32>(registersAtHand))
}

/** The code of the row at an index of the sorted order of a column at hand. */
function codeAt(index: i32, column: i32): i32 {
  const position = emptyAtHand + index
  const lane = laneOf(position)
  const register = position - lane * registersAtHand
  const key = (<usize>register << 4) + (<usize>(lane * columnsAtHand + column) << 1)
  return <i32>load<u8>(scratch + key, KEYS + 1)
}

/** Does one of the columns at hand hold more than one code? */
function anyVaries(count: i32): bool {
  for (let column = 0; column < count; column++) {
    if (codeAt(0, column) != codeAt(nodeRows - 1, column)) return true
  }
  return false
}

/**
 * Takes a cut, given its draw << 16 | rows on the left, as the node's split. Rows up to the middle were summed from
 * below, others from above.
 */
function chooseCut(key: i32, draw: i32): void {
  const column = (key >> 16) - draw
  const rows = key & 0xffff
  const places = registersAtHand * lanesAtHand
  const below = emptyAtHand + rows
  const fromAbove = 2 * below > places
  const passed = (fromAbove ? places - below : below) - 1 - emptyAtHand
  const lane = laneOf(passed)
  const slot = (fromAbove ? lanesAtHand - 1 - lane : lane) * columnsAtHand + column
  const at = scratch + (<usize>(passed - lane * registersAtHand) << 4) + (<usize>slot << 1)
  const weight = <i32>load<u16>(at, OUTER_WEIGHTS)
  const lighter = lighterOf(weight, <i32>load<u16>(at, OUTER_DIFFERENCES))
  setSplit(
    drawnColumn(key >> 16), (codeAt(rows - 1, column) + codeAt(rows, column)) >> 1, rows,
    fromAbove ? nodeWeight - weight : weight, fromAbove ? nodePositives - lighter : lighter,
  )
}

/** Two rows of different classes: the first column that tells them apart is as good as any other. */
// @ts-ignore: decorator
@inline
function splitTwoRows(bag: usize): bool {
  const records = scratch + RECORDS
  const first = records + (<usize>load<u16>(bag) << (recordShift - 4))
  const second = records + (<usize>load<u16>(bag, 2) << (recordShift - 4))
  for (let draw = 0; draw < columnCount; draw++) {
    const column = drawColumn(draw)
    const a = <i32>load<u8>(first + <usize>column)
    const b = <i32>load<u8>(second + <usize>column)
    if (a == b) continue
    const payload = <i32>load<u8>((a < b ? first : second) + (<usize>1 << recordShift) - 1)
    const draws = payload & 0x7f
    setSplit(column, (a + b) >> 1, 1, draws, payload >> 7 ? draws : 0)
    returnColumns()
    return true
  }
  returnColumns()
  return false
}

/** Nothing beats a cut that separates the classes; what the score says of it is the same for every such cut. */
function separatedScore(): f32 {
  const most = <f32>(nodePositives * (nodeWeight - nodePositives))
  return (most * most) / most
}

/** Finds the node's best split; false when no column of the block can be cut. */
// @ts-ignore: decorator
@inline
export function searchSmallNode(bag: usize): bool {
  if (nodeRows == 2) return splitTwoRows(bag)
  let bestScore: f32 = -1
  let drawn = 0
  let varied = false
  while (drawn < columnCount) {
    const count = drawn < candidates ? min<i32>(4, candidates - drawn) : 1
    drawColumns(drawn, count)
    const found = count > 2 ? sortAndScoreFour(bag, drawn, count) : sortAndScoreTwo(bag, drawn, count)
    const bits = scoreBitsOf(found)
    if (bits >= 0 && reinterpret<f32>(bits) > bestScore) {
      bestScore = reinterpret<f32>(bits)
      chooseCut(keyOf(found), drawn)
    }
    drawn += count
    // A column that varies may still have no cut that leaves enough rows on both sides.
    varied = varied || bestScore >= 0 || anyVaries(count)
    if (drawn < candidates ? bestScore >= separatedScore() : varied) break
  }
  returnColumns()
  countVisits(4 * drawn * nodeRows)
  return bestScore >= 0
}
