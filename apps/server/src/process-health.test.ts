import { syncBuiltinESMExports } from 'node:module'
import perfHooks from 'node:perf_hooks'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ProcessHealth } from './process-health.ts'

const MS = 1e6

it('tells the delays of the last minute, and none of those before it', () => {
  const histogram = {
    count: 0,
    max: 0,
    percentile: () => 21 * MS,
    enable: () => true,
    disable: () => true,
    reset() {
      Object.assign(histogram, { count: 0, max: 0 })
    },
  }
  const measured = vi.spyOn(perfHooks, 'monitorEventLoopDelay').mockReturnValue(histogram as never)
  syncBuiltinESMExports()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
    measured.mockRestore()
    syncBuiltinESMExports()
  })
  const health = new ProcessHealth({})
  expect(health.eventLoopDelay()).toBeUndefined()
  const stop = health.measureDelays()
  Object.assign(histogram, { count: 3000, max: 520 * MS })
  expect(health.eventLoopDelay()).toEqual({ p50Ms: 1, p99Ms: 1, maxMs: 500 })
  vi.advanceTimersByTime(60_000)
  expect(health.eventLoopDelay()?.maxMs).toBe(500)
  Object.assign(histogram, { count: 3000, max: Math.max(histogram.max, 25 * MS) })
  vi.advanceTimersByTime(60_000)
  expect(health.eventLoopDelay()?.maxMs).toBe(5)
  stop()
})
