import { Problem } from '@tradewright/core/problem'
import { dayStamp, MINUTE, parseDate, SECOND, type UtcMillis } from '@tradewright/core/time'

interface ReadDate {
  readonly stamp: UtcMillis
  readonly hasTime: boolean
}

/** Reads a cell as a date or instant; undefined when it is neither. A time without a zone is UTC. */
export type DateReader = (text: string) => ReadDate | undefined

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const SLASHES = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})/

/** No way of writing a date is longer. The pattern of times would take long over a long cell. */
const MAX_CHARACTERS = 60

const TIME = /^(.*?)[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i

export type SlashOrder = 'month-first' | 'day-first'

/** Prices of markets begin later, and a calendar that is asked for a later one has no answer. */
const FIRST_STAMP = Date.UTC(1800, 0, 1)
const END_STAMP = Date.UTC(2100, 0, 1)

/** The reader for a column of dates, from 1800 to 2099. The order is that of dates such as 03/04/2024. */
export function dateReader(order: SlashOrder): DateReader {
  const read = anyDateReader(order)
  return (text) => {
    const date = text.length > MAX_CHARACTERS ? undefined : read(text)
    return date && date.stamp >= FIRST_STAMP && date.stamp < END_STAMP ? date : undefined
  }
}

function anyDateReader(order: SlashOrder): DateReader {
  return (text) => {
    const iso = text.length === 10 ? parseDate(text) : undefined
    if (iso !== undefined) return { stamp: dayStamp(iso), hasTime: false }
    const epoch = readEpoch(text)
    if (epoch !== undefined) return { stamp: epoch, hasTime: true }
    const time = TIME.exec(text)
    const day = readDay(time ? time[1]!.trim() : text, order)
    if (day === undefined) return undefined
    if (!time) return { stamp: dayStamp(day), hasTime: false }
    const [, , hours, minutes, seconds = '0', fraction = '0', zone = 'Z'] = time
    if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
    const clock =
      (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * SECOND + Number(`0.${fraction}`) * SECOND
    return { stamp: dayStamp(day) + clock - offsetMillis(zone), hasTime: true }
  }
}

/** Seconds or milliseconds since 1970. Eight digits are a date and no instant. */
function readEpoch(text: string): UtcMillis | undefined {
  if (/^\d{9,10}$/.test(text)) return Number(text) * SECOND
  return /^\d{12,13}$/.test(text) ? Number(text) : undefined
}

function readDay(text: string, order: SlashOrder): number | undefined {
  const digits = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(text) ?? /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text)
  if (digits) return existing(digits[1]!, digits[2]!, digits[3]!)
  const dots = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  if (dots) return existing(dots[3]!, dots[2]!, dots[1]!)
  const slashes = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text)
  if (slashes) {
    const [, first, second, year] = slashes
    return order === 'month-first' ? existing(year!, first!, second!) : existing(year!, second!, first!)
  }
  return readNamedMonth(text)
}

function readNamedMonth(text: string): number | undefined {
  const dayFirst = /^(\d{1,2})[-\s.]+([a-z]{3,9})\.?[-\s,]+(\d{4})$/i.exec(text)
  if (dayFirst) return existing(dayFirst[3]!, monthNumber(dayFirst[2]!), dayFirst[1]!)
  const monthFirst = /^([a-z]{3,9})\.?[-\s]+(\d{1,2}),?[-\s]+(\d{4})$/i.exec(text)
  return monthFirst ? existing(monthFirst[3]!, monthNumber(monthFirst[1]!), monthFirst[2]!) : undefined
}

const monthNumber = (name: string): string => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)

/** No 30th of February. */
function existing(year: string, month: string, day: string): number | undefined {
  return parseDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

function offsetMillis(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * MINUTE
}

/** Which order the cell speaks for: 31/03/2024 for days first, 03/31/2024 for months first, 03/04/2024 for neither. */
export function slashOrderOf(cell: string): SlashOrder | 'either' | undefined {
  const match = SLASHES.exec(cell)
  if (!match) return undefined
  if (Number(match[1]) > 12) return 'day-first'
  return Number(match[2]) > 12 ? 'month-first' : 'either'
}

/** Only a whole column can tell whether 03/04/2024 is in March or in April; when it cannot, asking beats guessing. */
export function ambiguousDates(example: string): Problem {
  const message = `Dates such as ${example} can be read in two ways. Please write them as 2024-03-31.`
  return new Problem('invalid', 'csv.ambiguous-dates', message)
}
