import { Decimal } from '@tradewright/core/decimal'
import { Random } from '@tradewright/core/random'
import { dateOf, DAY, dayStamp, formatDate, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import type { AccountActivity, CashActivity } from '../account-activity.ts'
import { LOT_METHODS } from './lot.ts'
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

describe('activities that the broker took back', () => {
  it('count no longer: a cancelled split, and a dividend in shares that another one replaces', () => {
    const bought = trade('2026-01-05', 'buy', '10', '10')
    const cancelled = cash('2026-03-02', 'SPLIT', '0', { quantity: decimal(10), state: 'canceled' })
    const wrong = cash('2026-03-03', 'DIV', '0', { quantity: decimal(5) })
    const right = cash('2026-03-03', 'DIV', '0', { quantity: decimal(1), state: 'corrected', replaces: wrong.id })
    const { lots, unexplained } = lotsOf([bought, cancelled, right, wrong], [held('11')])
    expect(lots).toEqual(['11 XYZ $100 trade'])
    expect(unexplained).toEqual([])
  })

  it('a fee that was cancelled is in no basis', () => {
    const bought = trade('2026-01-05', 'buy', '10', '10')
    const fee = cash('2026-01-05', 'FEE', '-1', { bookedAt: at('2026-01-05'), state: 'canceled' })
    expect(lotsOf([bought, fee], [held('10')]).lots).toEqual(['10 XYZ $100 trade'])
  })
})

describe('corporate actions', () => {
  const old = trade('2024-01-05', 'buy', '10', '10')
  const opened = (activities: readonly AccountActivity[], positions: readonly HeldPosition[]) => {
    const { events } = accountLotEvents(activities, positions, today)
    return taxLots(events, { method: 'fifo' })
  }
  const moved = (type: string, ticker: string, quantity: string, more: Partial<CashActivity> = {}) =>
    cash('2026-03-02', type, '0', { ticker, quantity: decimal(quantity), ...more })

  it.each(['SC', 'NC', 'MA'])('%s: new shares for old ones keep basis and date', (type) => {
    const { lots, disposals } = opened(
      [old, moved(type, 'XYZ', '-10'), moved(type, 'NEW', '5')],
      [held('5', '1', 'NEW')],
    )
    expect(lots).toMatchObject([
      { ticker: 'NEW', quantity: decimal(5), basis: decimal(100), openedOn: dateOf('2024-01-05'), origin: 'trade' },
    ])
    expect(disposals).toEqual([])
    const sale = trade('2026-04-01', 'sell', '5', '30', 'NEW')
    const sold = opened([old, moved(type, 'XYZ', '-10'), moved(type, 'NEW', '5'), sale], [])
    expect(sold.disposals).toMatchObject([{ gain: decimal(50), term: 'long', openedOn: dateOf('2024-01-05') }])
  })

  it.each([
    ['NC', '100'],
    ['MA', '0'],
  ])('%s: shares that are bought under the new name wash $%s of a loss under the old one', (type, disallowed) => {
    // 20 for $400, half of them sold for $100, a loss of $100; the other half gets another name, one for two.
    const { disposals, lots } = opened(
      [
        trade('2025-01-06', 'buy', '20', '20'),
        trade('2026-02-20', 'sell', '10', '10'),
        moved(type, 'XYZ', '-10'),
        moved(type, 'NEW', '5'),
        trade('2026-03-10', 'buy', '8', '21', 'NEW'),
      ],
      [held('13', '30', 'NEW')],
    )
    expect(disposals.map((one) => String(one.disallowed))).toEqual([disallowed])
    // Five of the eight stand for the ten that were sold.
    const bought = lots.filter(({ openedOn }) => openedOn === dateOf('2026-03-10'))
    expect(bought.map(({ quantity, basis }) => `${String(quantity)} $${String(basis)}`)).toEqual(
      type === 'NC' ? ['5 $205', '3 $63'] : ['8 $168'],
    )
  })

  it('a split between a loss and the purchase that washes it counts for both', () => {
    // A loss of $100 on 10 of 20; the rest is split two for one; 12 of the new ones stand for 6 of the old.
    const { disposals } = opened(
      [
        trade('2025-01-06', 'buy', '20', '20'),
        trade('2026-02-20', 'sell', '10', '10'),
        moved('SPLIT', 'XYZ', '10'),
        trade('2026-03-10', 'buy', '12', '5'),
      ],
      [held('32', '10')],
    )
    expect(disposals.map(({ disallowed, gain }) => [String(disallowed), String(gain)])).toEqual([['60', '-40']])
  })

  it('two mergers of a day are told apart by the broker’s groups, or by the names in their words', () => {
    const other = trade('2025-01-06', 'buy', '4', '50', 'ABC')
    const groups = [{ group: 'one' }, { group: 'two' }]
    const words = [{ description: 'Target Symbol: NEW, Initiating Symbol: XYZ' }, { description: 'ABC into DEF' }]
    for (const [first, second] of [groups, words]) {
      const parts = [
        moved('MA', 'XYZ', '-10', first),
        moved('MA', 'ABC', '-4', second),
        moved('MA', 'DEF', '8', second),
        moved('MA', 'NEW', '5', first),
      ]
      expect(lotsOf([old, other, ...parts], [held('5', '1', 'NEW'), held('8', '1', 'DEF')]).lots).toEqual([
        '8 DEF $200 trade',
        '5 NEW $100 trade',
      ])
    }
  })

  it('money beside new shares lowers their basis, and money for a fraction as well', () => {
    const merger = [moved('MA', 'XYZ', '-10', { netAmount: decimal(30) }), moved('MA', 'NEW', '5')]
    expect(lotsOf([old, ...merger], [held('5', '1', 'NEW')]).lots).toEqual(['5 NEW $70 trade'])
    const split = [moved('SPLIT', 'XYZ', '-10'), moved('SPLIT', 'XYZ', '3'), cash('2026-03-03', 'SPLIT', '2.5')]
    expect(lotsOf([old, ...split], [held('3')]).lots).toEqual(['3 XYZ $97.5 trade'])
  })

  it('a cash-out is a sale, and so is the removal of worthless shares', () => {
    const paid = moved('MA', 'XYZ', '-10', { netAmount: decimal(150) })
    expect(opened([old, paid], []).disposals).toMatchObject([
      { proceeds: decimal(150), gain: decimal(50), term: 'long' },
    ])
    const worthless = moved('REORG', 'XYZ', '-10', { description: 'Worthless Removal - XYZ' })
    expect(opened([old, worthless], []).disposals).toMatchObject([{ proceeds: decimal(0), gain: decimal(-100) }])
  })

  it('a spin-off leaves the basis with the parent: that of the new shares is not known, their time is the parent’s', () => {
    const words = { description: 'Target Symbol: NEW, Initiating Symbol: XYZ' }
    const spun = moved('SPIN', 'NEW', '2', words)
    const positions = [held('10'), held('2', '7', 'NEW')]
    const { lots } = opened([old, spun], positions)
    expect(lots).toMatchObject([
      { ticker: 'NEW', quantity: decimal(2), basis: decimal(0), origin: 'unknown', heldSince: dateOf('2024-01-05') },
      { ticker: 'XYZ', quantity: decimal(10), basis: decimal(100), origin: 'trade' },
    ])
    expect(lotsOf([old, moved('SPIN', 'NEW', '2')], positions).lots[0]).toBe('2 NEW $0 unknown')
    const sold = opened([old, spun, trade('2026-04-01', 'sell', '2', '9', 'NEW')], [held('10')])
    expect(sold.disposals).toMatchObject([{ ticker: 'NEW', origin: 'unknown' }])
  })

  it('a spin-off and a split of the day that shares get another name are of the new ones', () => {
    const day = [
      moved('SPIN', 'KID', '1', { description: 'KID of NEW' }),
      moved('SPLIT', 'NEW', '10'),
      moved('NC', 'XYZ', '-10'),
      moved('NC', 'NEW', '10'),
    ]
    const { lots } = opened([old, ...day], [held('20', '5', 'NEW'), held('1', '1', 'KID')])
    expect(lots).toMatchObject([
      { ticker: 'KID', origin: 'unknown', heldSince: dateOf('2024-01-05') },
      { ticker: 'NEW', quantity: decimal(20), basis: decimal(100) },
    ])
  })

  it('one share for shares of two companies keeps the basis with the first', () => {
    const parts = ['-10 XYZ', '5 AAA', '2 BBB']
      .map((text) => text.split(' '))
      .map(([quantity, ticker]) => moved('REORG', ticker!, quantity!, { group: 'g' }))
    expect(lotsOf([old, ...parts], [held('5', '1', 'AAA'), held('2', '1', 'BBB')]).lots).toEqual([
      '5 AAA $100 trade',
      '2 BBB $0 unknown',
    ])
  })

  it('a split without a number is what the position shows', () => {
    const split = cash('2026-03-02', 'SPLIT', '0')
    const later = trade('2026-04-01', 'buy', '5', '6')
    expect(lotsOf([old, split, later], [held('25', '5')]).lots).toEqual(['20 XYZ $100 trade', '5 XYZ $30 trade'])
  })

  it('earlier shares that got another name are at the broker’s average price of the new ones', () => {
    const change = [moved('SC', 'XYZ', '-10'), moved('SC', 'NEW', '5')]
    expect(lotsOf(change, [held('5', '20', 'NEW')]).lots).toEqual(['5 NEW $100 before'])
  })

  it('a short position keeps what it brought under a new name', () => {
    const short = trade('2026-01-05', 'sell', '10', '10')
    const change = [moved('SC', 'XYZ', '10'), moved('SC', 'NEW', '-10')]
    expect(lotsOf([short, ...change], [held('-10', '10', 'NEW')]).lots).toEqual(['-10 NEW $-100 trade'])
  })
})

describe('options', () => {
  const CALL = 'XYZ260320C00012000'
  const PUT = 'XYZ260320P00008000'
  const bought = trade('2024-01-05', 'buy', '100', '10')
  const ended = (type: string, ticker: string, quantity: string, netAmount = '0') =>
    cash('2026-03-20', type, netAmount, { ticker, quantity: decimal(quantity) })

  it('a call that was written and assigned sells the shares for its price and the premium', () => {
    const written = trade('2026-02-02', 'sell', '1', '150', CALL)
    const assigned = [ended('OPASN', CALL, '1'), ended('OPTRD', 'XYZ', '-100', '1200')]
    const { lots, disposals } = lotsOf([bought, written, ...assigned], [])
    expect(lots).toEqual([])
    expect(disposals).toMatchObject([{ ticker: 'XYZ', proceeds: decimal(1350), gain: decimal(350), term: 'long' }])
  })

  it('a put that was written and assigned buys them for its price less the premium', () => {
    const written = trade('2026-02-02', 'sell', '1', '60', PUT)
    const assigned = [ended('OPASN', PUT, '1'), ended('OPTRD', 'XYZ', '100', '-800')]
    expect(lotsOf([written, ...assigned], [held('100', '8')]).lots).toEqual(['100 XYZ $740 trade'])
  })

  it('a call that was held and exercised buys them with the premium, a put sells them less it', () => {
    const call = trade('2026-02-02', 'buy', '1', '60', CALL)
    const exercised = [ended('OPEXC', CALL, '-1'), ended('OPTRD', 'XYZ', '100', '-1200')]
    expect(lotsOf([call, ...exercised], [held('100')]).lots).toEqual(['100 XYZ $1260 trade'])
    const put = trade('2026-02-02', 'buy', '1', '60', PUT)
    const delivered = [ended('OPEXC', PUT, '-1'), ended('OPTRD', 'XYZ', '-100', '800')]
    expect(lotsOf([bought, put, ...delivered], []).disposals).toMatchObject([
      { ticker: 'XYZ', proceeds: decimal(740), gain: decimal(-260) },
    ])
  })

  it('expired, it is a loss of the premium, or a gain; settled in cash, it is a sale', () => {
    const put = trade('2026-02-02', 'buy', '1', '60', PUT)
    expect(lotsOf([put, ended('OPEXP', PUT, '-1')], []).disposals).toMatchObject([{ gain: decimal(-60) }])
    expect(lotsOf([put, ended('OPCSH', PUT, '-1', '90')], []).disposals).toMatchObject([{ gain: decimal(30) }])
    const written = trade('2026-02-02', 'sell', '1', '60', CALL)
    const { lots, disposals } = lotsOf([written, ended('OPEXP', CALL, '1')], [])
    expect(lots).toEqual([])
    expect(disposals).toMatchObject([{ gain: decimal(60) }])
  })
})

describe('any history with corporate actions', () => {
  it('has lots that add up to the positions, and no cost that is lost or invented', () => {
    for (let seed = 0; seed < 60; seed++) {
      const { activities, positions, cash: money } = busyAccount(seed)
      const { events, unexplained } = accountLotEvents(activities, positions, today)
      expect(unexplained).toEqual([])
      expect(events.filter(({ kind }) => kind === 'opening')).toEqual([])
      for (const method of LOT_METHODS) {
        const { lots, disposals } = taxLots(events, { method })
        const sums = new Map<string, Decimal>()
        for (const { ticker, quantity } of lots) sums.set(ticker, (sums.get(ticker) ?? Decimal.zero).plus(quantity))
        expect(texts(sums), `${seed} ${method}`).toEqual(
          texts(positions.map(({ ticker, quantity }) => [ticker, quantity])),
        )
        const basis = lots.reduce((sum, lot) => sum.plus(lot.basis), Decimal.zero)
        expect(String(sumOf(disposals).gain.minus(basis)), `${seed} ${method}`).toBe(String(money))
        for (const lot of lots) if (lot.origin === 'unknown') expect(lot.basis).toEqual(Decimal.zero)
      }
    }
  })

  const texts = (some: Iterable<readonly [string, Decimal]>) =>
    Object.fromEntries([...some].map(([ticker, quantity]) => [ticker, String(quantity)]))

  /** Purchases and sales with awkward fractions, and an action of each kind every few days. */
  function busyAccount(seed: number) {
    const random = new Random(seed)
    const activities: AccountActivity[] = []
    const shares = new Map<string, Decimal>([['AAA', Decimal.zero]])
    let money = Decimal.zero
    let day = dateOf('2022-01-03')
    let names = 0
    const part = (most: number) => new Decimal(BigInt(1 + random.below(most)))
    const change = (ticker: string, quantity: Decimal) => {
      const left = (shares.get(ticker) ?? Decimal.zero).plus(quantity)
      if (left.isZero) shares.delete(ticker)
      else shares.set(ticker, left)
    }
    const act = (type: string, parts: readonly (readonly [string, Decimal])[], paid = Decimal.zero) => {
      const description = parts.map(([ticker]) => ticker).join(' ')
      for (const [i, [ticker, quantity]] of parts.entries()) {
        const own = { ticker, quantity, description, netAmount: i === 0 ? paid : Decimal.zero }
        activities.push(cash(formatDate(day), type, '0', own))
        change(ticker, quantity)
      }
      money = money.plus(paid)
    }
    for (let i = 0; i < 100; i++) {
      day += 1 + random.below(12)
      const held = [...shares].filter(([, quantity]) => quantity.isPositive)
      const [ticker, have] = held[random.below(Math.max(1, held.length))] ?? ['AAA', Decimal.zero]
      const kind = have.isPositive ? random.below(14) : 13
      const fresh = `N${String.fromCharCode(65 + (Math.floor(names / 26) % 26), 65 + (names % 26))}`
      if (kind < 6) names += 1
      if (kind === 0) act('SPLIT', [[ticker, have.times(decimal('0.5')).plus(part(3))]])
      else if (kind === 1)
        act('SC', [
          [ticker, have.negated()],
          [fresh, have],
        ])
      else if (kind === 2)
        act('MA', [
          [ticker, have.negated()],
          [fresh, have.times(decimal('0.333333333')).plus(part(5))],
        ])
      else if (kind === 3) act('DIV', [[ticker, have.times(decimal('0.03')).plus(part(3))]])
      else if (kind === 4) act('MA', [[ticker, have.negated()]], part(4_000_000_000))
      else if (kind === 5) {
        activities.push(
          cash(formatDate(day), 'SPIN', '0', {
            ticker: fresh,
            quantity: have,
            description: `${fresh} of ${ticker}`,
            state: 'canceled',
          }),
          cash(formatDate(day), 'SPLIT', '0', { ticker, quantity: have, state: 'canceled' }),
        )
      } else {
        const side = kind < 9 ? ('sell' as const) : ('buy' as const)
        const quantity = side === 'sell' ? have.times(decimal('0.4')).plus(part(1)) : part(4_000_000_000)
        const taken = side === 'sell' && have.isBelow(quantity) ? have : quantity
        const price = part(4_000_000_000)
        activities.push(trade(formatDate(day), side, String(taken), String(price), ticker))
        change(ticker, side === 'sell' ? taken.negated() : taken)
        const value = taken.times(price)
        money = side === 'sell' ? money.plus(value) : money.minus(value)
      }
    }
    const positions = [...shares].filter(([, quantity]) => !quantity.isZero)
    return {
      activities,
      positions: positions.map(([ticker, quantity]) => ({ ticker, quantity, averageEntryPrice: decimal(1) })),
      cash: money,
    }
  }
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
