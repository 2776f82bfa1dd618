import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { throttle } from './events.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('happens once for many calls, and again for later ones', () => {
  const act = vi.fn()
  const news = throttle(act, 250)
  for (let i = 0; i < 10; i++) {
    news.call()
    vi.advanceTimersByTime(20)
  }
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(50)
  expect(act).toHaveBeenCalledTimes(1)
  news.call()
  vi.advanceTimersByTime(250)
  expect(act).toHaveBeenCalledTimes(2)
})

it('does not happen once it was stopped', () => {
  const act = vi.fn()
  const news = throttle(act, 250)
  news.call()
  news.stop()
  vi.advanceTimersByTime(1000)
  expect(act).not.toHaveBeenCalled()
})
