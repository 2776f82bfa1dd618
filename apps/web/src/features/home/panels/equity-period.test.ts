import { expect, it } from 'vitest'
import { changeIn, daysIn } from './equity-panel.tsx'

const day = (date: string, equity: number, net_amount = 0) => ({ date, equity, net_amount })
const history = [
  day('2024-12-31', 100),
  day('2025-01-02', 101),
  day('2025-02-28', 110),
  day('2025-03-03', 108),
  day('2025-03-31', 120),
]

it('counts from the last close before the period began', () => {
  const first = (period: Parameters<typeof daysIn>[1]) => daysIn(history, period)[0]?.date
  expect(first('1M')).toBe('2025-02-28')
  expect(first('3M')).toBe('2024-12-31')
  expect(first('YTD')).toBe('2024-12-31')
  expect(first('1Y')).toBe('2024-12-31')
  expect(first('All')).toBe('2024-12-31')
  expect(daysIn([], '1M')).toEqual([])
})

it('tells the gain since then', () => {
  const change = changeIn({ equity: 121, growth: [] }, daysIn(history, '1M'))
  expect(change).toEqual({ since: '2025-02-28', gain: 11, fraction: 0.1, hasFlows: false })
})

it('leaves deposits out, and tells no percentage that it does not know', () => {
  const days = [day('2025-01-02', 100), day('2025-01-03', 151, 50)]
  expect(changeIn({ equity: 151, growth: [] }, days)).toMatchObject({ gain: 1, fraction: null, hasFlows: true })
  const growth = [
    { date: '2025-01-02', portfolio: 1.2, spy: null, tqqq: null },
    { date: '2025-01-03', portfolio: 1.212, spy: null, tqqq: null },
  ]
  expect(changeIn({ equity: 151, growth }, days)?.fraction).toBeCloseTo(0.01, 9)
})

it('has nothing to compare with on the first day', () => {
  expect(changeIn({ equity: 100, growth: [] }, [day('2025-01-02', 100)])).toBeNull()
})
