import { expect, it } from 'vitest'
import { brokenLimit, grown } from './loss-limits.ts'

const limits = { maxDailyLossPct: 2, maxDrawdownPct: 10 }

it('stops at the daily loss and at the drawdown, and at nothing without limits', () => {
  expect(brokenLimit({ now: 1, sessionStart: 1, highest: 1.1 }, limits)).toBeUndefined()
  expect(brokenLimit({ now: 0.979, sessionStart: 1, highest: 1 }, limits)).toEqual({
    code: 'limit.daily-loss',
    level: 'error',
    sentence: 'The loss of the day is 2.10%, more than the allowed 2%.',
  })
  expect(brokenLimit({ now: 0.98, sessionStart: 0.98, highest: 1.1 }, limits)).toEqual({
    code: 'limit.drawdown',
    level: 'error',
    sentence: 'The drawdown is 10.91%, more than the allowed 10%.',
  })
  const none = { maxDailyLossPct: undefined, maxDrawdownPct: undefined }
  expect(brokenLimit({ now: 0.1, sessionStart: 1, highest: 1 }, none)).toBeUndefined()
})

it('grows by what was earned, not by what was paid in', () => {
  expect(grown(1, 100, 110, 0)).toBeCloseTo(1.1)
  expect(grown(1.1, 110, 210, 100)).toBeCloseTo(1.1)
  expect(grown(1, 0, 50, 0)).toBe(1)
})
