import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { codeColumns } from '../coded-matrix.ts'
import { encodeLabels } from '../model.ts'
import { rowRange } from '../splits.ts'
import {
  fitAndPredictForest,
  fitForest,
  forestFitJob,
  forestFrom,
  forestPredictJob,
  forestProbabilities,
  forestSlices,
  growMissing,
  growForest,
} from './fit.ts'
import { type ForestGrowth, type ForestJob, sumCount } from './job.ts'
import { defaultForestSettings } from '../settings.ts'

const never = () => false

function request(rows: number, trees: number) {
  const random = new Random(rows)
  const columns = Array.from({ length: 4 }, () => Float64Array.from({ length: rows + 50 }, () => random.float()))
  const labels = encodeLabels(Array.from(columns[0]!, (value) => (value + random.float() > 1 ? 1 : 0)))
  const trainRows = rowRange(0, rows)
  const settings = { ...defaultForestSettings, trees, seed: 3 }
  return { matrix: codeColumns(columns, trainRows), labels, trainRows, settings }
}

/** Jobs of one sum, two, three and so on: as guided as any other division. */
function runsOfTrees(job: ForestJob): ForestJob[] {
  const jobs: ForestJob[] = []
  for (let from = 0, sums = 1; from < job.treeTo; from += sums++ * job.treesPerSum) {
    jobs.push({ ...job, treeFrom: from, treeTo: Math.min(job.treeTo, from + sums * job.treesPerSum) })
  }
  return jobs
}

/** A thread that is called back when it has grown so many sums. */
function growSome(slice: ForestJob, sums: number): ForestGrowth {
  let asked = 0
  return growForest(slice, never, () => asked++ >= sums)
}

const divisions: [string, (job: ForestJob) => ForestGrowth[]][] = [
  ['in one job', (job) => [growForest(job, never)]],
  ['in a job per sum', (job) => growMissing(job, [], never)],
  [
    'in jobs of all sizes, the last one first',
    (job) =>
      runsOfTrees(job)
        .toReversed()
        .map((run) => growForest(run, never)),
  ],
  ['in slices, of which the first takes all', (job) => forestSlices(job, 4).map((slice) => growForest(slice, never))],
  [
    'in slices that are called back, and the rest later',
    (job) => {
      const growths = forestSlices(job, 3).map((slice, at) => growSome(slice, at + 1))
      return [...growMissing(job, growths, never), ...growths]
    },
  ],
  [
    'in slices of which one thread dies',
    (job) => {
      const [lost, ...slices] = forestSlices(job, 3)
      growSome(lost!, 2)
      const growths = slices.map((slice) => growForest(slice, never))
      return [...growths, ...growMissing(job, growths, never)]
    },
  ],
]

describe.each([
  [700, 400],
  [2500, 70],
])('a forest of %i rows and %i trees is the same to the last bit', (rows, trees) => {
  const wanted = request(rows, trees)
  const testRows = rowRange(rows, rows + 50)
  const probabilities = fitAndPredictForest(wanted, testRows)
  const { model, outOfBag } = fitForest(wanted)
  const saved = model.save()

  it.each(divisions)('%s', (_, grow) => {
    const predicted = forestPredictJob(wanted, testRows)
    expect(sumCount(predicted)).toBeGreaterThan(3)
    expect(forestProbabilities(predicted, grow(predicted))).toEqual(probabilities)
    const kept = forestFitJob(wanted)
    const fitted = forestFrom(wanted.matrix, kept, grow(kept))
    expect(fitted.outOfBag).toEqual(outOfBag)
    expect(Buffer.compare(fitted.model.save(), saved)).toBe(0)
  })
})

it('a small forest has a slice for each thread that is worth it, and they take its sums from one list', () => {
  const job = forestPredictJob(request(700, 700), rowRange(0, 5))
  const slices = forestSlices(job, 3)
  expect(slices).toHaveLength(3)
  expect(growSome(slices[0]!, 2).firstTrees).toEqual(Int32Array.of(0, 16))
  expect(growSome(slices[1]!, 1).firstTrees).toEqual(Int32Array.of(32))
  expect(growForest(slices[0]!, never).firstTrees[0]).toBe(48)
  expect(growForest(slices[2]!, never).firstTrees).toHaveLength(0)
  expect(forestSlices(job, 100)).toHaveLength(4)
  expect(forestSlices(forestPredictJob(request(300, 100), rowRange(0, 5)), 3)).toHaveLength(1)
})

it('a large forest has a job for each of its sums, whose trees travel as soon as they are grown', () => {
  const jobs = forestSlices(forestPredictJob(request(2500, 70), rowRange(0, 5)), 2)
  expect(jobs.map(({ treeFrom, treeTo }) => [treeFrom, treeTo])).toEqual([
    [0, 16],
    [16, 32],
    [32, 48],
    [48, 64],
    [64, 70],
  ])
})

it('refuses to join a forest that lacks trees or has some of them twice', () => {
  const job = forestPredictJob(request(4000, 40), rowRange(0, 5))
  const [first, second, third] = growMissing(job, [], never) as [ForestGrowth, ForestGrowth, ForestGrowth]
  expect(forestProbabilities(job, [third, second, first])).toHaveLength(5)
  expect(() => forestProbabilities(job, [first, third])).toThrow('lacks some of its trees')
  expect(() => forestProbabilities(job, [first, second, second])).toThrow('has already')
})
