import { DAY, dateOf, dayStamp, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { barKnownAt, barStamps, calendarOf, nyse, crypto } from './trading-calendar.ts'

const iso = (instant: number) => new Date(instant).toISOString()

describe('barStamps', () => {
  it('has as many bars in a full session as the calendar says', () => {
    const day = dateOf('2024-03-05')
    for (const granularity of ['1m', '5m', '15m', '30m', '1h', '1d'] as const) {
      expect(barStamps(nyse, day, granularity)).toHaveLength(nyse.barsPerSession(granularity))
      expect(barStamps(crypto, day, granularity)).toHaveLength(crypto.barsPerSession(granularity))
    }
  })

  it('begins at the opening and ends before the close, also on a half day in winter', () => {
    const stamps = barStamps(nyse, dateOf('2024-11-29'), '15m')
    expect(stamps).toHaveLength(14)
    expect(iso(stamps[0]!)).toBe('2024-11-29T14:30:00.000Z')
    expect(iso(stamps.at(-1)!)).toBe('2024-11-29T17:45:00.000Z')
  })
})

describe('barKnownAt', () => {
  const day = dateOf('2024-03-08')

  it('makes a daily stock bar known at the close and a daily coin bar at the next midnight UTC', () => {
    expect(iso(barKnownAt(nyse, dayStamp(day), '1d'))).toBe('2024-03-08T21:00:00.000Z')
    expect(barKnownAt(crypto, dayStamp(day), '1d')).toBe((day + 1) * DAY)
    expect(barKnownAt(crypto, dayStamp(day), '1d')).toBeGreaterThan(barKnownAt(nyse, dayStamp(day), '1d'))
  })

  it('makes an intraday bar known when its interval is over', () => {
    expect(barKnownAt(nyse, nyse.openOf(day), '1h')).toBe(nyse.openOf(day) + HOUR)
  })
})

it('gives coins and their derivatives a calendar without closing days', () => {
  expect(calendarOf('funding_rate')).toBe(crypto)
  expect(calendarOf('security')).toBe(nyse)
  expect(calendarOf('economic')).toBeUndefined()
})
