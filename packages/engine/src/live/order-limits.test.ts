import { Decimal } from '@tradewright/core/decimal'
import { describe, expect, it } from 'vitest'
import { brokenLossLimit, withinLimits } from './order-limits.ts'
import type { SizedOrder } from './order-plan.ts'

const decimal = (text: string) => Decimal.parse(text)
const order = (ticker: string, value: string): SizedOrder => ({
  ticker,
  side: 'buy',
  size: { notional: decimal(value) },
  estimatedValue: decimal(value),
})
const orders = [order('SPY', '600'), order('TLT', '300'), order('GLD', '100')]
const nothing = { count: 0, value: Decimal.zero }
const kept = (limits: Parameters<typeof withinLimits>[3], day = nothing) =>
  withinLimits(orders, day, decimal('2000'), limits).orders.map(({ ticker }) => ticker)

describe('limits of an account', () => {
  it('leave everything in where there are none', () => {
    expect(kept({})).toEqual(['SPY', 'TLT', 'GLD'])
  })

  it('leave out what exceeds them, alone or with the orders of the day before it, and say so', () => {
    expect(kept({ maxOrderValue: decimal('300') })).toEqual(['TLT', 'GLD'])
    expect(kept({ maxDailyValue: decimal('700') })).toEqual(['SPY', 'GLD'])
    expect(kept({ maxDailyOrders: 3 }, { count: 2, value: Decimal.zero })).toEqual(['SPY'])
    expect(kept({ maxDailyTurnoverPct: 50 }, { count: 1, value: decimal('350') })).toEqual(['SPY'])
    const { notes, day } = withinLimits(orders, nothing, decimal('2000'), { maxOrderValue: decimal('300') })
    expect(notes).toEqual([
      {
        code: 'order-limit',
        level: 'error',
        sentence: 'The order to buy $600.00 of SPY is not sent: one order may be of $300.00 at most.',
      },
    ])
    expect(day).toEqual({ count: 2, value: decimal('400') })
  })

  it('stop an account that lost too much, not one whose owner took money out', () => {
    const limits = { maxDailyLossPct: 5 }
    const day = { equity: decimal('940'), lastEquity: decimal('1000'), externalFlow: Decimal.zero }
    expect(brokenLossLimit(day, limits)).toBe('The account has lost 6.00 % today, more than the allowed 5 %.')
    expect(brokenLossLimit({ ...day, externalFlow: decimal('-60') }, limits)).toBeUndefined()
    expect(brokenLossLimit({ ...day, lastEquity: undefined }, limits)).toBeUndefined()
    expect(brokenLossLimit(day, {})).toBeUndefined()
  })
})
