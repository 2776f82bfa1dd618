import { Decimal } from '@tradewright/core/decimal'
import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { accountTotal, type Books, emptyBooks, post, sliceOf, sliceOfDeployment } from '../trading/ledger/books.ts'
import { partyOf, transfer, USD } from '../trading/ledger/entry.ts'
import { nettingEntries } from '../trading/ledger/netting-entries.ts'
import { netTrades, type NettingParty } from './netting.ts'

const decimal = (text: string) => Decimal.parse(text)
const prices: Record<string, string> = { SPY: '400', TLT: '90', ODD: '33.33' }
const rules = {
  priceOf: (ticker: string) => (prices[ticker] === undefined ? undefined : decimal(prices[ticker])),
  inSteps: (ticker: string, quantity: Decimal) =>
    ticker === 'ODD' ? Decimal.fromNumber(Math.floor(quantity.toNumber())) : quantity,
}
const wishes = (of: Record<string, string>) =>
  Object.entries(of).map(([ticker, quantity]) => ({ ticker, quantity: decimal(quantity) }))
const party = (
  deploymentId: number,
  cash: string,
  sales: Record<string, string>,
  purchases: Record<string, string>,
): NettingParty => ({ deploymentId, cash: decimal(cash), sales: wishes(sales), purchases: wishes(purchases) })
const told = (parties: readonly NettingParty[]) =>
  netTrades(parties, rules).map(
    ({ seller, buyer, quantity, ticker, price }) =>
      `${seller} to ${buyer}: ${String(quantity)} ${ticker} at ${String(price)}`,
  )

describe('trades between deployments of one account', () => {
  it('are as much as one sells and the other buys', () => {
    expect(told([party(1, '0', { SPY: '10' }, {}), party(2, '10000', {}, { SPY: '4.5', TLT: '10' })])).toEqual([
      '1 to 2: 4.5 SPY at 400',
    ])
    expect(told([party(1, '0', { SPY: '3' }, {}), party(2, '10000', {}, { SPY: '4.5' })])).toEqual([
      '1 to 2: 3 SPY at 400',
    ])
  })

  it('let two fully invested ones swap', () => {
    expect(told([party(1, '0', { SPY: '9' }, { TLT: '40' }), party(2, '0', { TLT: '40' }, { SPY: '9' })])).toEqual([
      '1 to 2: 9 SPY at 400',
      '2 to 1: 40 TLT at 90',
    ])
  })

  it('are no more than the buyer can pay', () => {
    const [one] = netTrades([party(1, '0', { SPY: '10' }, {}), party(2, '400', {}, { SPY: '10' })], rules)
    expect(one!.quantity.toNumber()).toBeCloseTo(1, 8)
    expect(told([party(1, '0', { SPY: '10' }, {}), party(2, '-5', {}, { SPY: '10' })])).toEqual([])
  })

  it('are of whole shares where there are no fractions, of more than a dollar, and of what has a price', () => {
    expect(told([party(1, '0', { ODD: '3' }, {}), party(2, '90', {}, { ODD: '3' })])).toEqual([
      '1 to 2: 2 ODD at 33.33',
    ])
    expect(told([party(1, '0', { SPY: '0.002' }, {}), party(2, '90', {}, { SPY: '1' })])).toEqual([])
    expect(told([party(1, '0', { NONE: '2' }, {}), party(2, '90', {}, { NONE: '1' })])).toEqual([])
  })

  it('leave no deployment in debt or with more than it asked for, and move nothing in or out of the account', () => {
    const random = new Random(7)
    const amount = (most: number) => String(random.below(most * 100) / 100)
    for (let i = 0; i < 300; i++) {
      const parties = Array.from({ length: 2 + random.below(5) }, (_, id) => {
        const [sold, bought] = random.below(2) === 0 ? ['SPY', 'TLT'] : ['TLT', 'SPY']
        return party(
          id + 1,
          amount(500),
          { [sold]: amount(20) },
          { [bought]: amount(60), ODD: String(random.below(9)) },
        )
      })
      let books: Books = emptyBooks
      for (const { deploymentId, cash, sales } of parties) {
        const own = partyOf(deploymentId)
        const legs = [
          ...transfer('market', own, USD, cash),
          ...sales.flatMap(({ ticker, quantity }) => transfer('market', own, ticker, quantity)),
        ]
        books = post(books, { key: own, legs })
      }
      const before = accountTotal(books)
      const rest = sliceOf(books, 'unallocated')
      for (const [n, trade] of netTrades(parties, rules).entries()) {
        for (const entry of nettingEntries(trade, { key: `net:${n}`, at: 0 })) books = post(books, entry)
      }
      expect(accountTotal(books)).toEqual(before)
      expect(sliceOf(books, 'unallocated').cash).toEqual(rest.cash)
      for (const { deploymentId, purchases } of parties) {
        const { cash, positions } = sliceOfDeployment(books, deploymentId)
        expect(cash.isNegative).toBe(false)
        for (const [, quantity] of positions) expect(quantity.isNegative).toBe(false)
        for (const { ticker, quantity } of purchases) {
          expect(quantity.isBelow(positions.get(ticker) ?? Decimal.zero)).toBe(false)
        }
      }
    }
  })
})
