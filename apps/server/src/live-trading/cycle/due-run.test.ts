import { SECOND } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { awaitsBars } from './due-run.ts'

it('a run that lacks bars asks for them again after growing pauses, within its half hour', () => {
  const stale = { healthProblem: { code: 'deployment.stale-data', level: 'error', sentence: '' } } as const
  const scheduledFor = new Date(0)
  const asked: number[] = []
  for (let waited = 0; waited <= 1_800; waited += 20) {
    if (awaitsBars(stale, { scheduledFor, now: new Date(waited * SECOND) })) asked.push(waited)
  }
  expect(asked).toEqual([40, 60, 80, 120, 140, 240, 260, 480, 500, 960, 980])
  expect(awaitsBars({ healthProblem: null }, { scheduledFor, now: new Date(60 * SECOND) })).toBe(false)
})
