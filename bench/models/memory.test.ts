import { getHeapStatistics } from 'node:v8'
import { Random } from '@tradewright/core/random'
import { boostingBytes } from '@tradewright/engine/models/boosting/grow'
import type { BoostingJob } from '@tradewright/engine/models/boosting/job'
import { defaultBoostingSettings } from '@tradewright/engine/models/boosting/settings'
import { codeColumns } from '@tradewright/engine/models/coded-matrix'
import { fitAndPredictForest, forestPredictJobs } from '@tradewright/engine/models/forest/fit'
import { threadForestKernel } from '@tradewright/engine/models/forest/kernel'
import { defaultForestSettings } from '@tradewright/engine/models/forest/settings'
import { encodeLabels } from '@tradewright/engine/models/labels'
import { rowRange } from '@tradewright/engine/models/row-range'
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
  const jobs = forestPredictJobs({ ...request, settings }, testRows)
  const pool = new ThreadPool(2)
  try {
    await pool.run(jobs.map((job) => ({ kind: 'forest', job })))
  } finally {
    await pool.close()
  }
  const codes = request.matrix.codes.byteLength
  const taken = codes + jobs[0]!.prepared!.memory.buffer.byteLength
  expect(taken / codes).toBeLessThan(4)
})

it.each([1, 2])(
  'boosting of 500,000 rows by 20 takes less than four times its coded matrix on %i threads',
  (threads) => {
    const cells = 600_000 * 20
    const job: BoostingJob = {
      matrix: { rowCount: 600_000, codes: new Uint8Array(new SharedArrayBuffer(cells)), codeCount: 255 },
      labels: new Int8Array(600_000),
      columns: rowRange(0, 20),
      trainRows: rowRange(0, 500_000),
      validationRows: rowRange(0, 0),
      testRows: rowRange(500_000, 600_000),
      settings: defaultBoostingSettings,
      keepTrees: false,
    }
    expect((cells + boostingBytes(job, threads)) / cells).toBeLessThan(4)
    expect(boostingBytes(job, threads)).toBeGreaterThan(threads === 1 ? 2 * cells : boostingBytes(job))
  },
)
