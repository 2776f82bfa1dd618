import { Problem } from '@tradewright/core/problem'
import { describe, expect, it } from 'vitest'
import { isAvailable, valueOf } from '../performance/figure.ts'
import { averagesByDate } from './accuracy-by-date.ts'
import { shuffledLabels } from './honesty/shuffled-labels.ts'
import type { Learner, LearningJob } from './learner.ts'
import { planBacktest } from './plan.ts'
import type { BacktestProgress } from './progress.ts'
import { runBacktest } from './run-backtest.ts'
import { sampleData } from './test-support/market-files.ts'
import { nearestMean } from './test-support/nearest-mean.ts'
import { FROM, mlRequest, TO } from './test-support/requests.ts'

const data = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE'], FROM, TO)
const walkForward = { trainPct: 50, testPct: 10, stepPct: undefined }
const run = (request = mlRequest(), learn: Learner = nearestMean) => runBacktest(planBacktest(request), data, learn)

/** A learner that records its jobs. */
function spying(): { jobs: LearningJob[]; learn: Learner } {
  const jobs: LearningJob[] = []
  const learn: Learner = (job) => {
    jobs.push(job)
    return nearestMean(job)
  }
  return { jobs, learn }
}

describe('an ML backtest', () => {
  it('trades the test rows only, with the signal beside every bar [BT-087]', async () => {
    const { ml, curve, trades } = await run()
    expect(curve.days.length).toBe(ml!.signals.length)
    expect(ml!.test.from).toBe(curve.days[0])
    expect(ml!.train.to).toBeLessThan(ml!.test.from)
    expect(ml!.featureColumns.every((column) => column.length === curve.days.length)).toBe(true)
    expect(trades[0]!.timestamp).toBe(curve.timestamps[1])
    expect(ml!.importances).toHaveLength(5)
  })

  it('gives the same result to the last digit when it is run again', async () => {
    const request = mlRequest({ walkForward }, { referenceTicker: 'SPY', seed: 7 })
    expect(await run(request)).toEqual(await run(request))
  })

  it('gives a learner another seed for another seed of the run', async () => {
    const seeds = await Promise.all(
      [1, 2].map(async (seed) => {
        const { jobs, learn } = spying()
        await run(mlRequest({}, { seed }), learn)
        return jobs[0]!.seed
      }),
    )
    expect(seeds[0]).not.toBe(seeds[1])
  })

  it('trades when the signal changes, at the next open', async () => {
    const { ml, trades, curve } = await run(mlRequest({}, { rebalanceFrequency: 'none' }))
    const changes = [...ml!.signals].filter((signal, bar) => bar > 0 && signal !== ml!.signals[bar - 1]).length
    const tradedBars = new Set(trades.map(({ timestamp }) => timestamp))
    const lastBarChanged = ml!.signals.at(-1) !== ml!.signals.at(-2) ? 1 : 0
    expect(tradedBars.size).toBe(changes + 1 - lastBarChanged)
    for (const { timestamp } of trades) {
      const bar = curve.timestamps.indexOf(timestamp)
      expect(bar === 1 || ml!.signals[bar - 1] !== ml!.signals[bar - 2]).toBe(true)
    }
  })

  it('holds cash where the sell allocation is empty', async () => {
    const { curve, ml } = await run(mlRequest({ sell: [] }))
    const resting = [...ml!.signals].findIndex((signal, bar) => bar > 1 && signal === 0 && ml!.signals[bar - 1] === 0)
    expect(curve.exposure[resting]).toBe(0)
  })

  it('earns more with knowledge of the future than without, so a leak would show', async () => {
    const prophet: Learner = async ({ labels, predictRows }) => ({
      probabilities: Float64Array.from(predictRows, (row) => labels[row] ?? 0.5),
      importances: undefined,
    })
    const [known, guessed] = [await run(mlRequest(), prophet), await run()]
    expect(known.ml!.accuracy.accuracy).toBe(1)
    expect(known.metrics.totalReturn).toBeGreaterThan(2 * guessed.metrics.totalReturn)
    expect(known.ml!.importances).toBeUndefined()
  })
})

