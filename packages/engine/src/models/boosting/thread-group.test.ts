import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { codeColumns } from '../coded-matrix.ts'
import { encodeLabels } from '../model.ts'
import { rowRange } from '../splits.ts'
import { addTrees, growBoosting, helpBoosting } from './grow.ts'
import { boostingJob } from './model.ts'
import type { BoostingJob } from './booster.ts'
import { defaultBoostingSettings } from '../settings.ts'
import { newThreadGroup, worthwhileThreads } from './thread-group.ts'

const never = () => false
/** A helper that joined and then fell silent. */
const comeAndGone = ({ cells }: { cells: Int32Array }) => void Atomics.store(cells, 0, 1)

function makeJob(rows: number, maxDepth: number): BoostingJob {
  const random = new Random(rows)
  const columns = Array.from({ length: 4 }, () => Float64Array.from({ length: rows + 50 }, () => random.float()))
  const labels = encodeLabels(Array.from(columns[0]!, (value) => (value + random.float() > 1 ? 1 : 0)))
  const trainRows = rowRange(0, rows)
  const settings = { ...defaultBoostingSettings, rounds: 2, maxDepth }
  return boostingJob(
    { matrix: codeColumns(columns, trainRows), labels, trainRows, settings },
    rowRange(rows, rows + 50),
  )
}

describe('a group of threads', () => {
  const job = makeJob(33_000, 3)
  const alone = growBoosting(job, never)

  it('is the owner alone when no helper joins', () => {
    expect(growBoosting(job, never, newThreadGroup(job, 2))).toEqual(alone)
  })

  it('lets a helper go that comes too late', () => {
    const group = newThreadGroup(job, 2)
    growBoosting(job, never, group)
    expect(helpBoosting(job, group, never)).toBeUndefined()
  })

  it('loses nothing when a helper dies', () => {
    const group = newThreadGroup(job, 2, 60)
    comeAndGone(group)
    expect(growBoosting(job, never, group)).toEqual(alone)
  })

  it('loses nothing when a helper fails', () => {
    const group = newThreadGroup(job, 2)
    comeAndGone(group)
    const failing = () => {
      Atomics.store(group.cells, 5, 1)
      return false
    }
    expect(growBoosting(job, failing, group)).toEqual(alone)
  })

  it('does not keep a helper whose owner died', () => {
    expect(helpBoosting(job, newThreadGroup(job, 2, 60), never)).toBeUndefined()
  })

  it('is left by all when the fit is cancelled, wherever they wait', () => {
    const cancelledAt = (answer: number) => {
      let questions = 0
      return () => ++questions >= answer
    }
    for (const answer of [1, 2, 30]) {
      const group = newThreadGroup(job, 2)
      comeAndGone(group)
      expect(() => growBoosting(job, cancelledAt(answer), group)).toThrow('Training was cancelled.')
    }
    expect(() => helpBoosting(job, newThreadGroup(job, 2), cancelledAt(2))).toThrow('Training was cancelled.')
  })
})

it('a tree says the same about a row when it is added afterwards', () => {
  const job = { ...makeJob(33_000, 5), keepTrees: true }
  const { trees, baseMargin, testMargins } = growBoosting(job, never)
  const margins = new Float64Array(job.testRows.length).fill(baseMargin)
  addTrees(job, trees, job.testRows, margins, never)
  expect(margins).toEqual(testMargins)
  expect(() => addTrees(job, trees, job.testRows, margins, () => true)).toThrow('Training was cancelled.')
})

it('threads are worth their while in large fits whose nodes stay large', () => {
  expect(worthwhileThreads(makeJob(800, 6), 4)).toBe(1)
  expect(worthwhileThreads(makeJob(32_767, 1), 4)).toBe(1)
  expect(worthwhileThreads(makeJob(33_000, 1), 4)).toBe(4)
  expect(worthwhileThreads(makeJob(33_000, 14), 4)).toBe(1)
})
