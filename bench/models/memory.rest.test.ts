import { getHeapStatistics } from 'node:v8'
import { Random } from '@tradewright/core/random'
import { boostingBytes } from '@tradewright/engine/models/boosting/grow'
import type { BoostingJob } from '@tradewright/engine/models/boosting/booster'
import { defaultBoostingSettings, defaultForestSettings } from '@tradewright/engine/models/settings'
import { codeColumns } from '@tradewright/engine/models/coded-matrix'
import { fitAndPredictForest, forestPredictJob } from '@tradewright/engine/models/forest/fit'
import { threadForestKernel } from '@tradewright/engine/models/forest/compiled-fit'
import { encodeLabels } from '@tradewright/engine/models/model'
import { rowRange } from '@tradewright/engine/models/splits'
import { forestTasks } from '@tradewright/engine/models/tasks'
import { expect, it } from 'vitest'
import { ThreadPool } from './thread-pool.ts'

function data(rows: number, columnCount: number, testRows: number) {
  const random = new Random(rows)
  const all = rows + testRows
  const columns = Array.from({ length: columnCount }, () => Float64Array.from({ length: all }, () => random.float()))
  const labels = encodeLabels(Array.from(columns[0]!, (value) => (value + random.float() > 1 ? 1 : 0)))
  const trainRows = rowRange(0, rows)
  return { matrix: codeColumns(columns, trainRows), labels, trainRows, testRows: rowRange(rows, all) }
}

it('a batch of 1,000 evaluations allocates nothing per tree', () => {
  const { testRows, ...request } = data(120, 6, 20)
  const evaluate = (trees: number, count: number) => {
    const before = getHeapStatistics().total_allocated_bytes
    for (let seed = 0; seed < count; seed++) {
      fitAndPredictForest({ ...request, settings: { ...defaultForestSettings, trees, seed } }, testRows)
    }
    return getHeapStatistics().total_allocated_bytes - before
  }
  evaluate(2, 1)
  const pages = threadForestKernel(0).memory.buffer.byteLength
  evaluate(2, 1000)
  expect(threadForestKernel(0).memory.buffer.byteLength).toBe(pages)
  // The compiler allocates now and then too, so the least of a few tries counts.
  const ofFew = Math.min(...Array.from({ length: 5 }, () => evaluate(2, 100)))
  const ofMany = Math.min(...Array.from({ length: 5 }, () => evaluate(122, 100)))
  expect((ofMany - ofFew) / (100 * 120)).toBeLessThan(24)
})

it('a large forest on two threads takes less than four times its coded matrix', async () => {
  const { testRows, ...request } = data(80_000, 20, 16_000)
  const settings = { ...defaultForestSettings, trees: 8 }
  const job = forestPredictJob({ ...request, settings }, testRows)
  const pool = new ThreadPool(2)
  try {
    await pool.run(forestTasks(job, 2))
  } finally {
    await pool.close()
  }
  const codes = request.matrix.codes.byteLength
  const taken = codes + job.prepared!.memory.buffer.byteLength
  expect(taken / codes).toBeLessThan(4)
})

/** A job that is only laid out: its codes are never read. */
function layout(columns: number, trainCount: number, testCount: number): BoostingJob {
  const rowCount = trainCount + testCount
  return {
    matrix: { rowCount, codes: new Uint8Array(new SharedArrayBuffer(0)), codeCount: 255 },
    labels: new Int8Array(rowCount),
    columns: rowRange(0, columns),
    trainRows: rowRange(0, trainCount),
    validationRows: rowRange(0, 0),
    testRows: rowRange(trainCount, rowCount),
    settings: defaultBoostingSettings,
    keepTrees: testCount === 0,
  }
}

const matricesOf = (job: BoostingJob, threads: number) => {
  const codes = job.matrix.rowCount * job.columns.length
  return (codes + boostingBytes(job, threads)) / codes
}

it.each([
  [10, 500_000, 100_000],
  [10, 500_000, 0],
  [10, 200_000, 0],
  [12, 100_000, 20_000],
  [20, 500_000, 100_000],
  [20, 500_000, 0],
  [20, 40_000, 8000],
  [100, 500_000, 100_000],
  [100, 40_000, 0],
])('boosting by %i columns of %i + %i rows takes less than four times its coded matrix', (columns, train, test) => {
  const job = layout(columns, train, test)
  for (const threads of [1, 2]) {
    expect(matricesOf(job, threads)).toBeLessThan(4)
    // The codes as records, and twelve bytes a row.
    expect(matricesOf(job, threads)).toBeGreaterThan(2 + 12 / columns)
  }
})

it('boosting takes 12 bytes a row, its codes and gradient, and at most half a megabyte for a thread', () => {
  for (const columns of [1, 5, 10, 20]) {
    const bytes = boostingBytes(layout(columns, 100_000, 0))
    expect(bytes).toBeGreaterThan(100_000 * (columns + 4 + 12))
    expect(bytes).toBeLessThan(100_000 * (columns + 4 + 12.2) + 500_000)
  }
})
