import { expect, it } from 'vitest'
import { historyPage } from './trades.tsx'

const days = Array.from({ length: 120 }, (_, index) => ({ date: `day ${index}`, equity: 100 + index, net_amount: 0 }))

it('shows 50 days a page, newest first [PORT-041]', () => {
  expect(historyPage(days, 1)).toHaveLength(50)
  expect(historyPage(days, 1)[0]?.date).toBe('day 119')
  expect(historyPage(days, 2)[0]?.date).toBe('day 69')
  expect(historyPage(days, 3).map(({ date }) => date)).toHaveLength(20)
  expect(historyPage(days, 3).at(-1)).toMatchObject({ date: 'day 0', change: null })
  expect(historyPage([], 1)).toEqual([])
})

it('does not take a deposit for a gain', () => {
  const history = [
    { date: 'a', equity: 100, net_amount: 0 },
    { date: 'b', equity: 1_110, net_amount: 1_000 },
  ]
  expect(historyPage(history, 1)[0]?.change).toBe(10)
})
