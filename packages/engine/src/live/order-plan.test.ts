import { Decimal } from '@tradewright/core/decimal'
import { describe, expect, it } from 'vitest'
import { afterSales, isPartial, planPurchases, planSales, type SizingInput } from './order-plan.ts'
import type { SizedOrder } from './sized-order.ts'
import { tradedAs, tradingWeights, weightsByTicker } from './trading-weights.ts'

const decimal = (text: string) => Decimal.parse(text)
const prices: Record<string, string> = {
  SPY: '400',
  TLT: '90',
  ODD: '33.33',
  HALT: '5',
  'BTC-USD': '50000',
  'ETH-USD': '2000',
}
const asset = (ticker: string) => ({
  ticker,
  isTradable: ticker !== 'HALT',
  isFractionable: ticker !== 'ODD',
  isMarginable: !ticker.endsWith('-USD'),
  isShortable: true,
  ...(ticker.endsWith('-USD') && {
    minPurchase: decimal('10'),
    minQuantity: decimal('0.0001'),
    quantityStep: decimal('0.0001'),
  }),
})
const input = (weights: Record<string, number>, cash: string, held: Record<string, string> = {}): SizingInput => ({
  weights: new Map(Object.entries(weights)),
  slice: { cash: decimal(cash), positions: new Map(Object.entries(held).map(([t, q]) => [t, decimal(q)])) },
  priceOf: (ticker) => (prices[ticker] === undefined ? undefined : decimal(prices[ticker])),
  assetOf: asset,
})
const enough = { spendable: decimal('1000000'), buyingPower: decimal('1000000'), forgivenessPct: 0 }
const told = ({ ticker, side, size }: SizedOrder) =>
  `${side} ${'quantity' in size ? String(size.quantity) : `$${String(size.notional)}`} ${ticker}`

