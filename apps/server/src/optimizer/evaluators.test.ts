import { planSearch } from '@tradewright/engine/optimizer/plan'
import { prepareSearch } from '@tradewright/engine/optimizer/prepare'
import { evaluateHere, runSearch } from '@tradewright/engine/optimizer/search'
import { madeUpMarket, searchRequest } from '@tradewright/engine/optimizer/test-support/made-up-search'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import { inPieces } from '../jobs/pieces.ts'
import { poolEvaluator, type Compute } from './evaluators.ts'
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

  it('learns from the first pieces how large the next may be', async () => {
    const sizes: number[] = []
    const measured = {
      threads: 1,
      run: async (_: string, { individuals }: { individuals: unknown[] }) => {
        sizes.push(individuals.length)
        return { evaluations: individuals.map(() => ({})), cpuMs: 50 * individuals.length }
      },
    } as unknown as Compute
    const individuals = Array.from({ length: 50 }, (_, i) => ({ target: 0, genes: [i] }))
    const { signal } = new AbortController()
    await poolEvaluator(measured, { request, prepared })(individuals, { userId: 1, signal, onProgress: () => {} })
    expect(sizes.slice(0, 6)).toEqual([1, 1, 5, 5, 5, 5])
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(50)
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
  const sizes = (fraction: number, leastMs?: number) =>
    inPieces(items, { fraction, millisEach: 1, ...(leastMs !== undefined && { leastMs }) }).map(({ length }) => length)
  expect(inPieces(items, { fraction: 0.25, millisEach: 1 }).flat()).toEqual(items)
  expect(sizes(0.25)).toEqual([6, 5, 3, 3, 2, 1, 1, 1, 1])
  expect(sizes(0.25, 4)).toEqual([6, 5, 4, 4, 4])
  expect(sizes(1)).toEqual([23])
  expect(inPieces([], { fraction: 0.5, millisEach: 1 })).toEqual([])
})

it('puts no more into a piece than a quarter of a second, whatever the size of the population', () => {
  const items = Array.from({ length: 50 }, (_, i) => i)
  const sizes = (millisEach: number) => inPieces(items, { fraction: 0.75, millisEach }).map(({ length }) => length)
  expect(sizes(100)).toEqual(Array.from({ length: 25 }, () => 2))
  expect(sizes(4_000)).toEqual(Array.from({ length: 50 }, () => 1))
})

it('keeps prices to the last bit', () => {
  const data = madeUpMarket(5, 0)
  const fetched = {
    data,
    problems: [
      {
        effect: 'partial' as const,
        tickers: ['SPY'],
        provider: 'Yahoo',
        sentence: 'A part is missing.',
        mayRetry: true,
      },
    ],
  }
  expect(unpackData(packData(fetched))).toEqual(fetched)
})
