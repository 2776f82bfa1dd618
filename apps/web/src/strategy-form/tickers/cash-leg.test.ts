import { expect, it } from 'vitest'
import { toRows } from './allocation-rows.ts'
import { holdsIdleCash, withBills } from './cash-leg.ts'

const cash = toRows([{ ticker: ' cashx', allocation: 100 }])

it('knows cash that earns nothing, also where no rows mean cash', () => {
  expect(holdsIdleCash(cash, false)).toBe(true)
  expect(holdsIdleCash(toRows([{ ticker: 'TBILLX', allocation: 100 }]), true)).toBe(false)
  expect(holdsIdleCash([], true)).toBe(true)
  expect(holdsIdleCash([], false)).toBe(false)
})

it('puts bills in the place of cash and leaves the other rows', () => {
  expect(withBills(cash)).toEqual([{ key: 0, ticker: 'TBILLX', allocation: 100 }])
  expect(withBills([])).toEqual([{ key: 0, ticker: 'TBILLX', allocation: 100 }])
  const rows = toRows([
    { ticker: 'TLT', allocation: 40 },
    { ticker: 'CASHX', allocation: 60 },
  ])
  expect(withBills(rows).map(({ ticker, allocation }) => [ticker, allocation])).toEqual([
    ['TLT', 40],
    ['TBILLX', 60],
  ])
})
