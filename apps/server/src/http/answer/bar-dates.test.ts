import { dateOf, dayStamp } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { barDate, barDates } from './bar-dates.ts'

const MINUTE = 60_000

it('writes bars within the day as instants, each as it would be alone', () => {
  const open = dayStamp(dateOf('2024-03-08')) + 14.5 * 60 * MINUTE
  const timestamps = Float64Array.from({ length: 3_000 }, (_, bar) => open + bar * MINUTE)
  const dates = barDates({ granularity: '1m', timestamps })
  expect(dates.slice(0, 2)).toEqual(['2024-03-08T14:30:00Z', '2024-03-08T14:31:00Z'])
  expect(dates).toEqual(Array.from(timestamps, (stamp) => barDate('1m', stamp)))
})

it('writes daily bars as days, before 1970 too', () => {
  const timestamps = ['1969-12-30', '1970-01-02'].map((day) => dayStamp(dateOf(day)))
  expect(barDates({ granularity: '1d', timestamps })).toEqual(['1969-12-30', '1970-01-02'])
})
