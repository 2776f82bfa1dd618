import { afterEach, expect, it } from 'vitest'
import { choosePlaces, DEFAULT_PLACES } from '../../../lib/format.ts'
import { formatBarDate, formatBarDay, formatBarDays } from './bar-date.ts'

afterEach(() => choosePlaces(DEFAULT_PLACES))

it('tells the last hour of a session with the day of the session, in every time zone', () => {
  choosePlaces({ ...DEFAULT_PLACES, dates: 'dots', clock: '24', timeZone: 'Asia/Tokyo' })
  // Five in the morning of 1 January in Tokyo.
  const last = '2021-12-31T20:30:00.000Z'
  expect(formatBarDate(last)).toBe('31.12.2021, 15:30 ET')
  expect(formatBarDay(last)).toBe('31.12.2021')
  expect(formatBarDays('2021-01-05', last)).toBe('05.01.2021 – 31.12.2021')
})
