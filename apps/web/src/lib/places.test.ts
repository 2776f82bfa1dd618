import { afterEach, describe, expect, it } from 'vitest'
import {
  formatMoney,
  formatQuantity,
  choosePlaces,
  DEFAULT_PLACES,
  places,
  readPlaces,
  setPlaces,
  toFormats,
} from './format.ts'
import { formatEastern, formatMoment, formatDate, formatMarketMoment, formatMarketTime } from './format-time.ts'

afterEach(() => choosePlaces(DEFAULT_PLACES))

const WHEN = '2026-11-14T02:05:09Z'

describe('chosen formats', () => {
  it('change numbers everywhere, with a true minus and the sign before the dollar', () => {
    choosePlaces({ ...DEFAULT_PLACES, numbers: 'point-comma' })
    expect([formatMoney(-1234.5), formatQuantity(0.25)]).toEqual(['−$1.234,50', '0,25'])
    choosePlaces({ ...DEFAULT_PLACES, numbers: 'apostrophe-point' })
    expect(formatMoney(1234.5)).toBe('$1’234.50')
  })

  it.each([
    ['day-month', '14 Nov 2026'],
    ['month-day', 'Nov 14, 2026'],
    ['iso', '2026-11-14'],
    ['dots', '14.11.2026'],
    ['slashes', '14/11/2026'],
  ] as const)('%s writes a session date as %s', (dates, text) => {
    choosePlaces({ ...DEFAULT_PLACES, dates, timeZone: 'Asia/Tokyo' })
    expect(formatDate('2026-11-14')).toBe(text)
  })

  it('show moments in the chosen time zone, named, and exchange times in New York', () => {
    choosePlaces({ ...DEFAULT_PLACES, clock: '24', timeZone: 'Europe/Berlin' })
    expect(formatMoment(WHEN)).toBe('14 Nov 2026, 03:05 GMT+1')
    expect(formatMoment(WHEN, 'seconds')).toBe('14 Nov 2026, 03:05:09 GMT+1')
    expect(formatMarketMoment(WHEN)).toBe('14 Nov 2026, 03:05 GMT+1')
    expect(formatDate(WHEN)).toBe('14 Nov 2026')
    expect(formatEastern(WHEN)).toBe('13 Nov 2026, 21:05 EST')
    expect(formatMarketTime('2026-11-16T14:30:00Z')).toBe('09:30 ET')
  })

  it("date an instant by the chosen zone's calendar", () => {
    choosePlaces({ ...DEFAULT_PLACES, timeZone: 'America/Los_Angeles' })
    expect(formatDate(WHEN)).toBe('13 Nov 2026')
  })

  it('are the usual ones where the browser kept none, or what cannot be read', () => {
    expect(readPlaces(null)).toEqual(DEFAULT_PLACES)
    expect(readPlaces('{"numbers":"xx","timeZone":"Mars/Base","clock":"24"}')).toEqual({
      ...DEFAULT_PLACES,
      clock: '24',
    })
    for (const broken of ['{', 'null', '[]', '7']) expect(readPlaces(broken)).toEqual(DEFAULT_PLACES)
  })

  it("are the account's, whatever another account chose in this browser", () => {
    const tokyo = { numbers: 'space-comma', dates: 'iso', clock: '24', timeZone: 'Asia/Tokyo' } as const
    setPlaces(toFormats(tokyo))
    expect(places()).toEqual(tokyo)
    setPlaces(null)
    expect(places()).toEqual(DEFAULT_PLACES)
  })
})