describe('orders from target weights', () => {
  it('sell first, and what is not wanted to the last fraction', () => {
    const plan = planSales(input({ TLT: 1 }, '0', { SPY: '1.123456789', TLT: '1' }))
    expect(plan.orders.map(told)).toEqual(['sell 1.123456789 SPY'])
  })

  it('buy dollars of what is fractionable and whole shares of what is not', () => {
    const plan = planPurchases(input({ SPY: 0.6, ODD: 0.4 }, '1000.009'), { ...enough, spendable: decimal('1000.009') })
    expect(plan.orders.map(told)).toEqual(['buy $600 SPY', 'buy 11 ODD'])
  })

  it('never spend more than there is, what the broker charges included', () => {
    const limits = { ...enough, spendable: decimal('1234.567') }
    const plan = planPurchases(input({ SPY: 1 }, '1234.567'), limits)
    expect(plan.orders.map(told)).toEqual(['buy $1234.56 SPY'])
    const charged = planPurchases(input({ SPY: 1 }, '1234.567'), { ...limits, costRate: 0.001 })
    expect(charged.orders.map(told)).toEqual(['buy $1233.33 SPY'])
    expect(charged.notes).toEqual([])
  })

  it('are cut down within the forgiveness and refused beyond it', () => {
    const limits = { ...enough, buyingPower: decimal('950'), forgivenessPct: 5 }
    expect(planPurchases(input({ SPY: 1 }, '1000'), limits).orders.map(told)).toEqual(['buy $950 SPY'])
    const refused = planPurchases(input({ SPY: 1 }, '1000'), { ...limits, forgivenessPct: 4.9 })
    expect(refused.orders).toEqual([])
    expect(refused.notes).toEqual([
      {
        code: 'insufficient-buying-power',
        level: 'error',
        sentence:
          'Insufficient buying power: purchases of $1,000.00 exceed the available $950.00 by 5.00%, ' +
          'more than the forgiveness of 4.9%. Nothing is bought.',
      },
    ])
  })

  it('are scaled to the cash of the slice, however much is missing [the buying leg of a rebalance]', () => {
    // SPY has risen since it was trimmed: the weights ask for more TLT than the sale brought.
    const wanted = input({ SPY: 0.5, TLT: 0.5 }, '100', { SPY: '2', TLT: '6' })
    const plan = planPurchases(wanted, { ...enough, spendable: decimal('100') })
    expect(plan.orders.map(told)).toEqual(['buy $100 TLT'])
    expect(plan.notes).toEqual([
      {
        code: 'purchases-scaled',
        level: 'info',
        sentence: 'Purchases of $180.00 are scaled to the $100.00 that are there.',
      },
    ])
    expect(isPartial(plan.notes)).toBe(false)
  })

  it('do not buy back what was sold for them', () => {
    const fallen = { ...input({ SPY: 0.5, TLT: 0.5 }, '200', { SPY: '1', TLT: '5' }), sold: new Set(['SPY']) }
    expect(planPurchases(fallen, enough).orders.map(told)).toEqual(['buy $75 TLT'])
  })

  it('wait for cash that is not settled', () => {
    const plan = planPurchases(input({ SPY: 1 }, '1000'), { ...enough, settledCash: decimal('300') })
    expect(plan.orders.map(told)).toEqual(['buy $300 SPY'])
    expect(plan.notes).toMatchObject([
      { code: 'awaits-settlement', sentence: expect.stringContaining('$700.00 wait until earlier sales are settled') },
    ])
    expect(isPartial(plan.notes)).toBe(true)
  })

  it('buy coins with what may be spent without margin, and the rest as ever', () => {
    const limits = { ...enough, nonMarginableBuyingPower: decimal('100') }
    const plan = planPurchases(input({ SPY: 0.5, 'BTC-USD': 0.5 }, '1000'), limits)
    expect(plan.orders.map(told)).toEqual(['buy $500 SPY'])
    expect(plan.notes).toMatchObject([
      {
        code: 'insufficient-buying-power',
        level: 'error',
        sentence:
          'Insufficient buying power: purchases of BTC-USD of $500.00, which cannot be bought on margin, exceed the ' +
          'available $100.00 by 80.00%, more than the forgiveness of 0%. None of it is bought.',
      },
    ])
    const forgiven = planPurchases(input({ SPY: 0.5, 'BTC-USD': 0.5 }, '1000'), { ...limits, forgivenessPct: 80 })
    expect(forgiven.orders.map(told)).toEqual(['buy $500 SPY', 'buy $100 BTC-USD'])
  })

  it('below the broker’s minimum are planned away, with the sales that would have paid for them', () => {
    // $104 of BTC and $96 of ETH: $4 would have to change, and coins are bought from $10 on.
    const few = input({ 'BTC-USD': 0.5, 'ETH-USD': 0.5 }, '0', { 'BTC-USD': '0.00208', 'ETH-USD': '0.048' })
    expect(planSales(few)).toEqual({ orders: [], notes: [] })
    expect(planPurchases(few, enough)).toEqual({ orders: [], notes: [] })
    // Three holdings stand against one purchase: only what it needs is sold.
    const three = input({ 'BTC-USD': 0.5, 'ETH-USD': 0.3, SPY: 0.2 }, '0', {
      'BTC-USD': '0.0104',
      'ETH-USD': '0.147',
      SPY: '0.465',
    })
    expect(planSales(three).orders.map(told)).toEqual(['sell 0.0002 BTC-USD'])
  })

  it('sell coins in the broker’s steps, and leave what is less than its smallest order', () => {
    const steps = input({ 'BTC-USD': 0.5 }, '0', { 'BTC-USD': '0.12345678' })
    expect(planSales(steps).orders.map(told)).toEqual(['sell 0.0617 BTC-USD'])
    const rest = input({ SPY: 1 }, '1000', { 'BTC-USD': '0.00005' })
    expect(planSales(rest)).toEqual({ orders: [], notes: [] })
  })

  it('after planned sales are planned from what these bring', () => {
    const sales = planSales(input({ TLT: 1 }, '0', { SPY: '1' })).orders
    expect(afterSales(input({}, '5', { SPY: '1', TLT: '2' }).slice, sales)).toEqual({
      cash: decimal('405'),
      positions: new Map([['TLT', decimal('2')]]),
    })
  })

  it('leave what cannot be traded or has no price, and say so', () => {
    const plan = planSales(input({ SPY: 1 }, '0', { HALT: '5', NOPRICE: '2' }))
    expect(plan.orders).toEqual([])
    expect(plan.notes).toEqual([
      { code: 'no-price', level: 'warning', sentence: 'NOPRICE has no price and is left as it is.' },
      {
        code: 'not-tradable',
        level: 'warning',
        sentence: 'HALT cannot be traded now and is left as it is.',
        ticker: 'HALT',
      },
    ])
  })

  it('do nothing below a dollar', () => {
    expect(planPurchases(input({ SPY: 0.5 }, '1.5'), enough).orders).toEqual([])
  })
})

