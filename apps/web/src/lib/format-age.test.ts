import { expect, it } from 'vitest'
import { formatAge, formatPast } from './format-time.ts'

it.each([
  [0, 'just now'],
  [59, 'just now'],
  [60, '1 minute ago'],
  [3_599, '59 minutes ago'],
  [3_600, '1 hour ago'],
  [86_399, '23 hours ago'],
  [172_800, '2 days ago'],
  // The two clocks need not agree.
  [-5, 'just now'],
])('says of %d seconds: %s', (seconds, words) => {
  expect(formatAge(seconds)).toBe(words)
})

it('turns to the date after a week', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  expect(formatPast('2026-11-15T11:58:00Z', now)).toBe('2 minutes ago')
  expect(formatPast('2026-11-01T11:58:00Z', now)).toBe('1 Nov 2026')
})
