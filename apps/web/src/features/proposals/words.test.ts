import { DAY, HOUR, MINUTE } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { expiresSoon, expiryWords } from './proposal-detail.tsx'

const NOW = Date.parse('2026-11-18T12:00:00Z')
const after = (ms: number) => ({ expires_at: new Date(NOW + ms).toISOString() })

it.each([
  [10 * 1000, 'Expires in 1 min', true],
  [59 * MINUTE, 'Expires in 59 min', true],
  [7.5 * HOUR, 'Expires in 7 h', true],
  [30 * HOUR, 'Expires in 30 h', false],
  [6.9 * DAY, 'Expires in 6 days', false],
  [-1, 'Expired', true],
])('%d ms before its end a proposal says how long it has', (left, words, isSoon) => {
  expect(expiryWords(after(left), NOW)).toBe(words)
  expect(expiresSoon(after(left), NOW)).toBe(isSoon)
})
