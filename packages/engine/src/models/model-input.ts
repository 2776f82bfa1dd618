import { Problem } from '@tradewright/core/problem'
import type { CodedMatrix } from './coded-matrix.ts'
import { codeOf, MISSING_CODE } from './column-edges.ts'
import { rowRange } from './row-range.ts'

export function missingProblem(column: number): Problem {
  return new Problem(
    'invalid',
    'model.missing-value',
    `Feature ${column + 1} has missing values, which this kind of model cannot use.`,
  )
}

/** Warm-up rows may miss values as long as they are neither trained on nor predicted. */
export function refuseMissing(matrix: CodedMatrix, columns: Int32Array, ...rowLists: Int32Array[]): void {
  for (const column of columns) {
    if (matrix.hasMissing[column] !== true) continue
    const from = column * matrix.rowCount
    for (const rows of rowLists) {
      for (const row of rows) if (matrix.codes[from + row] === MISSING_CODE) throw missingProblem(column)
    }
  }
}

export function checkColumnCount(columns: readonly Float64Array[], expected: number): void {
  if (columns.length !== expected) {
    throw new RangeError(`the model was trained on ${expected} columns, not on ${columns.length}`)
  }
}

export function rowsToPredict(columns: readonly Float64Array[], rows?: Int32Array): Int32Array {
  return rows ?? rowRange(0, columns[0]?.length ?? 0)
}

/** The codes of the given rows, row after row. Infinite values are refused; missing ones get their own code. */
export function codeRows(
  columns: readonly Float64Array[],
  edges: readonly Float64Array[],
  rows: Int32Array,
  allowMissing: boolean,
): Uint8Array {
  checkColumnCount(columns, edges.length)
  const codes = new Uint8Array(rows.length * columns.length)
  columns.forEach((column, index) => {
    for (let i = 0; i < rows.length; i++) {
      const value = column[rows[i]!]
      if (value === undefined) throw new RangeError(`row ${rows[i]} lies outside the ${column.length} rows given`)
      if (Number.isNaN(value)) {
        if (!allowMissing) throw missingProblem(index)
        codes[i * columns.length + index] = MISSING_CODE
      } else if (Number.isFinite(value)) {
        codes[i * columns.length + index] = codeOf(value, edges[index]!)
      } else throw new Problem('invalid', 'model.infinite', `Feature ${index + 1} is infinite in row ${rows[i]! + 1}.`)
    }
  })
  return codes
}
