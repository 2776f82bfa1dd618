import { expect, it } from 'vitest'
import { countdownText } from './countdown.ts'

const NOW = Date.parse('2026-11-13T20:00:00Z')

it.each([
  ['2026-11-15T22:00:00Z', 'in 2 d 2 h'],
  ['2026-11-13T23:12:30Z', 'in 3 h 12 min'],
  ['2026-11-13T20:04:05Z', 'in 4 min 05 s'],
  ['2026-11-13T20:00:09Z', 'in 9 s'],
  ['2026-11-13T20:00:00Z', 'now'],
  ['2026-11-13T19:00:00Z', 'now'],
])('%s is %s', (when, text) => {
  expect(countdownText(when, NOW)).toBe(text)
})
