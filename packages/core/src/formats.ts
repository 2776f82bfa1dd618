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

/** Whether this platform knows a zone of that name, such as Europe/Berlin. */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || name === '') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