describe('walk-forward', () => {
  it('never lets a model see its test rows, nor labels that reach into them', async () => {
    const { jobs, learn } = spying()
    await run(mlRequest({ walkForward }), learn)
    // The last job is the one with shuffled labels.
    for (const { trainRows, predictRows, labels } of jobs) {
      const horizon = 5
      expect(trainRows.at(-1)! + horizon).toBeLessThan(predictRows[0]!)
      expect([...trainRows].every((row) => labels[row] !== null)).toBe(true)
    }
    expect(jobs.length).toBeGreaterThan(10)
  })

  it('uses every date once in the Overall curve, predicted by the newest model trained before it', async () => {
    const { ml, curve } = await run(mlRequest({ walkForward }))
    const windows = ml!.walkForward!.windows
    expect(new Set(curve.timestamps).size).toBe(curve.timestamps.length)
    expect([...ml!.signals].every((signal) => signal !== -1)).toBe(true)
    curve.timestamps.forEach((stamp, bar) => {
      const newest = windows.findLast(({ timestamps }) => timestamps[0]! <= stamp)!
      const row = newest.timestamps.indexOf(stamp)
      // After the last window's own test its model goes on.
      if (row >= 0) expect(ml!.signals[bar]).toBe(newest.signals[row])
      else expect(newest.number).toBe(windows.length)
    })
  })

  it('keeps metrics of each window over its whole test range [BT-097] [BT-098]', async () => {
    const { ml } = await run(mlRequest({ walkForward }, { referenceTicker: 'SPY' }))
    const { windows, averageAccuracy, lowestAccuracy, highestAccuracy, stepRows } = ml!.walkForward!
    expect(windows.map(({ number }) => number)).toEqual(windows.map((_, i) => i + 1))
    expect(stepRows).toBe(Math.floor(ml!.usableRows * 0.025))
    for (const {
      testRows,
      values,
      signals,
      buys,
      sells,
      referenceValues,
      referenceMetrics,
      test,
      train,
      metrics,
    } of windows) {
      expect(testRows).toBe(Math.floor(ml!.usableRows * 0.1))
      expect([values.length, referenceValues!.length]).toEqual([signals.length, signals.length])
      expect(buys + sells).toBe(testRows)
      expect(train.to).toBeLessThan(test.from)
      expect(isAvailable(metrics.cagr)).toBe(true)
      expect(isAvailable(referenceMetrics!.cagr)).toBe(true)
    }
    const accuracies = windows.map(({ accuracy }) => valueOf(accuracy.accuracy))
    expect(lowestAccuracy).toBe(Math.min(...accuracies))
    expect(highestAccuracy).toBe(Math.max(...accuracies))
    expect(valueOf(averageAccuracy)).toBeGreaterThan(valueOf(lowestAccuracy))
    expect(valueOf(averageAccuracy)).toBeLessThan(valueOf(highestAccuracy))
  })
})

describe('the average accuracy of windows that overlap', () => {
  const labels = [1, 1, 0, 0, null] as const
  const window = (testRows: number[], signals: number[]) => ({
    testRows: Int32Array.from(testRows),
    predictions: { signals: Int8Array.from(signals), probabilities: new Float64Array(5) },
  })

  it('counts each date once, and what is not known not at all', () => {
    const { averageAccuracy, averageBaseRate } = averagesByDate(
      [window([0, 1], [1, 1, -1, -1, -1]), window([1, 2], [-1, 0, 1, -1, -1]), window([2, 4], [-1, -1, 1, -1, 1])],
      labels,
    )
    // Right by date: 1, one of two, none of two.
    expect(averageAccuracy).toBe(0.5)
    expect(averageBaseRate).toBeCloseTo(2 / 3, 12)
  })
})

