import { planSearch } from '@tradewright/engine/optimizer/plan'
import { prepareSearch } from '@tradewright/engine/optimizer/prepare'
import { evaluateHere, runSearch } from '@tradewright/engine/optimizer/run-search'
import { madeUpMarket, searchRequest } from '@tradewright/engine/optimizer/test-support/made-up-search'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import { inChunks, poolEvaluator } from './evaluators.ts'
import { packData, unpackData } from './market-data.ts'

const request = searchRequest({ walkForward: { trainPct: 50, testPct: 10, stepPct: 10 } })
const plan = planSearch(request)
const prepared = prepareSearch(plan, madeUpMarket(1, 0.3))
const registry = new URL('../workers/tasks.ts', import.meta.url)

describe('evaluation on the threads of a process', () => {
  it.each([1, 3])('finds what one thread finds, on %i threads', async (threads) => {
    const compute = createComputePool<typeof tasks>({ threads, registry })
    onTestFinished(() => compute.close())
    const { signal } = new AbortController()
    const done: number[] = []
    const evaluator = poolEvaluator(compute, { request, prepared })
    const spread = await runSearch(plan, prepared, {
      evaluateAll: (individuals) => evaluator(individuals, { userId: 1, signal, onProgress: (n) => done.push(n) }),
    })
    const alone = await runSearch(plan, prepared, { evaluateAll: async (all) => evaluateHere(plan, prepared, all) })
    expect(spread).toEqual(alone)
    expect(done[0]).toBeGreaterThan(0)
    expect(Math.max(...done)).toBe(Math.max(...alone.map(({ newEvaluations }) => newEvaluations)))
  })

  it('ends when it is cancelled', async () => {
    const compute = createComputePool<typeof tasks>({ threads: 1, registry })
    onTestFinished(() => compute.close())
    const stop = new AbortController()
    const individuals = Array.from({ length: 400 }, (_, i) => ({ target: 0, genes: [i % 20, 20 + (i % 7)] }))
    const evaluating = poolEvaluator(compute, { request, prepared })(individuals, {
      userId: 1,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    })
    await expect(evaluating).rejects.toThrow('enough')
  })
})

it('cuts individuals into pieces that get smaller, all of them and in order', () => {
  const items = Array.from({ length: 23 }, (_, i) => i)
  const sizes = (share: number, least?: number) => inChunks(items, share, least).map(({ length }) => length)
  expect(inChunks(items, 0.25).flat()).toEqual(items)
  expect(sizes(0.25)).toEqual([6, 5, 3, 3, 2, 1, 1, 1, 1])
  expect(sizes(0.25, 4)).toEqual([6, 5, 4, 4, 4])
  expect(sizes(1)).toEqual([23])
  expect(inChunks([], 0.5)).toEqual([])
})

it('keeps prices to the last bit', () => {
  const data = madeUpMarket(5, 0)
  const fetched = { data, shortfalls: ['A part is missing.'] }
  expect(unpackData(packData(fetched))).toEqual(fetched)
})
