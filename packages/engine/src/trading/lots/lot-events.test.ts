import { Decimal } from '@tradewright/core/decimal'
import { dateOf, DAY, dayStamp, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import type { AccountActivity, CashActivity } from '../account-activity.ts'
import { accountLotEvents, type HeldPosition } from './lot-events.ts'
import { sumOf, taxLots } from './tax-lots.ts'

const decimal = (text: string | number) => Decimal.parse(String(text))
const at = (date: string) => dateOf(date) * DAY + 16 * HOUR
const today = dateOf('2026-06-30')
let numbers = 0

const trade = (
  date: string,
  side: 'buy' | 'sell',
  quantity: string,
  price: string,
  ticker = 'XYZ',
): AccountActivity => ({
  kind: 'trade',
  id: `t${++numbers}`,
  at: at(date),
  ticker,
  side,
  quantity: decimal(quantity),
  price: decimal(price),
  orderId: undefined,
})

const cash = (date: string, type: string, netAmount: string, more: Partial<CashActivity> = {}): CashActivity => ({
  kind: 'cash',
  id: `c${++numbers}`,
  at: dayStamp(dateOf(date)),
  day: dateOf(date),
  type,
  netAmount: decimal(netAmount),
  description: '',
  ticker: 'XYZ',
  ...more,
})

const held = (quantity: string, average = '10', ticker = 'XYZ'): HeldPosition => ({
  ticker,
  quantity: decimal(quantity),
  averageEntryPrice: decimal(average),
})

function lotsOf(activities: readonly AccountActivity[], positions: readonly HeldPosition[]) {
  const { events, unexplained, otherFees } = accountLotEvents(activities, positions, today)
  const { lots, disposals } = taxLots(events, { method: 'fifo' })
  return {
    lots: lots.map(
      ({ ticker, quantity, basis, origin }) => `${String(quantity)} ${ticker} $${String(basis)} ${origin}`,
    ),
    disposals,
    unexplained: unexplained.map(({ ticker, quantity }) => `${String(quantity)} ${ticker}`),
    otherFees: String(otherFees),
  }
}

describe('fees', () => {
  it('are in the basis of a purchase and out of the proceeds of a sale, by the instant of the trade', () => {
    const trades = [trade('2026-01-05', 'buy', '10', '10'), trade('2026-02-03', 'sell', '10', '12')]
    const fees = [
      cash('2026-01-05', 'FEE', '-1', { bookedAt: at('2026-01-05') }),
      cash('2026-02-03', 'FEE', '-2', { bookedAt: at('2026-02-03') }),
    ]
    const { disposals, otherFees } = lotsOf([...trades, ...fees], [])
    expect(disposals).toMatchObject([{ basis: decimal(101), proceeds: decimal(118), gain: decimal(17) }])
    expect(otherFees).toBe('0')
  })

  it('of a day without a ticker are divided among its sales, to the cent; those of no trade are told', () => {
    const trades = [
      trade('2026-01-05', 'buy', '3', '10'),
      trade('2026-02-03', 'sell', '1', '10'),
      trade('2026-02-03', 'sell', '2', '10'),
    ]
    const fees = [cash('2026-02-04', 'FEE', '-0.1', { ticker: undefined }), cash('2026-05-04', 'FEE', '-5')]
    const { disposals, otherFees } = lotsOf([...trades, ...fees], [])
    expect(disposals.map(({ proceeds }) => String(proceeds))).toEqual(['9.97', '19.93'])
    expect(otherFees).toBe('5')
  })

  it('taken in the coin make the coins that are left dearer, listed or not yet', () => {
    const bought = trade('2026-01-05', 'buy', '1', '1000', 'BTC-USD')
    const fee = cash('2026-01-05', 'CFEE', '-2.5', { ticker: 'BTC-USD', quantity: decimal('-0.0025') })
    for (const activities of [[bought, fee], [bought]]) {
      const { lots, unexplained } = lotsOf(activities, [held('0.9975', '1000', 'BTC-USD')])
      expect(lots).toEqual(['0.9975 BTC-USD $1000 trade'])
      expect(unexplained).toEqual([])
    }
  })
})

describe('shares that moved without a trade', () => {
  it('a split comes before the trades of its day and keeps the cost', () => {
    const activities = [
      trade('2026-01-05', 'buy', '10', '10'),
      trade('2026-03-02', 'sell', '10', '6'),
      cash('2026-03-02', 'SPLIT', '0', { quantity: decimal(10) }),
    ]
    const { lots, disposals } = lotsOf(activities, [held('10', '5')])
    expect(lots).toEqual(['10 XYZ $50 trade'])
    expect(String(sumOf(disposals).gain)).toBe('10')
  })

  it('a split as old shares out and new ones in, and a dividend in shares, are the same', () => {
    const bought = trade('2026-01-05', 'buy', '10', '10')
    const outAndIn = [
      cash('2026-03-02', 'REORG', '0', { quantity: decimal(-10) }),
      cash('2026-03-02', 'REORG', '0', { quantity: decimal(2) }),
    ]
    expect(lotsOf([bought, ...outAndIn], [held('2', '50')]).lots).toEqual(['2 XYZ $100 trade'])
    const dividend = cash('2026-03-02', 'DIV', '0', { quantity: decimal(1) })
    expect(lotsOf([bought, dividend], [held('11')]).lots).toEqual(['11 XYZ $100 trade'])
  })

  it('a merger for shares keeps cost and time, one for cash is a sale', () => {
    const bought = trade('2026-01-05', 'buy', '10', '10')
    const out = cash('2026-03-02', 'MA', '0', { quantity: decimal(-10) })
    const into = cash('2026-03-02', 'MA', '0', { ticker: 'NEW', quantity: decimal(4) })
    expect(lotsOf([bought, out, into], [held('4', '25', 'NEW')]).lots).toEqual(['4 NEW $100 trade'])
    for (const paid of [[out, cash('2026-03-02', 'MA', '150')], [{ ...out, netAmount: decimal(150) }]]) {
      const { lots, disposals } = lotsOf([bought, ...paid], [])
      expect(lots).toEqual([])
      expect(disposals).toMatchObject([{ proceeds: decimal(150), basis: decimal(100), gain: decimal(50) }])
    }
  })

  it('transfers bring a lot at the broker’s average price, and take one without a gain', () => {
    const into = cash('2026-02-02', 'ACATS', '120', { quantity: decimal(10) })
    expect(lotsOf([into], [held('10', '9')]).lots).toEqual(['10 XYZ $90 transfer'])
    const out = cash('2026-03-02', 'JNLS', '-50', { quantity: decimal(-4) })
    const { lots, disposals } = lotsOf([into, out], [held('6', '9')])
    expect(lots).toEqual(['6 XYZ $54 transfer'])
    expect(disposals).toEqual([])
  })
})

describe('what the broker holds', () => {
  it('beyond its list was held before, at its average price as of then', () => {
    const activities = [
      cash('2026-02-02', 'SPLIT', '0', { quantity: decimal(10) }),
      trade('2026-03-02', 'buy', '5', '8'),
    ]
    const { lots } = lotsOf(activities, [held('25', '6')])
    expect(lots).toEqual(['20 XYZ $120 before', '5 XYZ $40 trade'])
  })

  it('sold since without a known price has no basis, and is in no sum', () => {
    const { disposals } = lotsOf([trade('2026-03-02', 'sell', '5', '8')], [])
    expect(disposals).toMatchObject([{ origin: 'unknown', proceeds: decimal(40) }])
  })

  it('less than its list is told, and the lots agree with it', () => {
    const { lots, unexplained } = lotsOf([trade('2026-03-02', 'buy', '5', '8')], [held('3')])
    expect(lots).toEqual(['3 XYZ $24 trade'])
    expect(unexplained).toEqual(['2 XYZ'])
  })
})
