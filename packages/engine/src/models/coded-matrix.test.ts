import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { codeColumns } from './coded-matrix.ts'
import { MISSING_CODE } from './column-edges.ts'
import { rowRange } from './splits.ts'

const random = new Random(11)
const normal = () => Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float())

const KINDS: Record<string, (row: number) => number> = {
  normal,
  uniform: () => random.float(),
  'far outliers': () => normal() / normal(),
  'one far outlier': (row) => (row === 40 ? 1e12 : normal()),
  magnitudes: () => Math.exp(20 * normal()),
  'two values': () => random.below(2),
  'few values': () => random.below(11) / 10,
  '255 values': () => random.below(255) - 100,
  '256 values': () => random.below(256) - 100,
  'many zeros of both signs': () => [0, -0, normal()][random.below(3)]!,
  'a constant': () => 4.25,
  'a trend, so that later rows lie outside': (row) => row / 7,
  'neighbouring numbers': () => 1 + random.below(900) * Number.EPSILON,
  'numbers below the normal ones': () => random.below(400) * Number.MIN_VALUE,
  'the farthest numbers': () => (random.float() - 0.5) * 2 * Number.MAX_VALUE,
  'some missing': () => (random.below(5) === 0 ? NaN : normal()),
  'nearly all missing': () => (random.below(100) > 0 ? NaN : normal()),
  'all missing': () => NaN,
}

/** The rule, written down plainly. */
function plainEdges(column: Float64Array, rows: Int32Array): number[] {
  const sorted = Array.from(rows, (row) => column[row]!)
    .filter((value) => !Number.isNaN(value))
    .sort((left, right) => left - right)
  const width = new Set(sorted).size <= 255 ? 1 : sorted.length / 255
  const edges: number[] = []
  let bin = 1
  for (const [i, upper] of sorted.entries()) {
    const lower = sorted[i - 1]!
    if (i === 0 || upper === lower || i < bin * width) continue
    const middle = lower / 2 + upper / 2
    edges.push(middle < upper ? middle : lower)
    while (bin * width <= i) bin++
  }
  return edges
}

const plainCode = (value: number, edges: readonly number[]) =>
  Number.isNaN(value) ? MISSING_CODE : edges.findLastIndex((edge) => edge < value) + 1

const TRAIN_ROWS: Record<string, (rowCount: number) => Int32Array> = {
  'the first rows': (rowCount) => rowRange(0, Math.ceil(rowCount / 2)),
  'rows in the middle': (rowCount) => rowRange(Math.floor(rowCount / 4), Math.ceil((rowCount * 3) / 4)),
  'rows in any order, some twice': (rowCount) => Int32Array.from({ length: rowCount }, () => random.below(rowCount)),
}

describe.each([2, 61, 504, 1260, 2100])('columns of %i rows', (rowCount) => {
  it.each(Object.keys(TRAIN_ROWS))('are coded by the plain rule from %s', (name) => {
    const trainRows = TRAIN_ROWS[name]!(rowCount)
    const columns = Object.values(KINDS).map((make) => Float64Array.from({ length: rowCount }, (_, row) => make(row)))
    const matrix = codeColumns(columns, trainRows)
    for (const [index, kind] of Object.keys(KINDS).entries()) {
      const column = columns[index]!
      const edges = plainEdges(column, trainRows)
      expect([...matrix.edges[index]!], kind).toEqual(edges)
      const codes = matrix.codes.subarray(index * rowCount, (index + 1) * rowCount)
      const firstWrong = column.findIndex((value, row) => codes[row] !== plainCode(value, edges))
      expect(firstWrong, kind).toBe(-1)
      expect(matrix.hasMissing[index], kind).toBe(column.some(Number.isNaN))
    }
  })
})

it('takes the edges of very many rows from an evenly spaced sample of them', () => {
  const column = Float64Array.from({ length: 150_000 }, normal)
  const trainRows = rowRange(10_000, 150_000)
  const step = trainRows.length / 65_536
  const sample = Int32Array.from({ length: 65_536 }, (_, i) => trainRows[Math.floor(i * step)]!)
  expect([...codeColumns([column], trainRows).edges[0]!]).toEqual(plainEdges(column, sample))
})
