import { TickMarkType, type UTCTimestamp } from 'lightweight-charts'
import { expect, test } from 'vitest'
import { timeAxisOf } from './draw-chart.ts'

const DAY = 86_400
// 2 January 2024, 3:30 PM in New York.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library brands plain seconds
const AFTERNOON = 1_704_227_400 as UTCTimestamp
const every = (seconds: number, count = 5) =>
  Array.from({ length: count }, (_, i) => ({ time: AFTERNOON + i * seconds }))

test('points of one day are told by the hour of the exchange, and days stay days', () => {
  const { timeScale, chart } = timeAxisOf(every(60))
  expect(timeScale.timeVisible).toBe(true)
  expect(timeScale.tickMarkFormatter?.(AFTERNOON, TickMarkType.Time)).toBe('3:30 PM')
  expect(timeScale.tickMarkFormatter?.(AFTERNOON, TickMarkType.DayOfMonth)).toBeNull()
  expect(chart.localization.timeFormatter?.(AFTERNOON)).toBe('2 Jan 2024, 3:30 PM EST')
})

test.each([
  ['a point a day', every(DAY)],
  ['a point a week', every(7 * DAY)],
  ['one point', every(DAY, 1)],
  ['no point', []],
])('%s is told by dates', (_, points) => {
  expect(timeAxisOf(points).timeScale).toEqual({})
  expect(timeAxisOf(points).chart.localization).not.toHaveProperty('timeFormatter')
})

test('dates are in the language of the app, not in the one the browser names', () => {
  for (const points of [every(60), every(DAY)]) expect(timeAxisOf(points).chart.localization.locale).toBe('en-US')
})
