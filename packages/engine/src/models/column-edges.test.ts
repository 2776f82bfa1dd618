import { Random } from '@tradewright/core/random'
import { expect, it } from 'vitest'
import { codeOf, columnEdges, edgeRows } from './column-edges.ts'
import { encodeColumn } from './coded-matrix.ts'
import { rowRange } from './splits.ts'

it('gives every value its own code while there are no more than 255', () => {
  const column = Float64Array.from({ length: 1000 }, (_, row) => (row * 7) % 255)
  const edges = columnEdges(column, edgeRows(rowRange(0, 1000)))
  expect(edges).toHaveLength(254)
  expect(codeOf(17, edges)).toBe(17)
})

it.each([254, 255, 256, 257])('codes %i distinct values without ever using the code of a missing one', (values) => {
  const column = Float64Array.from({ length: 3 * values }, (_, row) => (row * 7) % values)
  const edges = columnEdges(column, edgeRows(rowRange(0, column.length)))
  const codes = new Uint8Array(column.length)
  encodeColumn(column, edges, codes, false)
  expect(Math.max(...codes)).toBe(edges.length)
  expect(edges.length).toBeLessThanOrEqual(254)
  if (values <= 255) expect(new Set(codes).size).toBe(values)
})

it('cuts more values into at most 255 bins of about equal size', () => {
  const random = new Random(1)
  const column = Float64Array.from({ length: 5000 }, () => random.float() ** 4)
  const edges = columnEdges(column, edgeRows(rowRange(0, 5000)))
  const codes = new Uint8Array(5000)
  encodeColumn(column, edges, codes, false)
  const sizes = new Int32Array(255)
  for (const code of codes) sizes[code]! += 1
  expect(Math.max(...sizes)).toBeLessThan(25)
  expect(Math.min(...sizes)).toBeGreaterThan(14)
})

it('needs no more codes than a byte has, whatever the number of rows', () => {
  // With 360 rows and with 50 other counts up to 4,000, a bin ends at a whole row that a quotient just misses.
  for (let rows = 256; rows < 4000; rows++) {
    const column = Float64Array.from({ length: rows }, (_, row) => row)
    expect(columnEdges(column, edgeRows(rowRange(0, rows))), `${rows} rows`).toHaveLength(254)
  }
})

it('takes no notice of rows outside the training rows', () => {
  const column = Float64Array.of(1, 2, 3, 1e9, -5)
  expect([...columnEdges(column, edgeRows(rowRange(0, 3)))]).toEqual([1.5, 2.5])
})

it('keeps the larger of two neighbouring numbers on the right of their edge', () => {
  const next = 1 + Number.EPSILON
  const edges = columnEdges(Float64Array.of(1, next), edgeRows(rowRange(0, 2)))
  expect([codeOf(1, edges), codeOf(next, edges)]).toEqual([0, 1])
})
