import { expect, it } from 'vitest'
import { monthsOf } from './portfolio-view.tsx'

it('offers every month with a value once, and the present one', () => {
  const full_history = ['2026-09-29', '2026-09-30', '2026-10-01'].map((date) => ({ date, equity: 1, net_amount: 0 }))
  expect(monthsOf({ full_history, as_of: '2026-11-02T15:00:00.000Z' })).toEqual(['2026-11', '2026-10', '2026-09'])
  expect(monthsOf({ full_history: [], as_of: '2026-11-02T15:00:00.000Z' })).toEqual(['2026-11'])
})
