import { DAY, dateOf, formatDate, HOUR, MINUTE, toEpochDay } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, readShared } from '../../../../scripts/shared-data.ts'
import { nyse, nyseCalendar, isNyseWeekday, nyseClosures } from './trading-calendar.ts'

interface ReferenceCalendar {
  holidays: Record<string, string>
  earlyCloses: Record<string, string>
}

const referencePath = 'reference/services/data/nyse-1990-2030.json'

const minuteInNewYork = (() => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  return (instant: number) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
    return Number(parts['hour']) * 60 + Number(parts['minute'])
  }
})()

describe('the NYSE calendar', () => {
  it.skipIf(!hasShared(referencePath))(
    claim('has the closures and early closes of the reference calendar', referencePath),
    () => {
      // eslint-disable-next-line typescript/no-unsafe-type-assertion -- a reference file of known shape
      const reference = JSON.parse(readShared(referencePath)) as ReferenceCalendar
      const closures: string[] = []
      const earlyCloses: Record<string, string> = {}
      for (let day = toEpochDay(1990, 1, 1); day < toEpochDay(2031, 1, 1); day++) {
        if (!isNyseWeekday(day)) continue
        if (!nyse.isSession(day)) closures.push(formatDate(day))
        else {
          const length = (nyse.closeOf(day) - nyse.openOf(day)) / MINUTE
          if (length !== 390) earlyCloses[formatDate(day)] = `${Math.floor((570 + length) / 60)}:00`
        }
      }
      expect(closures).toEqual(Object.keys(reference.holidays).sort())
      expect(earlyCloses).toEqual(reference.earlyCloses)
    },
  )

  it.each([
    [2000, 252],
    [2010, 252],
    [2020, 253],
    [2024, 252],
    [2025, 250],
    [2026, 251],
    [2030, 251],
  ])('has the known number of sessions in %i', (year, count) => {
    expect(nyse.sessionsBetween(toEpochDay(year, 1, 1), toEpochDay(year + 1, 1, 1))).toHaveLength(count)
  })

  it('opens at 9:30 and closes at 16:00 or early in New York, in summer and in winter', () => {
    for (const day of nyse.sessionsBetween(dateOf('1987-01-01'), dateOf('2031-01-01'))) {
      expect(minuteInNewYork(nyse.openOf(day))).toBe(570)
      expect([780, 840, 960]).toContain(minuteInNewYork(nyse.closeOf(day)))
    }
  })

  it('steps over weekends and long closures', () => {
    expect(formatDate(nyse.nextSession(dateOf('2001-09-10')))).toBe('2001-09-17')
    expect(formatDate(nyse.previousSession(dateOf('2024-01-02')))).toBe('2023-12-29')
  })

  it('knows no times of a closed day', () => {
    expect(() => nyse.openOf(dateOf('2024-12-25'))).toThrow('2024-12-25 is not a session of the NYSE')
    expect(nyseClosures(2024).get(dateOf('2024-12-25'))).toBe('Christmas Day')
    expect(nyseClosures(2024).get(dateOf('2024-12-26'))).toBeUndefined()
  })

  it('lets an announcement overrule the rules', () => {
    const [mourning, short] = [dateOf('2029-03-06'), dateOf('2029-03-07')]
    const calendar = nyseCalendar([
      { day: mourning, closeMinute: undefined },
      { day: short, closeMinute: 13 * 60 },
    ])
    expect(calendar.isSession(mourning)).toBe(false)
    expect(calendar.closeOf(short) - calendar.openOf(short)).toBe(3.5 * HOUR)
    expect(nyse.isSession(mourning)).toBe(true)
  })

  it('answers a day outside its years with an error instead of a guess', () => {
    expect(() => nyse.isSession(200_000)).toThrow(RangeError)
    expect(() => nyse.isSession(-10 * 365 * DAY)).toThrow(RangeError)
  })
})
