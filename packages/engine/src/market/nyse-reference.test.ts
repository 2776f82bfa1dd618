import { formatDate, HOUR, toEpochDay } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { referenceValues } from '../../../../reference/read.ts'
import { isNyseWeekday, nyse } from './trading-calendar.ts'

/** Days of mourning that timeDate of Debian 12 does not have: for George H. W. Bush and Jimmy Carter. */
const LATER = ['2018-12-05', '2025-01-09']

it('the NYSE is closed on the days that timeDate knows', () => {
  const { closures } = referenceValues<{ closures: string[] }>('calendar')
  const theirs = [...closures, ...LATER].sort()
  const ours: string[] = []
  for (let day = toEpochDay(1990, 1, 1); day < toEpochDay(2031, 1, 1); day++) {
    if (isNyseWeekday(day) && !nyse.isSession(day)) ours.push(formatDate(day))
  }
  expect(ours).toEqual(theirs)
})

/** From the exchange's holiday schedules. */
const EARLY_CLOSES = [
  '2021-11-26',
  '2022-11-25',
  '2023-07-03',
  '2023-11-24',
  '2024-07-03',
  '2024-11-29',
  '2024-12-24',
  '2025-07-03',
  '2025-11-28',
  '2025-12-24',
  '2026-11-27',
  '2026-12-24',
]

it('the NYSE closes at 13:00 on the days that it announced', () => {
  const sessions = [...nyse.sessionsBetween(toEpochDay(2021, 1, 1), toEpochDay(2027, 1, 1))]
  const early = sessions.filter((day) => nyse.closeOf(day) - nyse.openOf(day) === 3.5 * HOUR)
  expect(early.map(formatDate)).toEqual(EARLY_CLOSES)
})
