import { MISSING } from './format.ts'
import { formatDate } from './format-time.ts'

const ZONE = 'America/New_York'

/** `13 Nov 2026, 3:30:05 PM EST`: the exchange's clock with the name of its zone that day. */
export function formatEastern(when: string | null | undefined, precision: 'minutes' | 'seconds' = 'minutes'): string {
  const instant = new Date(when ?? Number.NaN)
  if (Number.isNaN(instant.getTime())) return MISSING
  const date = formatDate(instant.toLocaleDateString('en-CA', { timeZone: ZONE }))
  const time = instant.toLocaleTimeString('en-US', {
    timeZone: ZONE,
    hour: 'numeric',
    minute: '2-digit',
    ...(precision === 'seconds' ? { second: '2-digit' } : {}),
    timeZoneName: 'short',
  })
  // Some platforms put a narrow no-break space before AM and PM.
  return `${date}, ${time.replace(/\s/g, ' ')}`
}
