import { Decimal } from '@tradewright/core/decimal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fill } from '../broker.ts'
import { accountTotal, type Books, emptyBooks, post, sliceOf, sliceOfDeployment, valueOf } from './books.ts'
import { cashActivityEntries, fillEntries, openingEntry } from './broker-entries.ts'
import {
  contribution,
  disallocation,
  percentRebalance,
  positionContribution,
  release,
  withdrawal,
} from './capital-entries.ts'
import { acceptanceEntries } from './acceptance.ts'
import { compareWithBroker } from './compare.ts'
import { cashCorrection, overdraftCorrection, positionCorrection, splitEntries } from './corrections.ts'
import { type Entry, imbalance, partyOf } from './entry.ts'
import { flowEntry } from './flow-entry.ts'

const decimal = (text: string | number) => Decimal.parse(String(text))
const TICKERS = ['SPY', 'TLT', 'BTC-USD']
const priceOf = () => decimal('123.456')

/** An account at a broker, moved by its own arithmetic, beside the books that must follow it. */
class World {
  books: Books = emptyBooks
  cash = decimal('100000')
  positions = new Map<string, Decimal>([['SPY', decimal('10.5')]])
  entries = 0

  constructor() {
    this.post([openingEntry(0, { cash: this.cash, positions: this.positions })])
  }

  post(entries: readonly Entry[]): void {
    for (const entry of entries) {
      expect(imbalance(entry.legs).size).toBe(0)
      this.books = post(this.books, entry)
      this.entries++
    }
  }

  key(): string {
    return `key-${this.entries}`
  }

  head(deploymentId: number) {
    return { key: this.key(), at: 0, deploymentId }
  }

  trade(
    deploymentId: number | undefined,
    side: 'buy' | 'sell',
    ticker: string,
    quantity: Decimal,
    price: Decimal,
  ): void {
    const fee = decimal('0.013')
    const fill: Fill = {
      executionId: this.key(),
      orderId: '',
      clientOrderId: '',
      ticker,
      side,
      quantity,
      price,
      fee,
      at: 0,
    }
    const signed = side === 'buy' ? quantity : quantity.negated()
    this.cash = this.cash.minus(signed.times(price)).minus(fee)
    this.hold(ticker, (this.positions.get(ticker) ?? Decimal.zero).plus(signed))
    this.post(fillEntries(fill, deploymentId))
  }

  hold(ticker: string, quantity: Decimal): void {
    if (quantity.isZero) this.positions.delete(ticker)
    else this.positions.set(ticker, quantity)
  }
}

type Step = { kind: number; deployment: number; ticker: string; amount: number; price: number }

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.integer({ min: 0, max: 11 }),
  deployment: fc.integer({ min: 1, max: 4 }),
  ticker: fc.constantFrom(...TICKERS),
  amount: fc.integer({ min: 1, max: 9_999_999 }),
  price: fc.integer({ min: 1, max: 99_999 }),
})

/** Expected refusals (not enough cash, too small) change nothing. */
function take(world: World, { kind, deployment, ticker, amount, price }: Step): void {
  const dollars = new Decimal(BigInt(amount) * 10_000_000n)
  const shares = new Decimal(BigInt(amount) * 1_000n)
  const quoted = new Decimal(BigInt(price) * 10_000_000n)
  const own = sliceOfDeployment(world.books, deployment)
  const rest = sliceOf(world.books, 'unallocated')
  const head = world.head(deployment)
  switch (kind) {
    case 0:
      return world.post([contribution(head, dollars, rest.cash)])
    case 1:
      return world.post([withdrawal(head, dollars, own, priceOf)])
    case 2:
      return world.post([disallocation(head, decimal((amount % 100) + 1), own, priceOf)])
    case 3:
    case 4:
      return world.trade(deployment, 'buy', ticker, shares, quoted)
    case 5: {
      const held = own.positions.get(ticker)
      if (held?.isPositive) world.trade(deployment, 'sell', ticker, held.isBelow(shares) ? held : shares, quoted)
      return
    }
    case 6:
      return world.trade(undefined, 'buy', ticker, shares, quoted)
    case 7: {
      world.cash = world.cash.plus(dollars)
      return world.post([flowEntry(world.key(), 0, dollars, 'Deposit')])
    }
    case 8: {
      world.cash = world.cash.plus(quoted)
      const activity = { kind: 'cash' as const, id: world.key(), at: 0, day: 0, type: 'DIV', netAmount: quoted }
      return world.post(cashActivityEntries(world.books, { ...activity, description: '', ticker }))
    }
    case 9: {
      const total = accountTotal(world.books).positions.get(ticker)
      if (!total?.isPositive) return
      const after = total.times(decimal('4'))
      world.hold(ticker, after)
      const difference = { ticker, broker: after, books: total }
      return world.post(splitEntries(world.books, difference, { key: world.key(), at: 0, note: '4 for 1' }))
    }
    case 10: {
      const entry = percentRebalance(head, {
        target: dollars,
        value: valueOf(own, priceOf),
        cash: own.cash,
        available: rest.cash,
      })
      return world.post(entry ? [entry] : [])
    }
    default:
      return world.post(own.positions.size > 0 ? [release(head, own, priceOf)] : [])
  }
}

