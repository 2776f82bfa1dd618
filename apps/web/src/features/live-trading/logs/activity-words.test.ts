import { expect, it } from 'vitest'
import { activityWords } from './activity-words.ts'

const timestamp = '2026-11-13T20:30:00.000Z'

it('a signal has its type, confidence and what was done; a trade side, quantity, symbol and status [LIVE-051, LIVE-094]', () => {
  const signal = {
    type: 'signal',
    timestamp,
    signal_type: 'Buy',
    confidence: 0.612,
    action_taken: 'Rebalanced',
  } as const
  expect(activityWords(signal)).toEqual({ title: 'Signal: Buy · 61.2% confidence', detail: 'Rebalanced' })
  expect(activityWords({ ...signal, signal_type: 'Allocation', confidence: null }).title).toBe('Signal: Allocation')
  const trade = { type: 'trade', timestamp, side: 'sell', quantity: 1.23456, symbol: 'SPY', status: 'filled' } as const
  expect(activityWords({ ...trade, price: 500, reason: null })).toEqual({
    title: 'Sell 1.2346 SPY at $500.00',
    detail: 'filled',
  })
  expect(activityWords({ ...trade, price: null, reason: 'No buying power' }).detail).toBe('filled · No buying power')
  expect(activityWords({ type: 'event', timestamp, level: 'error', message: 'No data.', actor: null }).title).toBe(
    'No data.',
  )
})

it('an event names who caused it, and a user with the session', () => {
  const event = { type: 'event', timestamp, level: 'info', message: 'Started.' } as const
  const ann = {
    kind: 'user',
    name: 'ann',
    session: 'Firefox on Linux at 10.0.0.5, signed in 2026-11-13 09:00 UTC',
  } as const
  expect(activityWords({ ...event, actor: ann }).by).toBe(
    'By ann · Firefox on Linux at 10.0.0.5, signed in 2026-11-13 09:00 UTC',
  )
  expect(activityWords({ ...event, actor: { kind: 'schedule', name: 'schedule', session: null } }).by).toBe(
    'By schedule',
  )
})
