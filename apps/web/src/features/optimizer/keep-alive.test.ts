import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CALL_TIMEOUT_MS, KEEP_ALIVE_MS, keepAlive } from './use-optimizer.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('asks for /health every 300 seconds until it is told to stop, whatever comes back [OPT-119]', async () => {
  const fetched = vi.fn<typeof fetch>(() => Promise.reject(new Error('away')))
  vi.stubGlobal('fetch', fetched)
  const stop = keepAlive()
  await vi.advanceTimersByTimeAsync(2 * KEEP_ALIVE_MS)
  expect(KEEP_ALIVE_MS).toBe(300_000)
  expect(fetched.mock.calls.map(([path]) => path)).toEqual(['/health', '/health'])
  stop()
  await vi.advanceTimersByTimeAsync(2 * KEEP_ALIVE_MS)
  expect(fetched).toHaveBeenCalledTimes(2)
})

it('waits for a run for an hour at most [OPT-139]', () => {
  expect(CALL_TIMEOUT_MS).toBe(3_600_000)
})
