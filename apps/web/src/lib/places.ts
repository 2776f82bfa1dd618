import type { Formats } from '@tradewright/contract/formats'
import { CLOCKS, DATE_FORMATS, EXCHANGE_ZONE, isTimeZone, NUMBER_FORMATS } from '@tradewright/core/formats'
import { browserStorage } from './browser-storage.ts'

export interface Places {
  readonly numbers: Formats['numbers']
  readonly dates: Formats['dates']
  readonly clock: Formats['clock']
  /** `exchange`, or a name such as Europe/Berlin. */
  readonly timeZone: string
}

export const DEFAULT_PLACES: Places = {
  numbers: 'comma-point',
  dates: 'day-month',
  clock: '12',
  timeZone: EXCHANGE_ZONE,
}

const KEY = 'tradewright.places'

type Kept = Partial<Record<keyof Places, unknown>>

/** The last choice in this browser, for what is drawn before the account's is known. */
export function readPlaces(stored: string | null | undefined): Places {
  try {
    return offered((JSON.parse(stored ?? '{}') ?? {}) as Kept)
  } catch {
    return DEFAULT_PLACES
  }
}

/** What this browser does not know, or what is no longer offered, is the default. */
function offered(kept: Kept): Places {
  const known = <Id extends string>(list: readonly { id: Id }[], value: unknown, otherwise: Id): Id =>
    list.find(({ id }) => id === value)?.id ?? otherwise
  return {
    numbers: known(NUMBER_FORMATS, kept.numbers, DEFAULT_PLACES.numbers),
    dates: known(DATE_FORMATS, kept.dates, DEFAULT_PLACES.dates),
    clock: known(CLOCKS, kept.clock, DEFAULT_PLACES.clock),
    timeZone: isTimeZone(kept.timeZone) ? kept.timeZone : EXCHANGE_ZONE,
  }
}

let current = readPlaces(browserStorage()?.getItem(KEY))

export const places = (): Places => current

/** `1,234.56`, as the program writes numbers, in the chosen form. */
export function withSeparators(digits: string): string {
  const { group, decimal } = NUMBER_FORMATS.find(({ id }) => id === current.numbers)!
  return digits.replace(/[,.]/g, (mark) => (mark === ',' ? group : decimal))
}

/** The choice of the account that signed in, whatever another one chose in this browser; null: none. */
export function setPlaces(formats: Formats | null): void {
  choosePlaces(formats ? offered({ ...formats, timeZone: formats.time_zone }) : DEFAULT_PLACES)
}

export const toFormats = ({ timeZone, ...rest }: Places): Formats => ({ ...rest, time_zone: timeZone })

/** Screens that are drawn already keep the old formats: the caller draws the page again. */
export function choosePlaces(next: Places): void {
  current = next
  const kept = JSON.stringify(next)
  // What is the default anyway leaves no trace in the browser.
  if (kept === JSON.stringify(DEFAULT_PLACES)) browserStorage()?.removeItem(KEY)
  else browserStorage()?.setItem(KEY, kept)
}
