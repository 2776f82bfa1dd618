import { Random } from '@tradewright/core/random'
import { boostingJob } from '@tradewright/engine/models/boosting/model'
import { fitsWideLayout } from '@tradewright/engine/models/boosting/large-booster'
import { defaultBoostingSettings } from '@tradewright/engine/models/settings'
import { newCancelFlag } from '@tradewright/engine/models/cancellation'
import { codeColumns } from '@tradewright/engine/models/coded-matrix'
import { encodeLabels } from '@tradewright/engine/models/model'
import { rowRange } from '@tradewright/engine/models/splits'
import { boostingTasks, runModelTask } from '@tradewright/engine/models/tasks'
import { expect, it } from 'vitest'
import { ThreadPool } from './thread-pool.ts'

it('a large boosted model with room for its codes twice is the same on two threads', async () => {
  const random = new Random(80)
  const columns = Array.from({ length: 80 }, () => Float64Array.from({ length: 44_000 }, () => random.float()))
  const labels = encodeLabels(Array.from(columns[0]!, (value) => (value + random.float() > 1 ? 1 : 0)))
  const trainRows = rowRange(0, 40_000)
  const settings = { ...defaultBoostingSettings, rounds: 3, maxDepth: 2 }
  const job = boostingJob(
    { matrix: codeColumns(columns, trainRows), labels, trainRows, settings },
    rowRange(40_000, 44_000),
  )
  expect(fitsWideLayout(job, 2)).toBe(true)
  const [alone] = boostingTasks(job, 1).map((task) => runModelTask(task, newCancelFlag()))
  const pool = new ThreadPool(2)
  try {
    expect((await pool.run(boostingTasks(job, 2)))[0]).toEqual(alone)
  } finally {
    await pool.close()
  }
})
