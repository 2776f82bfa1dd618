import { expect, it } from 'vitest'
import { messageTime } from './message-list.tsx'
import { relativeTime } from './recent-chats.tsx'

const NOW = Date.parse('2026-11-14T12:00:00Z')
const ago = (milliseconds: number) => new Date(NOW - milliseconds).toISOString()
const MINUTE = 60_000
const DAY = 86_400_000

it.each([
  [0, 'now'],
  [59_999, 'now'],
  [-5 * MINUTE, 'now'],
  [MINUTE, '1m'],
  [59 * MINUTE, '59m'],
  [60 * MINUTE, '1h'],
  [23.9 * 60 * MINUTE, '23h'],
  [DAY, '1d'],
  [7 * DAY, '7d'],
  [7 * DAY + MINUTE, '7 Nov 2026'],
  [400 * DAY, '10 Oct 2025'],
])('%d ms ago reads %s [AI-013]', (age, label) => {
  expect(relativeTime(ago(age), NOW)).toBe(label)
})

it('tells a message by the exchange’s clock, with the day when it is another [AI-043]', () => {
  expect(messageTime('2026-11-14T20:30:00Z', NOW)).toBe('3:30 PM ET')
  expect(messageTime('2026-11-14T03:30:00Z', NOW)).toBe('13 Nov 2026, 10:30 PM ET')
  expect(messageTime('2026-07-14T20:30:00Z', NOW)).toBe('14 Jul 2026, 4:30 PM ET')
})
