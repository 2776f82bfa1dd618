import { expect, it } from 'vitest'
import { allocationTotal, toRows } from './allocation-rows.ts'

it('adds up the rows that will be sent', () => {
  const rows = toRows([
    { ticker: 'SPY', allocation: 60 },
    { ticker: 'TLT', allocation: '15.5' },
    { ticker: ' ', allocation: 99 },
  ])
  expect(allocationTotal(rows)).toBe(75.5)
  expect(allocationTotal(toRows([{ ticker: 'SPY', allocation: '' }]))).toBeNull()
})