describe('the ledger', () => {
  it('balances after any interleaving of deployments, fills and flows: slices and the rest are the account', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = new World()
        for (const one of steps) {
          try {
            take(world, one)
          } catch (error) {
            expect(error).toMatchObject({ name: 'Problem' })
          }
          const total = accountTotal(world.books)
          expect(String(total.cash)).toBe(String(world.cash))
          expect(new Map([...total.positions].map(([t, q]) => [t, String(q)]))).toEqual(
            new Map([...world.positions].map(([t, q]) => [t, String(q)])),
          )
          const market = sliceOf(world.books, 'market')
          expect(String(market.cash.negated())).toBe(String(total.cash))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('refuses an entry that makes something from nothing', () => {
    const legs = [{ party: 'unallocated' as const, asset: 'USD', amount: decimal('1') }]
    expect(() => post(emptyBooks, { key: 'x', legs })).toThrow('entry x does not balance: USD 1')
  })

  it('gives a dividend to the holders of the shares, to the cent', () => {
    const world = new World()
    world.post([
      positionContribution(world.head(1), 'SPY', decimal('3.5'), decimal('400')),
      positionContribution({ ...world.head(2), key: 'b' }, 'SPY', decimal('3.5'), decimal('400')),
    ])
    const activity = { kind: 'cash' as const, id: 'd', at: 0, day: 0, type: 'DIV', description: '', ticker: 'SPY' }
    world.post(cashActivityEntries(world.books, { ...activity, netAmount: decimal('0.10') }))
    const parts = [1, 2].map((id) => String(sliceOfDeployment(world.books, id).cash))
    expect(parts).toEqual(['0.03', '0.03'])
    expect(String(sliceOf(world.books, 'unallocated').cash)).toBe('100000.04')
  })

  it('says in the sentences of the form what cannot be moved [LIVE-140] [LIVE-141] [LIVE-142] [LIVE-143] [LIVE-144]', () => {
    const head = { key: 'k', at: 0, deploymentId: 1 }
    const slice = { cash: decimal('250.5'), positions: new Map() }
    expect(() => contribution(head, decimal('0'), decimal('5'))).toThrow('Please enter a positive contribution amount.')
    expect(() => contribution(head, decimal('10'), decimal('9.99'))).toThrow(
      'Contribution exceeds account available capital ($9.99).',
    )
    expect(() => withdrawal(head, decimal('250.51'), slice, priceOf)).toThrow(
      'Withdrawal exceeds available cash ($250.50).',
    )
    for (const pct of ['0', '0.99', '100.01']) {
      expect(() => disallocation(head, decimal(pct), slice, priceOf)).toThrow(
        'Please enter a valid percentage between 1 and 100.',
      )
    }
    expect(() => disallocation(head, decimal('1'), { ...slice, cash: decimal('0.5') }, priceOf)).toThrow(
      'Disallocation amount too small. Current capital may be near zero.',
    )
  })
})

describe('books beside the broker', () => {
  const books = () => {
    const world = new World()
    world.post([
      contribution(world.head(1), decimal('1000'), decimal('100000')),
      positionContribution({ ...world.head(1), key: 'p' }, 'SPY', decimal('10'), decimal('400')),
    ])
    return world
  }

  it('see what differs, and forgive what is less than a cent', () => {
    const { books: own } = books()
    const broker = { cash: decimal('100000.009'), positions: new Map([['SPY', decimal('10.5')]]) }
    expect(compareWithBroker(own, broker)).toEqual({ positions: [], cash: Decimal.zero, overdrawn: [] })
    const other = compareWithBroker(own, { cash: decimal('99000'), positions: new Map([['SPY', decimal('42')]]) })
    expect(String(other.cash)).toBe('-1000')
    expect(other.positions.map(({ ticker, broker: held }) => `${ticker} ${String(held)}`)).toEqual(['SPY 42'])
  })

  it('notice a sale by hand of shares that a deployment owns, and can make it the deployment’s', () => {
    const world = books()
    world.trade(undefined, 'sell', 'SPY', decimal('4.5'), decimal('410'))
    const broker = { cash: world.cash, positions: world.positions }
    expect(compareWithBroker(world.books, broker)).toMatchObject({ positions: [], overdrawn: ['SPY'] })
    world.post(overdraftCorrection(world.books, 'SPY', decimal('410'), { key: 'c', at: 0, note: 'By hand' }))
    expect(compareWithBroker(world.books, broker).overdrawn).toEqual([])
    const slice = sliceOfDeployment(world.books, 1)
    expect([String(slice.cash), String(slice.positions.get('SPY'))]).toEqual(['2640', '6'])
  })

  it('leave a short that was made by hand to the account: deployments that own none of it are not concerned', () => {
    const world = books()
    world.trade(undefined, 'sell', 'TLT', decimal('5'), decimal('90'))
    const broker = { cash: world.cash, positions: world.positions }
    expect(compareWithBroker(world.books, broker)).toEqual({ positions: [], cash: Decimal.zero, overdrawn: [] })
    expect(overdraftCorrection(world.books, 'TLT', decimal('90'), { key: 'c', at: 0, note: '' })).toEqual([])
  })

  it('make no slice negative when more was sold by hand than a deployment owned', () => {
    const world = books()
    world.trade(undefined, 'sell', 'SPY', decimal('15'), decimal('410'))
    const broker = { cash: world.cash, positions: world.positions }
    expect(compareWithBroker(world.books, broker).overdrawn).toEqual(['SPY'])
    world.post(overdraftCorrection(world.books, 'SPY', decimal('410'), { key: 'c', at: 0, note: 'By hand' }))
    expect(compareWithBroker(world.books, broker)).toEqual({ positions: [], cash: Decimal.zero, overdrawn: [] })
    const slice = sliceOfDeployment(world.books, 1)
    expect([String(slice.cash), [...slice.positions]]).toEqual(['5100', []])
    expect(String(sliceOf(world.books, 'unallocated').positions.get('SPY'))).toBe('-4.5')
  })

  it('take money that the account owes from each deployment no more than it has', () => {
    const world = books()
    world.post(cashCorrection(world.books, decimal('-500'), { key: 'c', at: 0, note: 'Taken from the broker' }))
    expect(String(sliceOfDeployment(world.books, 1).cash)).toBe('0')
    expect(String(sliceOf(world.books, 'unallocated').cash)).toBe('-500')
    const short = books()
    short.cash = short.cash.minus(decimal('99200'))
    short.post([flowEntry('f', 0, decimal('-99200'), 'Money moved at the broker')])
    short.post(cashCorrection(short.books, short.cash, { key: 'c', at: 0, note: 'Taken from the broker' }))
    expect(String(sliceOfDeployment(short.books, 1).cash)).toBe('800')
    expect(sliceOf(short.books, 'unallocated').cash.isZero).toBe(true)
  })

  it('once taken from the broker say what it says, and no deployment owns less than nothing, whatever was before', () => {
    const any = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 14n }).map((billionths) => new Decimal(billionths))
    const owned = fc.oneof(
      fc.constant(Decimal.zero),
      any.map((amount) => amount.absolute()),
    )
    const sliceOfAny = (amount: fc.Arbitrary<Decimal>) =>
      fc.record({ cash: amount, SPY: amount, TLT: amount }).map(({ cash, ...held }) => ({
        cash,
        positions: new Map(Object.entries(held).filter(([, quantity]) => !quantity.isZero)),
      }))
    const slices = fc.tuple(sliceOfAny(any), sliceOfAny(owned), sliceOfAny(owned), sliceOfAny(owned))
    fc.assert(
      fc.property(slices, sliceOfAny(any), ([rest, ...own], broker) => {
        let all: Books = new Map([['unallocated', rest], ...own.map((slice, i) => [partyOf(i + 1), slice] as const)])
        const take = (entries: readonly Entry[]) => entries.forEach((entry) => (all = post(all, entry)))
        const on = { key: 'c', at: 0, note: '' }
        const ten = () => decimal('10')
        take(acceptanceEntries(all, broker, { before: ten, now: ten }, on).entries)
        for (const ticker of compareWithBroker(all, broker).overdrawn)
          take(overdraftCorrection(all, ticker, decimal('10'), on))
        take(cashCorrection(all, broker.cash, on))
        const after = compareWithBroker(all, broker)
        expect(after).toEqual({ positions: [], cash: Decimal.zero, overdrawn: [] })
        for (const id of [1, 2, 3]) {
          const { cash, positions } = sliceOfDeployment(all, id)
          expect([cash, ...positions.values()].filter(({ isNegative }) => isNegative)).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })

  it('once taken from the broker make no one long who was short, nor short who was long', () => {
    const any = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 14n }).map((billionths) => new Decimal(billionths))
    const held = any.map((amount) => amount.absolute())
    const without0 = (positions: Record<string, Decimal>) =>
      new Map(Object.entries(positions).filter(([, quantity]) => !quantity.isZero))
    const ofDeployment = (isShort: boolean) =>
      fc.record({ cash: held, SPY: held, TLT: held }).map(({ cash, SPY, TLT }) => ({
        cash,
        positions: without0({ SPY, TLT: isShort ? TLT.negated() : TLT }),
      }))
    const ofAccount = fc.record({ cash: any, SPY: any, TLT: any }).map(({ cash, ...positions }) => ({
      cash,
      positions: without0(positions),
    }))
    const books = fc.boolean().chain((isShort) => fc.tuple(ofAccount, ofDeployment(isShort), ofDeployment(isShort)))
    fc.assert(
      fc.property(books, ofAccount, ([rest, ...own], broker) => {
        let all: Books = new Map([['unallocated', rest], ...own.map((slice, i) => [partyOf(i + 1), slice] as const)])
        const take = (entries: readonly Entry[]) => entries.forEach((entry) => (all = post(all, entry)))
        const on = { key: 'c', at: 0, note: '' }
        const ten = () => decimal('10')
        take(acceptanceEntries(all, broker, { before: ten, now: ten }, on).entries)
        for (const ticker of compareWithBroker(all, broker).overdrawn)
          take(overdraftCorrection(all, ticker, decimal('10'), on))
        take(cashCorrection(all, broker.cash, on))
        expect(compareWithBroker(all, broker)).toEqual({ positions: [], cash: Decimal.zero, overdrawn: [] })
        for (const [i, before] of own.entries()) {
          for (const [ticker, quantity] of sliceOfDeployment(all, i + 1).positions)
            expect(quantity.isNegative).toBe(before.positions.get(ticker)?.isNegative ?? false)
        }
      }),
      { numRuns: 1000, endOnFailure: true },
    )
  })

  it('take the broker’s figures: from the unallocated rest first, then from the deployments', () => {
    const world = books()
    const on = { key: 'c', at: 0, note: 'Taken from the broker' }
    world.post(
      positionCorrection(
        world.books,
        { ticker: 'SPY', broker: decimal('8'), books: decimal('10.5') },
        decimal('400'),
        on,
      ),
    )
    world.post(cashCorrection(world.books, decimal('400'), { ...on, key: 'd' }))
    const slice = sliceOfDeployment(world.books, 1)
    expect([String(slice.positions.get('SPY')), String(slice.cash)]).toEqual(['8', '400'])
    const total = accountTotal(world.books)
    expect([String(total.positions.get('SPY')), String(total.cash)]).toEqual(['8', '400'])
  })
})
