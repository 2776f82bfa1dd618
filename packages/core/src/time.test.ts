import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { civilDate, DAY, dateOf, epochDayOf, formatDate, parseDate, toEpochDay, weekday } from './time.ts'

const anyDay = fc.integer({ min: -200_000, max: 200_000 })

describe('session dates', () => {
  it('agree with Date on every day it knows', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const date = new Date(day * DAY)
        expect(civilDate(day)).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        })
        expect(weekday(day)).toBe(date.getUTCDay())
      }),
    )
  })

  it('survive the way to text and back', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const { year, month, day: dayOfMonth } = civilDate(day)
        expect(toEpochDay(year, month, dayOfMonth)).toBe(day)
        expect(parseDate(formatDate(day))).toBe(day)
      }),
    )
  })

  it.each(['2023-02-29', '2023-13-01', '2023-00-10', '23-01-01', '2023-1-1', '2023-01-01T00:00Z', ''])(
    'do not exist as "%s"',
    (text) => {
      expect(parseDate(text)).toBeUndefined()
      expect(() => dateOf(text)).toThrow(RangeError)
    },
  )

  it('contain the instants from midnight to midnight UTC', () => {
    expect(epochDayOf(DAY - 1)).toBe(0)
    expect(epochDayOf(DAY)).toBe(1)
    expect(epochDayOf(-1)).toBe(-1)
  })
})
