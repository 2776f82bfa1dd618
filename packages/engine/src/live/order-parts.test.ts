import { Decimal } from '@tradewright/core/decimal'
import { orderTypeProblem } from '@tradewright/core/order-type-problem'
import { MARKET_EXECUTION, type OrderExecution } from '@tradewright/core/order-types'
import { MINUTE } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import type { TradableAsset } from '../trading/broker.ts'
import { limitPriceOf } from './limit-price.ts'
import type { SizedOrder } from './sized-order.ts'
import { partsOf } from './order-parts.ts'

const decimal = (text: string) => Decimal.parse(text)
const asset: TradableAsset = {
  ticker: 'SPY',
  isTradable: true,
  isFractionable: true,
  isMarginable: true,
  isShortable: true,
}
const buy: SizedOrder = {
  ticker: 'SPY',
  side: 'buy',
  size: { notional: decimal('1000') },
  estimatedValue: decimal('1000'),
}
const sell = (quantity: string): SizedOrder => ({
  ticker: 'SPY',
  side: 'sell',
  size: { quantity: decimal(quantity) },
  estimatedValue: decimal(quantity).times(decimal('400')),
})

function parts(order: SizedOrder, execution: Partial<OrderExecution>, minutes = 60) {
  const { orders, notes } = partsOf([order], {
    execution: { ...MARKET_EXECUTION, ...execution },
    slice: { cash: decimal('1000'), positions: new Map([['SPY', decimal('2.5')]]) },
    priceOf: () => decimal('400'),
    assetOf: () => asset,
    from: 0,
    until: minutes * MINUTE,
  })
  return {
    orders: orders.map(({ size, sending }) => [
      'quantity' in size ? String(size.quantity) : `$${String(size.notional)}`,
      sending?.type,
      sending?.part,
      (sending?.at ?? 0) / MINUTE,
    ]),
    notes: notes.map(({ sentence }) => sentence),
  }
}

describe('the parts of an order', () => {
  it('are the order itself at the market', () => {
    expect(partsOf([buy], input())).toEqual({ orders: [buy], notes: [] })
  })

  it('are slices of equal size over the time, the last with what rounding left', () => {
    expect(parts(buy, { type: 'slices', slices: 3, sliceMinutes: 9 }).orders).toEqual([
      ['$333.33', 'market', 1, 0],
      ['$333.33', 'market', 2, 3],
      ['$333.34', 'market', 3, 6],
    ])
    // There are ten minutes left, of which nine are used.
    expect(parts(buy, { type: 'slices', slices: 2, sliceMinutes: 60 }, 10).orders.map(([, , , at]) => at)).toEqual([
      0, 4.5,
    ])
  })

  it('are fewer slices where each would be below the minimum', () => {
    const small = { ...buy, size: { notional: decimal('2.5') }, estimatedValue: decimal('2.5') }
    expect(parts(small, { type: 'slices', slices: 20 }).orders.map(([size]) => size)).toEqual(['$1.25', '$1.25'])
  })

  it('are whole shares for an auction; the fraction of a position that is given up goes to the market', () => {
    expect(parts(buy, { type: 'on_close' }).orders).toEqual([['2', 'on_close', 1, 0]])
    expect(parts(sell('1.7'), { type: 'on_close' }).orders).toEqual([['1', 'on_close', 1, 0]])
    expect(parts(sell('2.5'), { type: 'on_open' }).orders).toEqual([
      ['2', 'on_open', 1, 0],
      ['0.5', 'market', 2, 0],
    ])
    const { orders, notes } = parts(sell('0.7'), { type: 'on_close' })
    expect(orders).toEqual([])
    expect(notes[0]).toContain('less than one share')
  })
})

const input = () => ({
  execution: MARKET_EXECUTION,
  slice: { cash: decimal('1000'), positions: new Map() },
  priceOf: () => decimal('400'),
  assetOf: () => asset,
  from: 0,
  until: MINUTE,
})

describe('the limit of an order', () => {
  const quote = { bid: decimal('99.98'), ask: decimal('100.01'), at: 0 }
  const priced = (
    type: 'collar' | 'limit',
    side: 'buy' | 'sell',
    of: { bid: Decimal; ask: Decimal; at: number } = quote,
  ) => String(limitPriceOf({ type, collarPct: 0.5 }, side, of, asset))

  it('is the offer and the collar, or the middle, rounded to what is never worse', () => {
    expect(priced('collar', 'buy')).toBe('100.51')
    expect(priced('collar', 'sell')).toBe('99.49')
    expect(priced('limit', 'buy')).toBe('99.99')
    expect(priced('limit', 'sell')).toBe('100')
    const cheap = { bid: decimal('0.5'), ask: decimal('0.5001'), at: 0 }
    expect(priced('collar', 'buy', cheap)).toBe('0.5026')
  })

  it('is none without an offer', () => {
    expect(limitPriceOf({ type: 'collar', collarPct: 1 }, 'buy', { ...quote, ask: undefined }, asset)).toBeUndefined()
  })
})

describe('an order type', () => {
  const asked = {
    broker: 'alpaca',
    type: 'on_close',
    tickers: ['SPY'],
    frequency: 'end_of_day',
    minutesBeforeClose: 30,
  } as const

  it('is offered where broker, tickers and schedule allow it, and says why not elsewhere', () => {
    expect(orderTypeProblem(asked)).toBeUndefined()
    expect(orderTypeProblem({ ...asked, tickers: ['SPY', 'BTC-USD'] })).toBe(
      'On close: BTC-USD trades around the clock and has no auction.',
    )
    expect(orderTypeProblem({ ...asked, frequency: 'continuous' })).toContain('the schedule must be end of day')
    expect(orderTypeProblem({ ...asked, minutesBeforeClose: 10 })).toContain('at least 15 minutes before the close')
    expect(orderTypeProblem({ ...asked, type: 'limit', frequency: 'continuous', tickers: ['BTC-USD'] })).toBeUndefined()
  })
})
