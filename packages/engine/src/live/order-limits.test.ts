import { Decimal } from '@tradewright/core/decimal'
import { describe, expect, it } from 'vitest'
import { brokenLossLimit, type DayOrders, looserLimit, type OrderLimits, withinLimits } from './order-limits.ts'
import type { SizedOrder } from './sized-order.ts'

const decimal = (text: string) => Decimal.parse(text)
const order = (ticker: string, value: string): SizedOrder => ({
  ticker,
  side: 'buy',
  size: { notional: decimal(value) },
  estimatedValue: decimal(value),
})
const orders = [order('SPY', '600'), order('TLT', '300'), order('GLD', '100')]
const nothing = { count: 0, value: Decimal.zero }
const account = { equity: decimal('2000'), lastEquity: decimal('2000'), externalFlow: Decimal.zero }
const ofAccount = (limits: OrderLimits, day: DayOrders = nothing) =>
  ({ of: 'an account', limits, day, value: decimal('2000') }) as const
const ofDeployment = (limits: OrderLimits, day: DayOrders = nothing) =>
  ({ of: 'this deployment', limits, day, value: decimal('1000') }) as const
const kept = (limits: OrderLimits, day = nothing) =>
  withinLimits(orders, [ofAccount(limits, day)], account).orders.map(({ ticker }) => ticker)

describe('limits of an account', () => {
  it('leave everything in where there are none', () => {
    expect(kept({})).toEqual(['SPY', 'TLT', 'GLD'])
  })

  it('leave out what exceeds them, alone or with the orders of the day before it, and say so', () => {
    expect(kept({ maxOrderValue: decimal('300') })).toEqual(['TLT', 'GLD'])
    expect(kept({ maxDailyValue: decimal('700') })).toEqual(['SPY', 'GLD'])
    expect(kept({ maxDailyOrders: 3 }, { count: 2, value: Decimal.zero })).toEqual(['SPY'])
    expect(kept({ maxDailyTurnoverPct: 50 }, { count: 1, value: decimal('350') })).toEqual(['SPY'])
    const { notes, scopes } = withinLimits(orders, [ofAccount({ maxOrderValue: decimal('300') })], account)
    expect(notes).toEqual([
      {
        code: 'order-limit',
        level: 'error',
        sentence: 'Limit reached. The order to buy $600.00 of SPY is not sent: one order may be of $300.00 at most.',
      },
    ])
    expect(scopes[0]!.day).toEqual({ count: 2, value: decimal('400') })
  })

  it('take the slices of an order for one order, and each for an order of the day', () => {
    const slices = [order('SPY', '200'), order('SPY', '200'), order('SPY', '200'), order('TLT', '300')]
    const limited = (limits: OrderLimits) => withinLimits(slices, [ofAccount(limits)], account)
    const { orders: left, notes } = limited({ maxOrderValue: decimal('300') })
    expect(left.map(({ ticker }) => ticker)).toEqual(['TLT'])
    expect(notes.map(({ sentence }) => sentence)).toEqual([
      'Limit reached. The order to buy $600.00 of SPY is not sent: one order may be of $300.00 at most.',
    ])
    expect(limited({ maxOrderValue: decimal('600') }).orders).toHaveLength(4)
    expect(limited({ maxDailyOrders: 2 }).orders.map(({ ticker }) => ticker)).toEqual(['SPY', 'SPY'])
  })

  it('stop an account that lost too much, not one whose owner took money out', () => {
    const limits = [{ maxDailyLossPct: 5 }]
    const day = { equity: decimal('940'), lastEquity: decimal('1000'), externalFlow: Decimal.zero }
    expect(brokenLossLimit(day, limits)).toBe('The account has lost 6.00% today, more than the allowed 5%.')
    expect(brokenLossLimit({ ...day, externalFlow: decimal('-60') }, limits)).toBeUndefined()
    expect(brokenLossLimit({ ...day, lastEquity: undefined }, limits)).toBeUndefined()
    expect(brokenLossLimit(day, [{}])).toBeUndefined()
    // The strictest counts, the operator's or the user's.
    expect(brokenLossLimit(day, [{ maxDailyLossPct: 8 }, { maxDailyLossPct: 3 }])).toContain('the allowed 3%')
    const lost = withinLimits(orders, [ofAccount({}), ofDeployment({ maxDailyLossPct: 5 })], day)
    expect(lost.orders).toEqual([])
    expect(lost.notes[0]!.sentence).toContain('is not sent: The account has lost 6.00% today')
  })
})

describe('limits of a user', () => {
  it('hold beside those of the operator, each with the orders that count towards it', () => {
    const scopes = [ofAccount({ maxDailyValue: decimal('950') }), ofDeployment({ maxDailyTurnoverPct: 65 })]
    const { orders: left, notes } = withinLimits(orders, scopes, account)
    expect(left.map(({ ticker }) => ticker)).toEqual(['SPY'])
    expect(notes.map(({ sentence }) => sentence)).toEqual([
      'Limit reached. The order to buy $300.00 of TLT is not sent: this deployment may trade 65% of its value a day.',
      'Limit reached. The order to buy $100.00 of GLD is not sent: this deployment may trade 65% of its value a day.',
    ])
  })

  it('are never looser than those of the operator', () => {
    const operator = { maxOrderValue: decimal('500'), maxDailyOrders: 10, maxDailyLossPct: 5 }
    expect(looserLimit({ maxOrderValue: decimal('500'), maxDailyValue: decimal('9') }, operator)).toBeUndefined()
    expect(looserLimit({ maxOrderValue: decimal('500.01') }, operator)).toBe(
      'The operator of this instance allows orders of $500.00 at most.',
    )
    expect(looserLimit({ maxDailyOrders: 11 }, operator)).toContain('10 orders a day at most')
    expect(looserLimit({ maxDailyLossPct: 6 }, operator)).toContain('to lose 5% a day at most')
  })
})
