import { expect, it } from 'vitest'
import { marketDay, marketSentence } from './home-screen.tsx'

const market = (changes: object) => ({
  is_open: false,
  next_open: '2025-09-30T13:30:00.000Z',
  next_close: '2025-09-30T20:00:00.000Z',
  ...changes,
})

it('says how long it is until the market opens, rounded up', () => {
  const at = (time: string) => marketSentence(market({}), new Date(`2025-09-30T${time}Z`))
  expect(at('12:48:10')).toBe('The US market opens in 42 minutes, at 9:30 AM ET.')
  expect(at('13:29:30')).toBe('The US market opens in 1 minute, at 9:30 AM ET.')
  expect(at('11:30:00')).toBe('The US market opens in 2 hours, at 9:30 AM ET.')
  expect(at('11:29:00')).toBe('The US market opens in 2 hours and 1 minute, at 9:30 AM ET.')
})

it('says until when it is open, and on which day it opens again', () => {
  const now = new Date('2025-09-30T15:00:00Z')
  expect(marketSentence(market({ is_open: true }), now)).toBe('The US market is open until 4:00 PM ET.')
  const weekend = market({ next_open: '2025-10-06T13:30:00.000Z' })
  expect(marketSentence(weekend, new Date('2025-10-04T15:00:00Z'))).toBe(
    'The US market is closed and opens Monday, 6 October, at 9:30 AM ET.',
  )
})

it('tells the date at the exchange', () => {
  expect(marketDay(new Date('2025-10-01T02:00:00Z'))).toBe('Tuesday, 30 September')
})
