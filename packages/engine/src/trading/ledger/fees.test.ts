import { Decimal } from '@tradewright/core/decimal'
import { dateOf, DAY, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import type { CashActivity } from '../account-activity.ts'
import { emptyBooks } from './books.ts'
import { cashActivityEntries } from './broker-entries.ts'
import { type Entry, imbalance, type Party, partyOf } from './entry.ts'
import type { PartyTrade } from './fees.ts'
import { movementEntries, purchasesBehindCoinFee, unlistedCoinFee } from './movements.ts'

const decimal = (text: string) => Decimal.parse(text)
const day = dateOf('2026-03-04')
const at = day * DAY + 15 * HOUR
let executions = 0

const trade = (party: Party, side: 'buy' | 'sell', more: Partial<PartyTrade> = {}): PartyTrade => ({
  party,
  executionId: `e${++executions}`,
  ticker: 'BTC-USD',
  side,
  quantity: decimal('1'),
  value: decimal('1000'),
  fee: Decimal.zero,
  at,
  ...more,
})

const activity = (more: Partial<CashActivity> = {}): CashActivity => ({
  kind: 'cash',
  id: 'a1',
  at: (day + 1) * DAY,
  day,
  type: 'CFEE',
  netAmount: decimal('-2.50'),
  description: '',
  ticker: 'BTC-USD',
  ...more,
})

const told = (entries: readonly Entry[]) =>
  entries.map(({ type, legs, direction }) => {
    expect(imbalance(legs).size).toBe(0)
    const own = legs.find(({ party }) => party !== 'market')!
    return `${type} ${direction} ${own.party} ${String(own.amount)} ${own.asset}`
  })

describe('a fee in dollars', () => {
  it('is paid by the sellers, in proportion', () => {
    const trades = [
      trade(partyOf(1), 'sell', { value: decimal('3000') }),
      trade(partyOf(2), 'sell'),
      trade(partyOf(3), 'buy'),
      trade(partyOf(4), 'sell', { ticker: 'ETH-USD' }),
    ]
    expect(told(cashActivityEntries(emptyBooks, activity(), trades))).toEqual([
      'FEE out deployment:1 -1.88 USD',
      'FEE out deployment:2 -0.62 USD',
    ])
  })

  it('of no known trade is the account’s own', () => {
    expect(told(cashActivityEntries(emptyBooks, activity({ type: 'FEE', ticker: undefined }), []))).toEqual([
      'EXTERNAL_FLOW out unallocated -2.5 USD',
    ])
  })

  it('that the execution itself has brought is not charged a second time', () => {
    const paid = trade(partyOf(1), 'sell', { fee: decimal('2.5') })
    expect(cashActivityEntries(emptyBooks, activity({ type: 'FEE', at }), [paid])).toEqual([])
  })
})

describe('a fee that is taken in the coin', () => {
  const taken = activity({ netAmount: decimal('-2.5'), quantity: decimal('-0.0025') })
  const difference = { ticker: 'BTC-USD', broker: decimal('0.9975'), books: decimal('1') }

  it('moves no cash', () => {
    expect(cashActivityEntries(emptyBooks, taken, [trade(partyOf(1), 'buy')])).toEqual([])
  })

  it('is paid in the coin by the buyers, where the broker’s position shows it', () => {
    const [entry, ...others] = movementEntries(difference, [taken], [trade(partyOf(1), 'buy')])
    expect(told([entry!])).toEqual(['FEE out deployment:1 -0.0025 BTC-USD'])
    expect(String(entry!.amount)).toBe('2.5')
    expect(others).toEqual([])
  })

  it('explains nothing where the books know it already', () => {
    const none = { ...difference, books: difference.broker }
    expect(movementEntries(none, [taken], [trade(partyOf(1), 'buy')])).toEqual([])
  })

  it('is believed before it is listed, as far as a fee of what was bought can go', () => {
    const bought = [trade(partyOf(1), 'buy', { quantity: decimal('0.3') }), trade(partyOf(2), 'buy')]
    const purchases = purchasesBehindCoinFee(difference, [...bought, trade(partyOf(3), 'sell')])
    expect(purchases).toEqual(bought)
    expect(told(unlistedCoinFee(difference, purchases, decimal('1000'), at))).toEqual([
      'FEE out deployment:1 -0.000576923 BTC-USD',
      'FEE out deployment:2 -0.001923077 BTC-USD',
    ])
    expect(purchasesBehindCoinFee({ ...difference, broker: decimal('0.99') }, bought)).toEqual([])
    expect(purchasesBehindCoinFee({ ...difference, broker: decimal('1.001') }, bought)).toEqual([])
    expect(purchasesBehindCoinFee({ ...difference, ticker: 'SPY' }, bought)).toEqual([])
  })
})

describe('shares that are transferred', () => {
  const journal = activity({ type: 'JNLS', ticker: 'SPY', quantity: decimal('10'), netAmount: decimal('4000') })

  it('are unallocated at first, and bring no cash', () => {
    const difference = { ticker: 'SPY', broker: decimal('12'), books: decimal('2') }
    expect(told(movementEntries(difference, [journal], []))).toEqual(['EXTERNAL_FLOW in unallocated 10 SPY'])
    expect(cashActivityEntries(emptyBooks, journal)).toEqual([])
  })

  it('explain only what they can: another direction, less, or a split stays unexplained', () => {
    expect(movementEntries({ ticker: 'SPY', broker: decimal('2'), books: decimal('12') }, [journal], [])).toEqual([])
    expect(movementEntries({ ticker: 'SPY', broker: decimal('9'), books: decimal('0') }, [journal], [])).toEqual([])
    const split = { ...journal, type: 'SPLIT' }
    expect(movementEntries({ ticker: 'SPY', broker: decimal('12'), books: decimal('2') }, [split], [])).toEqual([])
  })
})
