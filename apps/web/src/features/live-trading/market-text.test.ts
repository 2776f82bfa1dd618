import { expect, it } from 'vitest'
import { marketText } from './market-text.ts'

const monday = { next_open: '2026-11-16T14:30:00.000Z', next_close: '2026-11-16T21:00:00.000Z' }

it('says when the market closes, and when it opens again', () => {
  const during = new Date('2026-11-16T16:00:00Z')
  expect(marketText({ is_open: true, ...monday }, during)).toBe('US market open · closes 4:00 PM ET')
  const weekend = new Date('2026-11-14T16:00:00Z')
  expect(marketText({ is_open: false, ...monday }, weekend)).toBe('US market closed · opens Mon 16 Nov, 9:30 AM ET')
  const morning = new Date('2026-11-16T12:00:00Z')
  expect(marketText({ is_open: false, ...monday }, morning)).toBe('US market closed · opens 9:30 AM ET')
})
