import { Random } from '@tradewright/core/random'
import { expect, it } from 'vitest'
import { codeOf, columnEdges, edgeRows, MISSING_CODE } from './column-edges.ts'
import { encodeColumn } from './coded-matrix.ts'
import { rowRange } from './splits.ts'

const expectCodesOfSearch = (column: Float64Array, edges: Float64Array) => {
  const codes = new Uint8Array(column.length)
  encodeColumn(column, edges, codes, column.some(Number.isNaN))
  const expected = Array.from(column, (value) => (Number.isNaN(value) ? MISSING_CODE : codeOf(value, edges)))
  expect([...codes]).toEqual(expected)
}

it.each([1500, 30_000])('encodes %i values, some of them missing, as a plain search does', (rows) => {
  const random = new Random(2)
  const column = Float64Array.from({ length: rows }, (_, row) =>
    row % 50 === 0 ? NaN : Math.tan(3 * (random.float() - 0.5)),
  )
  expectCodesOfSearch(column, columnEdges(column, edgeRows(rowRange(0, (rows * 2) / 3))))
})

it.each<[string, number[]]>([
  ['no edge', []],
  ['one edge', [1]],
  ['two neighbouring numbers', [1, 1 + Number.EPSILON]],
  ['edges crowded at the lower end', [1, 1 + 1e-9, 1 + 2e-9, 1 + 3e-9, 2]],
  ['edges crowded at the upper end', [1, 2 - 3e-9, 2 - 2e-9, 2 - 1e-9, 2]],
  // 27 times (1023 / 27) rounds to less than 1023: the highest edge shares its cell with its neighbours.
  ['edges crowded in the cell of the highest', [0, 27 - 3e-9, 27 - 2e-9, 27 - 1e-9, 27]],
  ['edges farther apart than the largest number', [-Number.MAX_VALUE, 0, Number.MAX_VALUE]],
  ['edges below the normal numbers', [-3, -1, 0, 1, 2].map((step) => step * Number.MIN_VALUE)],
  ['as many edges as a byte allows', Array.from({ length: 254 }, (_, i) => i / 7)],
  ['ever closer edges', Array.from({ length: 254 }, (_, i) => 1 - 1.1 ** -i)],
])('encodes edges themselves and their neighbours with %s', (_, edges) => {
  const around = edges.flatMap((edge) => [edge, edge - Number.MIN_VALUE, edge * (1 - 2e-16), edge * (1 + 3e-16)])
  const column = Float64Array.of(...around.filter(Number.isFinite), 0, -0, 1e300, -1e300, 1.5, NaN)
  expectCodesOfSearch(column, Float64Array.from(edges))
})
