import { afterEach, expect, it } from 'vitest'
import { choosePlaces, DEFAULT_PLACES } from '../../lib/format.ts'
import { marketText, sendingText } from './market-text.ts'

afterEach(() => choosePlaces(DEFAULT_PLACES))

const monday = { next_open: '2026-11-16T14:30:00.000Z', next_close: '2026-11-16T21:00:00.000Z' }

it('says when the market closes, and when it opens again', () => {
  const during = new Date('2026-11-16T16:00:00Z')
  expect(marketText({ is_open: true, ...monday }, during)).toBe('US market open · closes 4:00 PM ET')
  const weekend = new Date('2026-11-14T16:00:00Z')
  expect(marketText({ is_open: false, ...monday }, weekend)).toBe('US market closed · opens Mon 16 Nov, 9:30 AM ET')
  const morning = new Date('2026-11-16T12:00:00Z')
  expect(marketText({ is_open: false, ...monday }, morning)).toBe('US market closed · opens 9:30 AM ET')
})

it('says when the orders of a preview would be sent', () => {
  const weekend = new Date('2026-11-14T16:00:00Z')
  expect(sendingText({ market_open: false, next_check_at: monday.next_open }, 2, weekend)).toBe(
    'The market is closed. These orders would be sent at the next check, Mon 16 Nov, 9:30 AM ET, at the prices of that moment.',
  )
  const during = new Date('2026-11-16T16:00:00Z')
  expect(sendingText({ market_open: true, next_check_at: '2026-11-16T16:30:00.000Z' }, 1, during)).toBe(
    'The market is open. This order would be sent at the next check, today, 11:30 AM ET, at the prices of that moment.',
  )
  expect(sendingText({ market_open: false, next_check_at: null }, 2, weekend)).toBe(
    'The market is closed. No check is scheduled.',
  )
})

it('tells trading hours by the clock of the exchange and a check by the chosen one', () => {
  choosePlaces({ ...DEFAULT_PLACES, clock: '24', timeZone: 'Asia/Tokyo' })
  const weekend = new Date('2026-11-14T16:00:00Z')
  expect(marketText({ is_open: false, ...monday }, weekend)).toBe('US market closed · opens Mon 16 Nov, 09:30 ET')
  const check = { market_open: false, next_check_at: '2026-11-16T20:30:00.000Z' }
  expect(sendingText(check, 2, weekend)).toContain('at the next check, Tue 17 Nov, 05:30 GMT+9,')
})
