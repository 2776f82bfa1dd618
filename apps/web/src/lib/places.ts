import { browserStorage } from './browser-storage.ts'

/** How numbers, dates and times read. Each choice is named by an example of itself. */
export const NUMBER_FORMATS = [
  { id: 'comma-point', example: '1,234.56', group: ',', decimal: '.' },
  { id: 'point-comma', example: '1.234,56', group: '.', decimal: ',' },
  // Narrow and no-break: a number is never two words.
  { id: 'space-comma', example: '1\u202F234,56', group: '\u202F', decimal: ',' },
  { id: 'apostrophe-point', example: '1’234.56', group: '’', decimal: '.' },
] as const

export const DATE_FORMATS = [
  { id: 'day-month', example: '14 Nov 2026' },
  { id: 'month-day', example: 'Nov 14, 2026' },
  { id: 'iso', example: '2026-11-14' },
  { id: 'dots', example: '14.11.2026' },
  { id: 'slashes', example: '14/11/2026' },
] as const

export const CLOCKS = [
  { id: '12', example: '3:30 PM' },
  { id: '24', example: '15:30' },
] as const

/** Times as the exchange's clock shows them. */
export const EXCHANGE_ZONE = 'exchange'

export interface Places {
  readonly numbers: (typeof NUMBER_FORMATS)[number]['id']
  readonly dates: (typeof DATE_FORMATS)[number]['id']
  readonly clock: (typeof CLOCKS)[number]['id']
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

/** Of this browser; what it does not know, or what is no longer offered, is the default. */
export function readPlaces(stored: string | null | undefined): Places {
  let kept: Partial<Record<keyof Places, unknown>>
  try {
    kept = (JSON.parse(stored ?? '{}') ?? {}) as typeof kept
  } catch {
    return DEFAULT_PLACES
  }
  const known = <Id extends string>(list: readonly { id: Id }[], value: unknown, otherwise: Id): Id =>
    list.find(({ id }) => id === value)?.id ?? otherwise
  return {
    numbers: known(NUMBER_FORMATS, kept.numbers, DEFAULT_PLACES.numbers),
    dates: known(DATE_FORMATS, kept.dates, DEFAULT_PLACES.dates),
    clock: known(CLOCKS, kept.clock, DEFAULT_PLACES.clock),
    timeZone: isTimeZone(kept.timeZone) ? kept.timeZone : EXCHANGE_ZONE,
  }
}

function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || name === '') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

let current = readPlaces(browserStorage()?.getItem(KEY))

export const places = (): Places => current

/** `1,234.56`, as the program writes numbers, in the chosen form. */
export function withSeparators(digits: string): string {
  const { group, decimal } = NUMBER_FORMATS.find(({ id }) => id === current.numbers)!
  return digits.replace(/[,.]/g, (mark) => (mark === ',' ? group : decimal))
}

/** Screens that are drawn already keep the old formats: the caller draws the page again. */
export function choosePlaces(next: Places): void {
  current = next
  browserStorage()?.setItem(KEY, JSON.stringify(next))
}
