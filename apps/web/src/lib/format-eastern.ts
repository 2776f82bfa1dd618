import { EXCHANGE_ZONE } from '@tradewright/core/formats'
import { MISSING } from './format.ts'
import { EASTERN, formatZoned } from './format-time.ts'
import { places } from './places.ts'

type Precision = 'minutes' | 'seconds'

/** `13 Nov 2026, 3:30:05 PM EST`: the exchange's clock with the name of its zone that day, whatever the user chose. */
export function formatEastern(when: string | null | undefined, precision: Precision = 'minutes'): string {
  const instant = new Date(when ?? Number.NaN)
  return Number.isNaN(instant.getTime()) ? MISSING : formatZoned(instant, EASTERN, precision)
}

/** A moment on the clock that the user chose, with the name of its zone; without a choice the exchange's. */
export function formatMoment(when: string | null | undefined, precision: Precision = 'minutes'): string {
  const { timeZone } = places()
  const instant = new Date(when ?? Number.NaN)
  if (timeZone === EXCHANGE_ZONE || Number.isNaN(instant.getTime())) return formatEastern(when, precision)
  return formatZoned(instant, timeZone, precision)
}
