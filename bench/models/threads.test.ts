import { Random } from '@tradewright/core/random'
import { boostingJob } from '@tradewright/engine/models/boosting/fit'
import { defaultBoostingSettings } from '@tradewright/engine/models/boosting/settings'
import { cancel, newCancelFlag } from '@tradewright/engine/models/cancellation'
import { codeColumns } from '@tradewright/engine/models/coded-matrix'
import { forestFitJobs, forestPredictJobs } from '@tradewright/engine/models/forest/fit'
import { defaultForestSettings } from '@tradewright/engine/models/forest/settings'
import { encodeLabels } from '@tradewright/engine/models/labels'
import { rowRange } from '@tradewright/engine/models/row-range'
import { type ModelTask, runModelTask } from '@tradewright/engine/models/tasks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ThreadPool } from './thread-pool.ts'

let pools: ThreadPool[]
beforeAll(() => void (pools = [1, 2, 3].map((threads) => new ThreadPool(threads))))
afterAll(() => Promise.all(pools.map((pool) => pool.close())))

/** What this thread makes of the tasks is what any number of others makes of them, to the last bit. */
async function expectSameEverywhere(tasks: ModelTask[]): Promise<void> {
  const here = tasks.map((task) => runModelTask(task, newCancelFlag()))
  for (const pool of pools) expect(await pool.run(tasks)).toEqual(here)
}

function data(rows: number) {
  const random = new Random(rows)
  const columns = Array.from({ length: 6 }, () => Float64Array.from({ length: rows }, () => random.float()))
  const labels = encodeLabels(Array.from(columns[0]!, (value) => (value + random.float() > 1 ? 1 : 0)))
  return { columns, labels }
}

function request(rows: number, trees: number) {
  const { columns, labels } = data(rows)
  const trainRows = rowRange(0, rows - 100)
  const settings = { ...defaultForestSettings, trees }
  return { matrix: codeColumns(columns, trainRows), labels, trainRows, settings }
}

const asTasks = (jobs: Extract<ModelTask, { kind: 'forest' }>['job'][]): ModelTask[] =>
  jobs.map((job) => ({ kind: 'forest', job }))

it.each([
  [400, 600],
  [6000, 60],
])('a forest of %i rows and %i trees is the same on any number of threads', async (rows, trees) => {
  const wanted = request(rows, trees)
  const tasks = [...asTasks(forestPredictJobs(wanted, rowRange(rows - 100, rows))), ...asTasks(forestFitJobs(wanted))]
  expect(tasks.length).toBeGreaterThan(3)
  await expectSameEverywhere(tasks)
})

it('a batch of boosted models is the same on any number of threads', async () => {
  const { matrix, labels, trainRows } = request(500, 1)
  const settings = { ...defaultBoostingSettings, rounds: 30, subsample: 0.7 }
  const tasks = [1, 2, 3, 4].map((seed): ModelTask => {
    const job = boostingJob({ matrix, labels, trainRows, settings: { ...settings, seed } }, rowRange(400, 500))
    return { kind: 'boosting', job }
  })
  await expectSameEverywhere(tasks)
})

it('a cancelled fit ends in the middle of its work', async () => {
  const flag = newCancelFlag()
  const wanted = request(60_000, 10_000)
  const running = pools[1]!.run(asTasks(forestPredictJobs(wanted, rowRange(59_900, 60_000))), flag)
  cancel(flag)
  await expect(running).rejects.toThrow('Training was cancelled.')
  expect(() => runModelTask(asTasks(forestFitJobs(request(300, 5)))[0]!, flag)).toThrow('Training was cancelled.')
})
