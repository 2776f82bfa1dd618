import { Random } from '@tradewright/core/random'
import { boostingJob } from '@tradewright/engine/models/boosting/model'
import {
  type BoostingSettings,
  defaultBoostingSettings,
  defaultForestSettings,
} from '@tradewright/engine/models/settings'
import { cancel, newCancelFlag } from '@tradewright/engine/models/cancellation'
import { codeColumns } from '@tradewright/engine/models/coded-matrix'
import {
  fitAndPredictForest,
  fitForest,
  forestFitJob,
  forestFrom,
  forestPredictJob,
  forestProbabilities,
} from '@tradewright/engine/models/forest/fit'
import { encodeLabels } from '@tradewright/engine/models/model'
import { rowRange } from '@tradewright/engine/models/splits'
import {
  boostingTasks,
  forestTasks,
  type ModelTask,
  type ModelTaskResult,
  runModelTask,
} from '@tradewright/engine/models/tasks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ThreadPool } from './thread-pool.ts'

let pools: ThreadPool[]
beforeAll(() => void (pools = [1, 2, 3].map((threads) => new ThreadPool(threads))))
afterAll(() => Promise.all(pools.map((pool) => pool.close())))

/** Any number of threads gives the same outcomes as this one, to the last bit. */
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

const growthsOf = (results: readonly ModelTaskResult[]) =>
  results.flatMap((result) => (result.kind === 'forest' ? [result.growth] : []))

it.each([
  [400, 1200],
  [6000, 60],
])('a forest of %i rows and %i trees is the same on any number of threads', async (rows, trees) => {
  const wanted = request(rows, trees)
  const testRows = rowRange(rows - 100, rows)
  const predicted = forestPredictJob(wanted, testRows)
  const kept = forestFitJob(wanted)
  const probabilities = fitAndPredictForest(wanted, testRows)
  const { model, outOfBag } = fitForest(wanted)
  const saved = model.save()
  for (const pool of pools) {
    const tasks = forestTasks(predicted, pool.threads)
    expect(tasks.length).toBeGreaterThanOrEqual(pool.threads)
    expect(forestProbabilities(predicted, growthsOf(await pool.run(tasks)))).toEqual(probabilities)
    const fitted = forestFrom(wanted.matrix, kept, growthsOf(await pool.run(forestTasks(kept, pool.threads))))
    expect(fitted.outOfBag).toEqual(outOfBag)
    expect(Buffer.compare(fitted.model.save(), saved)).toBe(0)
  }
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

/** 40,000 rows and some of the values missing. */
function largeBoosting(settings: Partial<BoostingSettings>, keepTrees = true) {
  const { columns, labels } = data(46_000)
  columns[2] = columns[2]!.map((value) => (value < 0.1 ? NaN : value))
  const trainRows = rowRange(0, 40_000)
  const all = { ...defaultBoostingSettings, rounds: 6, maxDepth: 4, ...settings }
  const validationRows = rowRange(40_000, 43_000)
  const request = { matrix: codeColumns(columns, trainRows), labels, trainRows, settings: all, validationRows }
  return { ...boostingJob(request, rowRange(43_000, 46_000)), keepTrees }
}

it.each<Partial<BoostingSettings>>([
  {},
  { subsample: 0.6, colsample: 0.5 },
  { minChildWeight: 300, gamma: 1 },
  { rounds: 40, eta: 1, earlyStoppingRounds: 2 },
])('one large boosted model with %o is the same on any number of threads', async (settings) => {
  const job = largeBoosting(settings)
  const [here] = boostingTasks(job, 1).map((task) => runModelTask(task, newCancelFlag()))
  for (const pool of pools) {
    const tasks = boostingTasks(job, 3)
    expect(tasks).toHaveLength(3)
    expect((await pool.run(tasks))[0]).toEqual(here)
  }
})

it('a boosted model that several threads grow ends for all of them when it is cancelled', async () => {
  const flag = newCancelFlag()
  const tasks = boostingTasks(largeBoosting({ rounds: 100_000 }, false), 3)
  const team = tasks.find((task) => task.kind === 'boosting-help')!.group
  const running = pools[2]!.run(tasks, flag)
  // Until the first round has begun.
  await Promise.resolve(Atomics.waitAsync(team.cells, 4, 0).value)
  cancel(flag)
  await expect(running).rejects.toThrow('Training was cancelled.')
  const next = boostingTasks(largeBoosting({}), 3)
  expect((await pools[2]!.run(next))[0]).toMatchObject({ kind: 'boosting' })
})

it('a cancelled fit ends in the middle of its work', async () => {
  const flag = newCancelFlag()
  const wanted = request(60_000, 10_000)
  const running = pools[1]!.run(forestTasks(forestPredictJob(wanted, rowRange(59_900, 60_000)), 2), flag)
  cancel(flag)
  await expect(running).rejects.toThrow('Training was cancelled.')
  expect(() => runModelTask(forestTasks(forestFitJob(request(300, 5)), 2)[0]!, flag)).toThrow('Training was cancelled.')
})
