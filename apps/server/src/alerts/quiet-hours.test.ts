import { MINUTE } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { isTimeZone, quietForMs } from './channel.ts'

const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }

it.each([
  // Berlin is an hour ahead of UTC in winter, two in summer.
  ['2026-01-15T20:59:00Z', undefined],
  ['2026-01-15T21:00:00Z', 9 * 60],
  ['2026-01-15T23:30:30Z', 6 * 60 + 29.5],
  ['2026-01-16T05:59:00Z', 1],
  ['2026-01-16T06:00:00Z', undefined],
  ['2026-07-15T20:00:00Z', 9 * 60],
])('at %s the night in Berlin goes on for %s minutes', (at, minutes) => {
  expect(quietForMs(night, new Date(at))).toBe(minutes === undefined ? undefined : minutes * MINUTE)
})

it('hours within a day do not reach over midnight, and no hours are none', () => {
  const lunch = { from: '12:00', to: '13:00', timeZone: 'UTC' }
  expect(quietForMs(lunch, new Date('2026-01-15T12:30:00Z'))).toBe(30 * MINUTE)
  expect(quietForMs(lunch, new Date('2026-01-15T23:30:00Z'))).toBeUndefined()
  expect(quietForMs({ ...lunch, to: '12:00' }, new Date('2026-01-15T12:00:00Z'))).toBeUndefined()
})

it('knows time zones', () => {
  expect(['America/New_York', 'Mars/Olympus'].map(isTimeZone)).toEqual([true, false])
})