describe('honesty', () => {
  it('comes with every result', async () => {
    const { ml } = await run()
    expect(ml!.honesty.truncation).toEqual({ passed: true, checkedInstants: 3, failedFeatures: [] })
    expect(ml!.honesty.rowsPurged).toBe(5)
    expect(isAvailable(ml!.honesty.shuffledLabels.accuracy)).toBe(true)
    expect(ml!.honesty.shuffledLabels.passed).toBe(true)
    expect(valueOf(ml!.accuracy.baseRate)).toBeGreaterThanOrEqual(0.5)
  })

  it('sees that a learner knows the answers even when its labels are shuffled', async () => {
    let truth: LearningJob['labels'] | undefined
    const cheat: Learner = async ({ labels, predictRows }) => {
      truth ??= labels
      return { probabilities: Float64Array.from(predictRows, (row) => truth![row] ?? 0.5), importances: undefined }
    }
    const { ml } = await run(mlRequest(), cheat)
    expect(ml!.honesty.shuffledLabels.passed).toBe(false)
  })

  it('shuffles the training labels and no others', () => {
    const labels = Array.from({ length: 100 }, (_, i) => (i % 3 === 0 ? 1 : 0))
    const rows = Int32Array.from({ length: 60 }, (_, i) => i)
    const shuffled = shuffledLabels(labels, rows, 1, 5)
    expect(shuffled.slice(60)).toEqual(labels.slice(60))
    expect(shuffled.slice(0, 60)).not.toEqual(labels.slice(0, 60))
    expect(shuffled.filter((label) => label === 1)).toHaveLength(labels.filter((label) => label === 1).length)
  })

  it('shuffles labels that overlap in blocks, so that they stay alike from row to row', () => {
    const labels = Array.from({ length: 400 }, (_, i) => ((i * 7) % 40 < 20 ? 1 : 0))
    const rows = Int32Array.from(labels, (_, i) => i)
    const changes = (column: readonly unknown[]) => column.filter((label, i) => i > 0 && label !== column[i - 1]).length
    const blocks = Array.from({ length: 20 }, (_, i) => labels.slice(20 * i, 20 * i + 20).join(''))
    const shuffled = shuffledLabels(labels, rows, 20, 5)
    expect(shuffled).not.toEqual(labels)
    expect(Array.from({ length: 20 }, (_, i) => shuffled.slice(20 * i, 20 * i + 20).join('')).toSorted()).toEqual(
      blocks.toSorted(),
    )
    expect(changes(shuffled)).toBeLessThanOrEqual(changes(labels) + 20)
  })
})

describe('a run', () => {
  it('tells how far it has come', async () => {
    const told: BacktestProgress[] = []
    const plan = planBacktest(mlRequest({ walkForward }))
    await runBacktest(plan, data, nearestMean, { onProgress: (progress) => told.push(progress), signal: undefined })
    expect(told[0]).toEqual({ stage: 'features', done: 0, total: 5 })
    expect(told.filter(({ stage }) => stage === 'training').length).toBeGreaterThan(10)
    expect(told.at(-1)).toEqual({ stage: 'simulation' })
  })

  it('ends when it is cancelled', async () => {
    const aborting = new AbortController()
    const learn: Learner = (job) => {
      aborting.abort()
      return nearestMean(job)
    }
    const control = { onProgress: () => undefined, signal: aborting.signal }
    const cancelled = runBacktest(planBacktest(mlRequest({ walkForward })), data, learn, control)
    await expect(cancelled).rejects.toBeInstanceOf(Problem)
    await expect(cancelled).rejects.toThrow('The backtest was cancelled.')
  })

  it.each([
    [
      { target: { id: 3, params: { ticker: 'SPY', horizon: 5, threshold: 500 } } },
      'The target is 0 in every training row of window 1: there is nothing to learn.',
    ],
    [
      { features: [{ id: 4, params: { ticker: 'SPY', window: 100_000 } }] },
      'Simple moving average (SPY, window 100000) has no value in the period: the range is shorter than the warm-up.',
    ],
    [{ walkForward: { trainPct: 0.1, testPct: 10, stepPct: undefined } }, 'are too small for'],
    [{ features: [{ id: 7, params: { ticker: 'GONE' } }] }, 'There is no data for GONE between'],
  ])('says why it cannot be done: %j', async (strategy, message) => {
    await expect(run(mlRequest(strategy))).rejects.toThrow(message)
  })
})

it('says that idle cash earns nothing while Sharpe is measured against bills', async () => {
  const { notes } = await run(mlRequest({ sell: [{ ticker: 'CASHX', allocationPct: 100 }] }))
  expect(notes.some((note) => note.startsWith('While out of the market this strategy holds cash'))).toBe(true)
})
