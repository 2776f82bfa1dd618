/** Milliseconds since 1970-01-01T00:00Z. Columns of instants are Float64Array of these. */
export type UtcMillis = number

/** Whole days since 1970-01-01: a session date without a time of day, cheap to compare and to count with. */
export type EpochDay = number

export const SECOND = 1_000
export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000

/** Half-open: `from` belongs to it, `to` does not. */
export interface TimeRange {
  readonly from: UtcMillis
  readonly to: UtcMillis
}

/**
 * The stamp of a daily row: its session date at 00:00 UTC. It is a label and not the instant at which the bar became
 * known; that is what the calendars and `market/align.ts` are for. An intraday row carries its opening instant.
 */
export const dayStamp = (day: EpochDay): UtcMillis => day * DAY

export const epochDayOf = (instant: UtcMillis): EpochDay => Math.floor(instant / DAY)

/** 0 is Sunday, as in `Date`. */
export const weekday = (day: EpochDay): number => (((day + 4) % 7) + 7) % 7

interface CivilDate {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** Howard Hinnant's days_from_civil (http://howardhinnant.github.io/date_algorithms.html): no `Date` in hot loops. */
export function toEpochDay(year: number, month: number, day: number): EpochDay {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

export function civilDate(epochDay: EpochDay): CivilDate {
  const z = epochDay + 719_468
  const era = Math.floor(z / 146_097)
  const dayOfEra = z - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1,
  }
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** Reads `YYYY-MM-DD`; undefined for anything else, including dates that do not exist such as 2023-02-29. */
export function parseDate(text: string): EpochDay | undefined {
  const match = DATE.exec(text)
  if (!match) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined
  const epochDay = toEpochDay(year, month, day)
  return formatDate(epochDay) === text ? epochDay : undefined
}

/** `parseDate` for constants and data that has been checked: a wrong date is a bug. */
export function dateOf(text: string): EpochDay {
  const epochDay = parseDate(text)
  if (epochDay === undefined) throw new RangeError(`"${text}" is not a date of the form YYYY-MM-DD`)
  return epochDay
}

export function formatDate(epochDay: EpochDay): string {
  const { year, month, day } = civilDate(epochDay)
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
