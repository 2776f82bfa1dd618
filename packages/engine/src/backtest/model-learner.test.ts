import { describe, expect, it } from 'vitest'
import { defaultBoostingSettings, type ModelChoice, defaultForestSettings } from '../models/settings.ts'
import { choiceOf, definitionOf } from '../models/catalogue.ts'
import { growForest, forestSlices } from '../models/forest/fit.ts'
import type { LearnTogether } from './learner.ts'
import type { GrowForest } from '../models/model.ts'
import { modelLearner } from './model-learner.ts'
import { planBacktest } from './plan.ts'
import { runBacktest } from './run-backtest.ts'
import { sampleData } from './test-support/market-files.ts'
import { FROM, mlRequest, TO } from './test-support/requests.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE'], FROM, TO)
const choices: ModelChoice[] = [
  { kind: 'forest', settings: { ...defaultForestSettings, trees: 60, minSamplesLeaf: 3 } },
  { kind: 'boosting', settings: { ...defaultBoostingSettings, rounds: 20, maxDepth: 3 } },
  { kind: 'linear' },
  choiceOf('extra-trees', { trees: 60, minSamplesLeaf: 3 }),
]

describe.each(choices)('a $kind model', (choice) => {
  const learn = modelLearner(choice)
  const run = (seed: number) =>
    runBacktest(
      planBacktest(mlRequest({ walkForward: { trainPct: 50, testPct: 20, stepPct: 10 } }, { seed })),
      data,
      learn,
    )

  it('runs a backtest that repeats to the last digit', async () => {
    const [first, again] = [await run(1), await run(1)]
    expect(again).toEqual(first)
    expect(first.ml!.honesty.truncation.passed).toBe(true)
    expect(first.ml!.importances).toHaveLength(5)
    expect(first.ml!.importances!.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9)
  })

  it('gives the same probabilities whether or not importances are wanted', async () => {
    const columns = [0, 1].map((c) => Float64Array.from({ length: 80 }, (_, i) => Math.sin(i * (c + 1)) + i / 40))
    const labels = Array.from({ length: 80 }, (_, i) => (Math.sin(i) > 0 ? 1 : 0))
    const rows = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, i) => from + i)
    const job = { columns, labels, trainRows: rows(0, 60), predictRows: rows(60, 80), seed: 3, signal: undefined }
    const [kept, fused] = [
      await learn({ ...job, wantsImportances: true }),
      await learn({ ...job, wantsImportances: false }),
    ]
    expect(fused.probabilities).toEqual(kept.probabilities)
  })
})

it.each(choices.filter(({ kind }) => !definitionOf(kind).isGrownInParts))(
  'gives the same result to the last digit when the windows of a $kind model are learned side by side',
  async (choice) => {
    const plan = planBacktest(mlRequest({ walkForward: { trainPct: 50, testPct: 20, stepPct: 10 } }, { seed: 5 }))
    const together: LearnTogether = async (jobs, begun) => {
      begun(jobs.length)
      // Values that travel between threads are copied; without control there is no signal that could not be.
      const copies = structuredClone(jobs).toReversed()
      const learned = await Promise.all(copies.map((job) => modelLearner(choice)(job)))
      return learned.toReversed()
    }
    const here = await runBacktest(plan, data, modelLearner(choice))
    expect(await runBacktest(plan, data, modelLearner(choice, { together }))).toEqual(here)
  },
)

it('gives the same result to the last digit, wherever and in whatever order the parts of a forest grow', async () => {
  const sliceCounts: number[] = []
  const elsewhere: GrowForest = async (job) => {
    const slices = forestSlices(job, 3)
    sliceCounts.push(slices.length)
    const growths = slices.map((slice, at) =>
      growForest(structuredClone(slice), () => false, at < slices.length - 1 ? callsBackAfter(at + 1) : undefined),
    )
    return structuredClone(growths).toReversed()
  }
  const plan = planBacktest(mlRequest({ walkForward: { trainPct: 50, testPct: 20, stepPct: 10 } }, { seed: 5 }))
  const choice: ModelChoice = { kind: 'forest', settings: { ...defaultForestSettings, trees: 400 } }
  const here = await runBacktest(plan, data, modelLearner(choice))
  expect(await runBacktest(plan, data, modelLearner(choice, { growForest: elsewhere }))).toEqual(here)
  expect(Math.max(...sliceCounts)).toBe(2)
})

/** Lets a thread grow so many sums of trees. */
function callsBackAfter(sums: number): () => boolean {
  let asked = 0
  return () => asked++ >= sums
}
