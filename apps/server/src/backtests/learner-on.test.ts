import { Random } from '@tradewright/core/random'
import { defaultBoostingSettings, type ModelChoice, defaultForestSettings } from '@tradewright/engine/models/settings'
import { rowRange } from '@tradewright/engine/models/splits'
import { afterAll, describe, expect, it } from 'vitest'
import type { tasks } from '../../test-support/compute/learning-tasks.ts'
import { type ComputePool, createComputePool } from '../workers/compute-pool.ts'

const support = (name: string) => new URL(`../../test-support/compute/${name}.ts`, import.meta.url)
const poolOf = (threads: number) => createComputePool<typeof tasks>({ threads, registry: support('learning-tasks') })

const boosting = (rounds: number): ModelChoice => ({
  kind: 'boosting',
  settings: { ...defaultBoostingSettings, rounds, maxDepth: 3 },
})

const LARGE = 40_000

function windows(count: number, rows: number) {
  const random = new Random(rows)
  const column = () => {
    const values = new Float64Array(new SharedArrayBuffer(8 * (rows + 100)))
    for (let row = 0; row < values.length; row++) values[row] = random.float()
    return values
  }
  const columns = [column(), column(), column()]
  const labels = Array.from(columns[0]!, (value) => (value + random.float() > 1 ? 1 : 0))
  return Array.from({ length: count }, (_, at) => ({
    columns,
    labels,
    trainRows: rowRange(0, rows),
    predictRows: rowRange(rows, rows + 100),
    seed: at,
    wantsImportances: at === count - 1,
  }))
}

const pools = new Map([1, 2, 3].map((threads) => [threads, poolOf(threads)]))
afterAll(() => Promise.all([...pools.values()].map((pool) => pool.close())))

describe('large boosted windows', () => {
  const learn = (pool: ComputePool<typeof tasks>, count: number, rows = LARGE, rounds = 4) =>
    pool.run('test/learn', { choice: boosting(rounds), jobs: windows(count, rows) }, { owner: 'ann' })

  it('are the same to the last bit on one thread, on two and on three', async () => {
    const alone = await learn(pools.get(1)!, 2)
    for (const pool of pools.values()) expect((await learn(pool, 2)).outcomes).toEqual(alone.outcomes)
  })

  it('have all threads in their turn when there are fewer of them than threads', async () => {
    expect((await learn(pools.get(2)!, 1)).shared).toEqual([['backtests/boost', 2]])
    expect((await learn(pools.get(3)!, 2)).shared).toEqual([
      ['backtests/boost', 3],
      ['backtests/boost', 3],
    ])
  })

  it('have a thread each when there are enough of them, or when they are small', async () => {
    expect((await learn(pools.get(2)!, 2)).shared).toEqual([['backtests/learn', 2]])
    expect((await learn(pools.get(3)!, 2, 500)).shared).toEqual([['backtests/learn', 2]])
  })

  it('lose nothing when a helper is called back in the middle', async () => {
    const alone = await learn(pools.get(1)!, 1, LARGE, 8)
    const leaving = createComputePool<typeof tasks>({ threads: 2, registry: support('leaving-tasks') })
    try {
      let members = 0
      // A thread that is only just starting may come too late to help.
      for (let tries = 0; tries < 20 && members < 2; tries++) {
        const helped = await learn(leaving, 1, LARGE, 8)
        expect(helped.outcomes).toEqual(alone.outcomes)
        members = helped.members
      }
      expect(members).toBe(2)
    } finally {
      await leaving.close()
    }
  })

  it('end for all threads when the run is cancelled, and the threads go on with other work', async () => {
    const pool = pools.get(2)!
    const before = await learn(pool, 1)
    const stop = new AbortController()
    const onProgress = () => stop.abort(new Error('no longer wanted'))
    const jobs = windows(1, LARGE)
    const run = pool.run(
      'test/learn',
      { choice: boosting(1_000_000), jobs },
      { owner: 'ann', signal: stop.signal, onProgress },
    )
    await expect(run).rejects.toThrow('no longer wanted')
    expect((await learn(pool, 1)).outcomes).toEqual(before.outcomes)
  })
})

describe('a forest', () => {
  const forest = (trees: number): ModelChoice => ({ kind: 'forest', settings: { ...defaultForestSettings, trees } })
  const learn = async (pool: ComputePool<typeof tasks>, trees: number, rows: number) => {
    const payload = { choice: forest(trees), jobs: windows(2, rows) }
    return pool.run('test/learn', payload, { owner: 'ann' })
  }
  const alone = pools.get(1)!

  it.each([
    ['small', 800, 500],
    ['large', 40, 2500],
  ])('that is %s is the same to the last bit on any number of threads', async (_, trees, rows) => {
    const expected = await learn(alone, trees, rows)
    for (const pool of pools.values()) expect((await learn(pool, trees, rows)).outcomes).toEqual(expected.outcomes)
  })

  it('loses no tree when all who share it are called back', async () => {
    const leaving = createComputePool<typeof tasks>({ threads: 2, registry: support('leaving-tasks') })
    try {
      const { outcomes, shared } = await learn(leaving, 800, 500)
      expect(outcomes).toEqual((await learn(alone, 800, 500)).outcomes)
      expect(shared).toEqual([
        ['backtests/grow', 4],
        ['backtests/grow', 4],
      ])
    } finally {
      await leaving.close()
    }
  })

  it('that is not worth a second thread stays on its own', async () => {
    expect((await learn(alone, 100, 500)).shared).toEqual([])
  })
})
