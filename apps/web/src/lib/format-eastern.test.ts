import { expect, it } from 'vitest'
import { formatEastern } from './format-time.ts'

it.each([
  ['2026-11-13T20:30:05Z', '13 Nov 2026, 3:30 PM EST'],
  ['2026-07-01T13:00:00.000Z', '1 Jul 2026, 9:00 AM EDT'],
  ['2026-11-14T02:00:00Z', '13 Nov 2026, 9:00 PM EST'],
  ['soon', 'N/A'],
  [null, 'N/A'],
])('%s reads as %s: Eastern time with the name of the zone [LIVE-100, LIVE-220]', (when, text) => {
  expect(formatEastern(when)).toBe(text)
})

it('shows seconds where they matter', () => {
  expect(formatEastern('2026-11-13T20:30:05Z', 'seconds')).toBe('13 Nov 2026, 3:30:05 PM EST')
})
