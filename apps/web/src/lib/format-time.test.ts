import { afterEach, describe, expect, it } from 'vitest'
import {
  formatBarMoment,
  formatDate,
  formatDateRange,
  formatExact,
  formatMarketMoment,
  formatMarketTime,
  formatMonth,
  marketDayOfYear,
  ownDayOfYear,
  ownWeekday,
} from './format-time.ts'
import { choosePlaces, DEFAULT_PLACES } from './format.ts'

afterEach(() => choosePlaces(DEFAULT_PLACES))

describe('formats of time', () => {
  it('keep a session date the same in every time zone', () => {
    expect(formatDate('2026-11-14')).toBe('14 Nov 2026')
    expect(formatDateRange('2023-12-28', '2024-05-07')).toBe('28 Dec 2023 – 7 May 2024')
    expect(formatMonth('2026-11-01')).toBe('Nov ’26')
  })

  it("show the exchange's clock in summer and in winter", () => {
    expect(formatMarketTime('2026-07-01T19:30:00Z')).toBe('3:30 PM ET')
    expect(formatMarketTime('2026-11-16T14:30:00Z')).toBe('9:30 AM ET')
  })

  it("take the date from the exchange's clock too", () => {
    expect(formatMarketMoment('2026-11-15T02:05:00Z')).toBe('14 Nov 2026, 9:05 PM ET')
  })

  it('tell day and time of a bar by one clock, that of the exchange, in every zone', () => {
    const evening = new Date('2026-11-13T20:30:00Z')
    expect(formatBarMoment(evening)).toBe('13 Nov 2026, 3:30 PM ET')
    choosePlaces({ numbers: 'point-comma', dates: 'dots', clock: '24', timeZone: 'Asia/Tokyo' })
    expect(formatBarMoment(evening)).toBe('13.11.2026, 15:30 ET')
  })

  it('tell the day of a moment in the chosen zone, and the day at the exchange beside it', () => {
    const evening = new Date('2026-11-13T20:30:00Z')
    expect([ownWeekday(evening), ownDayOfYear(evening)]).toEqual(['Fri', 'Fri 13 Nov'])
    choosePlaces({ ...DEFAULT_PLACES, dates: 'month-day', timeZone: 'Asia/Tokyo' })
    expect([ownWeekday(evening), ownDayOfYear(evening)]).toEqual(['Sat', 'Sat Nov 14'])
    expect(marketDayOfYear(evening, 'long')).toBe('Friday, November 13')
  })

  it('give the exact value for tooltips', () => {
    expect(formatExact('2026-11-14')).toBe('2026-11-14T00:00:00.000Z')
  })

  it.each([null, undefined, '', 'soon', new Date(Number.NaN)])('write %s as missing', (when) => {
    for (const format of [formatDate, formatMonth, formatMarketTime, formatMarketMoment, formatExact])
      expect(format(when)).toBe('N/A')
  })
})
