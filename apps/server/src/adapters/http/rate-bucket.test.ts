import { inConnectionLane, onBehalfOf } from '../../connection-lane.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualTiming } from '../../../test-support/virtual-timing.ts'
import { RateBucket, RateBuckets } from './rate-bucket.ts'

const never = new AbortController().signal
const limit = { calls: 40, windowMillis: 60_000 }

describe('a rate bucket', () => {
  it('never lets a window of its length hold more than it allows', async () => {
    const costs = fc.array(
      fc.record({ cost: fc.integer({ min: 1, max: 20 }), idle: fc.integer({ min: 0, max: 30_000 }) }),
    )
    await fc.assert(
      fc.asyncProperty(costs, async (calls) => {
        const timing = new VirtualTiming(0)
        const bucket = new RateBucket(limit, timing)
        const grants: { at: number; cost: number }[] = []
        for (const { cost, idle } of calls) {
          timing.advance(idle)
          await bucket.acquire(cost, never)
          grants.push({ at: timing.now(), cost })
        }
        for (const { at } of grants) {
          const inWindow = grants.filter((grant) => grant.at >= at && grant.at < at + limit.windowMillis)
          expect(inWindow.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(limit.calls)
        }
      }),
    )
  })

  it('lets a burst through at once and makes the next caller wait for the window to pass', async () => {
    const timing = new VirtualTiming(0)
    const bucket = new RateBucket(limit, timing)
    await bucket.acquire(20, never)
    await bucket.acquire(20, never)
    expect(timing.now()).toBe(0)
    await bucket.acquire(1, never)
    expect(timing.now()).toBe(60_000)
  })

  it('serves callers in the order they came', async () => {
    const bucket = new RateBucket({ calls: 1, windowMillis: 100 }, new VirtualTiming(0))
    const served: number[] = []
    await Promise.all([1, 2, 3].map((caller) => bucket.acquire(1, never).then(() => served.push(caller))))
    expect(served).toEqual([1, 2, 3])
  })

  it('lets users take turns, and what running deployments ask come first', async () => {
    const bucket = new RateBucket({ calls: 1, windowMillis: 100 }, new VirtualTiming(0))
    const served: string[] = []
    const ask = (name: string) => bucket.acquire(1, never).then(() => served.push(name))
    const greedy = Array.from({ length: 20 }, () => onBehalfOf(1, () => ask('greedy')))
    const ann = onBehalfOf(2, () => ask('ann'))
    const trading = inConnectionLane('trading', () => onBehalfOf(3, () => ask('trading')))
    await Promise.all([...greedy, ann, trading])
    expect(served.slice(0, 4)).toEqual(['greedy', 'trading', 'ann', 'greedy'])
  })

  it('lets a caller who gave up leave at once, without spending', async () => {
    const timing = new VirtualTiming(0)
    const bucket = new RateBucket({ calls: 1, windowMillis: 100 }, timing)
    const controller = new AbortController()
    const first = bucket.acquire(1, never)
    const second = bucket.acquire(1, controller.signal)
    const third = bucket.acquire(1, never)
    controller.abort(new Error('gave up'))
    await expect(second).rejects.toThrow('gave up')
    await Promise.all([first, third])
    expect(timing.now()).toBe(100)
  })

  it('is the same one for the same key', async () => {
    const timing = new VirtualTiming(0)
    const buckets = new RateBuckets(timing)
    await buckets.of('coinalyze', limit).acquire(limit.calls, never)
    await buckets.of('alpaca:a', limit).acquire(1, never)
    expect(timing.now()).toBe(0)
    await buckets.of('coinalyze', limit).acquire(1, never)
    expect(timing.now()).toBe(limit.windowMillis)
  })

  it('is forgotten when a new one would do, and not before', async () => {
    const timing = new VirtualTiming(0)
    const buckets = new RateBuckets(timing)
    for (let user = 0; user < 100; user++) await buckets.of(`custom ${user}`, limit).acquire(1, never)
    await buckets.of('one more', limit).acquire(1, never)
    expect(buckets.size).toBe(101)
    timing.advance(limit.windowMillis)
    buckets.of('paused', limit).pause(1_000)
    await buckets.of('yet one more', limit).acquire(1, never)
    expect(buckets.size).toBe(2)
  })

  it('refuses a call that could never fit instead of waiting for ever', async () => {
    await expect(new RateBucket(limit, new VirtualTiming(0)).acquire(41, never)).rejects.toThrow(RangeError)
  })
})
