import type { Formats } from '@tradewright/contract/formats'
import { CLOCKS, DATE_FORMATS, EXCHANGE_ZONE, isTimeZone, NUMBER_FORMATS } from '@tradewright/core/formats'
import { browserStorage } from './browser-storage.ts'

/** How numbers read on every screen: a true minus, thousands with a comma, and never a number that is not one. */
export const MISSING = 'N/A'
const MINUS = '−'

type Numeric = number | null | undefined
type Sign = 'minus only' | 'always'

interface Shape {
  decimals: number
  /** Trailing zeros beyond this many decimals are dropped; as many as `decimals` when not given. */
  minDecimals?: number
  prefix?: string
  suffix?: string
  sign?: Sign
}

/** `+$1,862.44`: sign, then prefix, then digits. What reads as zero has no sign: it is neither a gain nor a loss. */
export function formatNumber(value: Numeric, shape: Shape): string {
  if (!isNumber(value)) return MISSING
  const { decimals, minDecimals = decimals, prefix = '', suffix = '', sign = 'minus only' } = shape
  const english = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: minDecimals,
    maximumFractionDigits: decimals,
  })
  const digits = withSeparators(english)
  const isZero = !/[1-9]/.test(digits)
  const plus = sign === 'always' ? '+' : ''
  const mark = isZero ? '' : value < 0 ? MINUS : plus
  return `${mark}${prefix}${digits}${suffix}`
}

export const formatMoney = (usd: Numeric) => formatNumber(usd, { decimals: 2, prefix: '$' })
export const formatSignedMoney = (usd: Numeric) => formatNumber(usd, { decimals: 2, prefix: '$', sign: 'always' })
export const formatWholeMoney = (usd: Numeric) => formatNumber(usd, { decimals: 0, prefix: '$' })

/** Takes fractions, as the wire does: 0.118 reads `11.8%`. */
export const formatPercent = (fraction: Numeric, decimals = 1) =>
  formatNumber(scaled(fraction, 100), { decimals, suffix: '%' })
export const formatSignedPercent = (fraction: Numeric, decimals = 1) =>
  formatNumber(scaled(fraction, 100), { decimals, suffix: '%', sign: 'always' })
/** A difference between two percentages. */
export const formatPercentagePoints = (fraction: Numeric, decimals = 1) =>
  formatNumber(scaled(fraction, 100), { decimals, suffix: ' pp', sign: 'always' })

/** Sharpe and the like. */
export const formatRatio = (value: Numeric) => formatNumber(value, { decimals: 2 })
export const formatSignedRatio = (value: Numeric) => formatNumber(value, { decimals: 2, sign: 'always' })
export const formatCount = (value: Numeric) => formatNumber(value, { decimals: 0 })
export const formatQuantity = (value: Numeric) => formatNumber(value, { decimals: 4, minDecimals: 0 })

/** Never zero: a test proves nothing for certain. */
const SMALLEST_P = 0.001

export function formatPValue(value: Numeric): string {
  if (isNumber(value) && value < SMALLEST_P) return `< ${formatNumber(SMALLEST_P, { decimals: 3 })}`
  return formatNumber(value, { decimals: 3 })
}

/** The size of a file: `48 kB`, `1.2 MB`; at least 1 kB. */
export function formatSize(bytes: number): string {
  if (bytes >= 1_000_000) return formatNumber(bytes / 1_000_000, { decimals: 1, suffix: ' MB' })
  return formatNumber(Math.max(1, bytes / 1000), { decimals: 0, suffix: ' kB' })
}

/** `$108.4K` above a thousand, `$1.2M` above a million, else dollars and cents. */
export function formatShortMoney(usd: Numeric): string {
  if (!isNumber(usd)) return MISSING
  const size = Math.abs(usd)
  if (size > 1_000_000) return formatNumber(usd / 1_000_000, { decimals: 1, prefix: '$', suffix: 'M' })
  if (size > 1_000) return formatNumber(usd / 1_000, { decimals: 1, prefix: '$', suffix: 'K' })
  return formatMoney(usd)
}

function isNumber(value: Numeric): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function scaled(value: Numeric, factor: number): Numeric {
  return isNumber(value) ? value * factor : value
}

/** A word of the wire as a label: `yearly` reads `Yearly`. */
export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

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