describe('trading tickers', () => {
  it('hold CASHX and T-bills as cash and borrow the leverage of the same symbol only [LIVE-136]', () => {
    expect(tradedAs('CASHX', {})).toBeUndefined()
    expect(tradedAs('TBILLX', {})).toBeUndefined()
    expect(tradedAs('SPY?L=2', { 'SPY?L=2': 'SPY' })).toEqual({ ticker: 'SPY', leverage: 2 })
    expect(tradedAs('UPRO?FB=SPY?L=3', {})).toEqual({ ticker: 'UPRO', leverage: 1 })
    expect(tradedAs('SPY?L=2', { 'SPY?L=2': 'SSO' })).toEqual({ ticker: 'SSO', leverage: 1 })
    expect(tradedAs('SPY', { SPY: 'SPY?L=1.5' })).toEqual({ ticker: 'SPY', leverage: 1.5 })
  })

  it('are added up where signals share them', () => {
    const allocation = new Map([
      ['SPY', 50],
      ['VOO', 30],
      ['TBILLX', 20],
    ])
    const weights = weightsByTicker(tradingWeights(allocation, { SPY: 'IVV', VOO: 'IVV' }))
    expect([...weights]).toEqual([['IVV', 0.8]])
  })
})

describe('orders of borrowed shares', () => {
  const shorting = {
    isAllowed: true,
    buyingPower: decimal('100000'),
    heldByOthers: () => Decimal.zero,
  }
  const sales = (weights: Record<string, number>, cash: string, held: Record<string, string> = {}, more = {}) =>
    planSales({ ...input(weights, cash, held), shorting, ...more })

  it('are of whole shares, and of no more than the weight asks for', () => {
    expect(sales({ TLT: -0.3 }, '10000').orders.map(told)).toEqual(['sell 33 TLT'])
    expect(sales({ TLT: -0.3 }, '12970', { TLT: '-33' }).orders).toEqual([])
    expect(sales({ TLT: -0.005 }, '10000').orders).toEqual([])
  })

  it('are refused where the account, the broker or what others hold does not allow them, and say so', () => {
    const codesOf = (more: object) => sales({ TLT: -0.3 }, '10000', {}, more).notes.map(({ code }) => code)
    expect(codesOf({ shorting: undefined })).toEqual(['not-shortable'])
    expect(codesOf({ shorting: { ...shorting, isAllowed: false } })).toEqual(['not-shortable'])
    expect(codesOf({ assetOf: (ticker: string) => ({ ...asset(ticker), isShortable: false }) })).toEqual([
      'not-shortable',
    ])
    expect(codesOf({ shorting: { ...shorting, heldByOthers: () => decimal('0.5') } })).toEqual(['held-otherwise'])
    const poor = sales({ TLT: -0.3 }, '10000', {}, { shorting: { ...shorting, buyingPower: decimal('3000') } })
    expect(poor.orders).toEqual([])
    expect(poor.notes[0]!.sentence).toBe(
      'Insufficient buying power: short sales of $2,970.00 need $3,059.10, and the account has $3,000.00. Nothing is sold short.',
    )
    expect(isPartial(poor.notes)).toBe(true)
  })

  it('never go beyond zero: one order closes, and another one opens after it', () => {
    expect(sales({ SPY: -0.5 }, '0', { SPY: '25' }).orders.map(told)).toEqual(['sell 25 SPY'])
    const flat = { ...input({ SPY: -0.5 }, '10000'), shorting, sold: new Set(['SPY']), closed: new Set(['SPY']) }
    expect(planPurchases(flat, enough).orders.map(told)).toEqual(['sell 12 SPY'])
    // A sale that was refused is not tried again by the same decision.
    expect(planPurchases({ ...flat, closed: new Set() }, enough).orders).toEqual([])
    expect(sales({ SPY: 1 }, '15000', { SPY: '-12' }).orders.map(told)).toEqual(['buy 12 SPY'])
    const owing = planPurchases({ ...input({ SPY: 1 }, '15000', { SPY: '-12' }), shorting }, enough)
    expect([owing.orders, owing.notes.map(({ code }) => code)]).toEqual([[], ['held-otherwise']])
  })

  it('give shares back before anything else is bought, however little cash there is', () => {
    const wanted = { ...input({ SPY: 1 }, '3000', { TLT: '-30' }), shorting }
    const plan = planPurchases(wanted, { ...enough, spendable: decimal('3000') })
    expect(plan.orders.map(told)).toEqual(['buy 30 TLT', 'buy $300 SPY'])
  })

  it('close everything when nothing is left', () => {
    const lost = { ...input({ SPY: 1, TLT: -1 }, '1000', { SPY: '1', TLT: '-30' }), shorting }
    expect(planSales(lost).orders.map(told)).toEqual(['sell 1 SPY'])
    expect(planPurchases(lost, enough).orders.map(told)).toEqual(['buy 30 TLT'])
  })
})
