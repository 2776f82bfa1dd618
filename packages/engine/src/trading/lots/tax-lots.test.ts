import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { Random } from '@tradewright/core/random'
import { dateOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { isLongTerm, LOT_METHODS, type LotMethod } from './lot.ts'
import type { LotEvent, TradeEvent } from './lot-event.ts'
import { realisedByYear, sumOf, taxLots } from './tax-lots.ts'

const decimal = (text: string | number) => Decimal.parse(String(text))

function trade(date: string, side: 'buy' | 'sell', quantity: string | number, amount: string | number): TradeEvent {
  const id = `${side} ${date} ${quantity}`
  const shares = { ticker: 'XYZ', day: dateOf(date), side, quantity: decimal(quantity), amount: decimal(amount) }
  return { kind: 'trade', id, orderId: id, ...shares }
}

const fifo = (...events: LotEvent[]) => taxLots(events, { method: 'fifo' })

describe('the worked examples of IRS Publication 550, "Wash Sales"', () => {
  it('Example 1: bought again within 30 days after the sale', () => {
    // 100 shares for $1,000, sold for $750, 100 bought again for $800: the loss of $250 is not deducted but added to the
    // cost of the new shares, whose basis is $1,050. The dates are ours.
    const { lots, disposals } = fifo(
      trade('2025-01-06', 'buy', 100, 1000),
      trade('2025-06-02', 'sell', 100, 750),
      trade('2025-06-20', 'buy', 100, 800),
    )
    expect(disposals).toMatchObject([{ proceeds: decimal(750), basis: decimal(1000), disallowed: decimal(250) }])
    expect(disposals[0]!.gain).toEqual(Decimal.zero)
    expect(lots).toMatchObject([{ quantity: decimal(100), basis: decimal(1050), washAdjustment: decimal(250) }])
    // The 147 days of the old shares are added to the time that the new ones are held.
    expect(formatDate(lots[0]!.heldSince)).toBe('2025-01-24')
  })

  it('Example 2, "More or less stock bought than sold": 100 sold, 50 bought before and 25 after', () => {
    // 100 shares of September 24 for $5,000; December 21: 50 for $2,750; December 28: 25 for $1,125; January 4: the 100
    // sold for $4,000. Of the loss of $1,000, $750 on 75 shares is disallowed and $250 deducted. The 50 shares take two
    // thirds of it (basis $3,250), the 25 shares the rest (basis $1,375). The years are ours.
    const { lots, disposals } = fifo(
      trade('2024-09-24', 'buy', 100, 5000),
      trade('2024-12-21', 'buy', 50, 2750),
      trade('2024-12-28', 'buy', 25, 1125),
      trade('2025-01-04', 'sell', 100, 4000),
    )
    expect(disposals).toMatchObject([{ disallowed: decimal(750), gain: decimal(-250) }])
    expect(disposals[0]!.washes.map(({ quantity, disallowed }) => [String(quantity), String(disallowed)])).toEqual([
      ['50', '500'],
      ['25', '250'],
    ])
    expect(lots.map(({ basis }) => String(basis))).toEqual(['3250', '1375'])
  })
})

describe('wash sales', () => {
  const sold = trade('2025-06-02', 'sell', 100, 750)
  const bought = trade('2025-01-06', 'buy', 100, 1000)

  it.each([
    ['2025-07-02', '250'],
    ['2025-07-03', '0'],
  ])('a purchase on %s disallows %s: 30 days count, the 31st does not', (date, disallowed) => {
    const { disposals } = fifo(bought, sold, trade(date, 'buy', 100, 800))
    expect(String(disposals[0]!.disallowed)).toBe(disallowed)
  })

  it.each([
    ['2025-05-03', '250'],
    ['2025-05-02', '0'],
  ])('shares of %s that are held at the sale disallow %s', (date, disallowed) => {
    const { disposals } = fifo(bought, trade(date, 'buy', 100, 800), sold)
    expect(String(disposals[0]!.disallowed)).toBe(disallowed)
  })

  it('cuts a lot of which only a part replaces what was sold', () => {
    const { lots } = fifo(bought, sold, trade('2025-06-20', 'buy', 130, 1040))
    expect(lots.map(({ quantity, basis }) => [String(quantity), String(basis)])).toEqual([
      ['100', '1050'],
      ['30', '240'],
    ])
    expect(new Set(lots.map(({ id }) => id)).size).toBe(2)
  })

  it('uses a share once, whatever else is sold at a loss', () => {
    const again = [
      trade('2025-06-20', 'buy', 100, 800),
      trade('2025-06-23', 'buy', 50, 400),
      trade('2025-06-24', 'sell', 60, 420),
    ]
    const { disposals } = fifo(bought, sold, ...again)
    // The 60 are of the replacing lot (basis 10.50 each): only the 50 shares of June 23 are free to replace them.
    expect(String(disposals[1]!.washes[0]!.quantity)).toBe('50')
    expect(disposals[1]!.washes).toHaveLength(1)
  })

  it('is no wash sale when the last shares are sold, nor for a part of one order', () => {
    const both = [trade('2025-05-20', 'buy', 100, 1000), trade('2025-05-27', 'buy', 50, 500)]
    expect(fifo(...both, trade('2025-06-02', 'sell', 150, 900)).disposals.map(({ washes }) => washes)).toEqual([[], []])
    // In two executions of the same day, too.
    const parts = [trade('2025-06-02', 'sell', 100, 600), trade('2025-06-02', 'sell', 50, 300)]
    expect(fifo(...both, ...parts).disposals.flatMap(({ washes }) => washes)).toEqual([])
    const half = trade('2025-06-02', 'sell', 40, 300)
    expect(fifo(both[0]!, half).disposals[0]).toMatchObject({ washes: [], gain: decimal(-100) })
  })

  it('is not known of coins, nor of gains', () => {
    const coins = [bought, sold, trade('2025-06-20', 'buy', 100, 800)].map((each) =>
      Object.assign({}, each, { ticker: 'BTC-USD' }),
    )
    expect(fifo(...coins).disposals[0]).toMatchObject({ gain: decimal(-250), washes: [] })
    const gain = fifo(bought, trade('2025-06-02', 'sell', 100, 1500), trade('2025-06-03', 'buy', 100, 1500))
    expect(gain.disposals[0]).toMatchObject({ gain: decimal(500), washes: [] })
  })
})

describe('the choice of lots', () => {
  const purchases = [
    trade('2024-01-02', 'buy', 10, 100),
    trade('2024-02-01', 'buy', 10, 300),
    trade('2024-03-01', 'buy', 10, 200),
  ]
  const sale = trade('2025-03-15', 'sell', 10, 250)

  it.each([
    ['fifo', '150'],
    ['lifo', '50'],
    ['highest-cost', '-50'],
  ] as const)('%s realises %s', (method, gain) => {
    const { disposals } = taxLots([...purchases, sale], { method })
    expect(String(sumOf(disposals).gain)).toBe(gain)
  })

  it('takes the lots that were chosen, and the oldest for the rest', () => {
    const choices = new Map([[sale.id, [{ purchaseId: purchases[2]!.id, quantity: decimal(6) }]]])
    const { disposals, lots } = taxLots([...purchases, sale], { method: 'specific', choices })
    expect(disposals.map(({ purchaseId, quantity }) => [purchaseId, String(quantity)])).toEqual([
      [purchases[2]!.id, '6'],
      [purchases[0]!.id, '4'],
    ])
    expect(lots.map(({ quantity }) => String(quantity))).toEqual(['6', '10', '4'])
    const before = taxLots([...purchases, sale], { method: 'specific', before: sale.id })
    expect(before.lots).toHaveLength(3)
  })
})

it('is long-term from the day after the anniversary on', () => {
  const since = dateOf('2024-03-01')
  expect([dateOf('2025-03-01'), dateOf('2025-03-02')].map((day) => isLongTerm(since, day))).toEqual([false, true])
  expect(isLongTerm(dateOf('2024-02-29'), dateOf('2025-02-28'))).toBe(false)
  expect(isLongTerm(dateOf('2024-02-29'), dateOf('2025-03-01'))).toBe(true)
})

it('sums the years by term, the newest first', () => {
  const { disposals } = fifo(
    trade('2023-01-03', 'buy', 10, 100),
    trade('2024-02-01', 'sell', 4, 60),
    trade('2025-06-02', 'buy', 10, 200),
    trade('2025-09-02', 'sell', 10, 150),
  )
  const years = realisedByYear(disposals).map(({ year, short, long, total }) => [
    year,
    String(short.gain),
    String(long.gain),
    String(total.gain),
  ])
  expect(years).toEqual([
    [2025, '-20', '30', '10'],
    [2024, '0', '20', '20'],
  ])
})

it('a loss of December that is washed in January is no loss of the old year', () => {
  const bought = trade('2024-03-01', 'buy', 100, 1000)
  const sold = trade('2024-12-20', 'sell', 100, 750)
  const again = [trade('2025-01-10', 'buy', 100, 800), trade('2025-06-02', 'sell', 100, 1100)]
  const gainsOf = (...events: LotEvent[]) =>
    realisedByYear(fifo(...events).disposals).map(({ year, total }) => `${year} ${String(total.gain)}`)
  expect(gainsOf(bought, sold)).toEqual(['2024 -250'])
  // The loss lowers the gain of the new shares, a year later: 1100 less 800 and 250.
  expect(gainsOf(bought, sold, ...again)).toEqual(['2025 50', '2024 0'])
})

it('keeps the cost through splits, exchanges and payments of capital', () => {
  const day = dateOf('2025-02-03')
  const { lots } = fifo(
    trade('2025-01-06', 'buy', 3, 300),
    { kind: 'split', ticker: 'XYZ', day, change: decimal(7) },
    { kind: 'return-of-capital', id: 'roc', ticker: 'XYZ', day, amount: decimal(20) },
    {
      kind: 'exchange',
      ticker: 'XYZ',
      day,
      id: 'x',
      quantity: decimal(10),
      into: { ticker: 'NEW', quantity: decimal(4) },
    },
  )
  expect(lots).toMatchObject([
    { ticker: 'NEW', quantity: decimal(4), basis: decimal(280), openedOn: dateOf('2025-01-06') },
  ])
  const excess = fifo(trade('2025-01-06', 'buy', 1, 5), {
    kind: 'return-of-capital',
    id: 'roc',
    ticker: 'XYZ',
    day,
    amount: decimal(8),
  })
  expect(excess.lots[0]!.basis).toEqual(Decimal.zero)
  expect(String(sumOf(excess.disposals).gain)).toBe('3')
})

it('closes shares that were sold short, as a short-term gain', () => {
  const { lots, disposals } = fifo(trade('2023-01-03', 'sell', 10, 100), trade('2025-01-03', 'buy', 15, 120))
  expect(disposals).toMatchObject([{ proceeds: decimal(100), basis: decimal(80), gain: decimal(20), term: 'short' }])
  expect(lots).toMatchObject([{ quantity: decimal(5), basis: decimal(40) }])
})

it.each(LOT_METHODS)('%s: ten thousand wash sales, each share replaced once', (method) => {
  // A share at 10 is sold for 9 and bought again on the same day: all losses but the last are carried on.
  const count = 10_000
  const held = Array.from({ length: count }, (_, i) => i)
  const first = dateOf('2025-01-06')
  const event = (side: 'buy' | 'sell', i: number, day: number, amount: number): LotEvent => {
    const id = `${side}${i}`
    const shares = { ticker: 'XYZ', day, side, quantity: decimal(1), amount: decimal(amount) }
    return { kind: 'trade', id, orderId: id, ...shares }
  }
  const purchases = held.map((i) => event('buy', i, first, 10))
  const rounds = held.flatMap((i) => [
    event('sell', i, first + 60 + Math.floor(i / 1000), 9),
    event('buy', count + i, first + 60 + Math.floor(i / 1000), 10),
  ])
  const { lots, disposals } = taxLots([...purchases, ...rounds], { method })
  expect(lots).toHaveLength(count)
  expect(disposals).toHaveLength(count)
  expect(String(sumOf(disposals).gain.minus(lots.reduce((sum, { basis }) => sum.plus(basis), Decimal.zero)))).toBe(
    String(decimal(count * 9 - 2 * count * 10)),
  )
  const replaced = disposals.flatMap(({ washes }) => washes.map(({ purchaseId }) => purchaseId))
  expect(replaced.length).toBeGreaterThan(count / 2)
  expect(new Set(replaced).size).toBe(replaced.length)
})

describe('any history', () => {
  const TICKERS = ['AAA', 'BBB', 'ETH-USD']

  const CALL = 'AAA260320C00410000'
  const PUT = 'AAA260320P00390000'

  /** Purchases, sales of a part, splits, mergers, spin-offs and options, all with awkward fractions. */
  function history(seed: number) {
    const random = new Random(seed)
    const events: LotEvent[] = []
    const held = new Map<string, Decimal>()
    let cash: Usd = Decimal.zero
    let day = dateOf('2022-01-03')
    const part = (most: number) => new Decimal(BigInt(1 + random.below(most)))
    for (let i = 0; i < 120; i++) {
      day += random.below(12)
      const ticker = TICKERS[random.below(TICKERS.length)]!
      const have = held.get(ticker) ?? Decimal.zero
      const id = `e${i}`
      const kind = random.below(10)
      if (kind === 0 && have.isPositive) {
        const change = have.times(decimal('0.5')).plus(part(3))
        events.push({ kind: 'split', ticker, day, change })
        held.set(ticker, have.plus(change))
        continue
      }
      if (kind === 1 && have.isPositive && ticker !== 'ETH-USD') {
        // Shares of a spin-off come beside those of the parent; in a merger they take their place.
        const isSpinOff = random.below(2) === 0
        const got = have.times(decimal('0.2')).plus(part(3))
        const quantity = isSpinOff || random.below(2) === 0 ? have : have.times(decimal('0.25')).plus(part(1))
        events.push(
          isSpinOff
            ? { kind: 'spin-off', id, ticker: 'SPN', day, quantity: got, parents: [ticker] }
            : { kind: 'exchange', id, ticker, day, quantity, into: { ticker: 'SPN', quantity: got } },
        )
        if (!isSpinOff) held.set(ticker, have.minus(quantity))
        held.set('SPN', (held.get('SPN') ?? Decimal.zero).plus(got))
        continue
      }
      if (kind === 2 && ticker === 'AAA') {
        const option = optionEvents(id, day, random, have, part)
        events.push(...option.events)
        held.set('AAA', have.plus(option.change))
        cash = cash.plus(option.cash)
        day += 3
        continue
      }
      const isSale = kind > 4 && have.isPositive
      const quantity = isSale
        ? random.below(4) === 0
          ? have
          : have.times(decimal('0.333333333')).plus(part(2))
        : part(4_000_000_000)
      const amount = quantity.times(part(4_000_000_000))
      const side = isSale ? 'sell' : 'buy'
      const taken = isSale && have.isBelow(quantity) ? have : quantity
      events.push({ kind: 'trade', id, orderId: id, ticker, day, side, quantity: taken, amount })
      held.set(ticker, isSale ? have.minus(taken) : have.plus(taken))
      cash = isSale ? cash.plus(amount) : cash.minus(amount)
    }
    return { events, held, cash, day }
  }

  /** A contract that is bought or written, and expires or delivers its shares days later. */
  function optionEvents(
    id: string,
    day: number,
    random: Random,
    have: Decimal,
    part: (most: number) => Decimal,
  ): { events: LotEvent[]; change: Decimal; cash: Usd } {
    const isWritten = random.below(2) === 0
    const isCall = random.below(2) === 0
    const ticker = isCall ? CALL : PUT
    const premium = part(4_000_000_000)
    const one = decimal(1)
    const opened = { id: `${id}-open`, orderId: id, ticker, day, quantity: one, amount: premium }
    const open: LotEvent = { kind: 'trade', side: isWritten ? 'sell' : 'buy', ...opened }
    const paid = isWritten ? premium : premium.negated()
    // A written call and a bought put take shares away.
    const side = isWritten === isCall ? 'sell' : 'buy'
    if (random.below(3) === 0 || (side === 'sell' && !have.isPositive)) {
      const ended = { id: `${id}-end`, orderId: id, ticker, day: day + 3, quantity: one, amount: Decimal.zero }
      return {
        events: [open, { kind: 'trade', side: isWritten ? 'buy' : 'sell', ...ended }],
        change: Decimal.zero,
        cash: paid,
      }
    }
    const quantity = side === 'sell' ? have.times(decimal('0.5')).plus(part(1)) : part(4_000_000_000)
    const taken = side === 'sell' && have.isBelow(quantity) ? have : quantity
    const amount = taken.times(part(4_000_000_000))
    const shares = { ticker: 'AAA', side, quantity: taken, amount } as const
    const change = isWritten ? one : one.negated()
    return {
      events: [open, { kind: 'delivery', id, ticker, day: day + 3, change, shares }],
      change: side === 'sell' ? taken.negated() : taken,
      cash: paid.plus(side === 'sell' ? amount : amount.negated()),
    }
  }

  const sumBy = (lots: readonly { ticker: string; quantity: Decimal }[]) => {
    const sums = new Map<string, Decimal>()
    for (const { ticker, quantity } of lots) sums.set(ticker, (sums.get(ticker) ?? Decimal.zero).plus(quantity))
    return sums
  }

  const SEEDS = Array.from({ length: 60 }, (_, seed) => seed)

  it.each(LOT_METHODS)('%s: lots add up to positions, and gains to the money that was made', (method: LotMethod) => {
    for (const seed of SEEDS) {
      const { events, held, cash } = history(seed)
      const { lots, disposals } = taxLots(events, { method })
      const sums = sumBy(lots)
      for (const [ticker, quantity] of held) expect(String(sums.get(ticker) ?? Decimal.zero)).toBe(String(quantity))
      // Realised + unrealised = total P&L, at any value of what is held: the value cancels out.
      const basis = lots.reduce((sum, lot) => sum.plus(lot.basis), Decimal.zero)
      expect(String(sumOf(disposals).gain.minus(basis))).toBe(String(cash))
      for (const lot of lots) {
        expect(lot.quantity.isPositive).toBe(true)
        expect(lot.heldSince).toBeLessThanOrEqual(lot.openedOn)
      }
      for (const { disallowed, washes, proceeds, basis: cost, gain } of disposals) {
        expect(String(washes.reduce((sum, wash) => sum.plus(wash.disallowed), Decimal.zero))).toBe(String(disallowed))
        expect(String(proceeds.minus(cost).plus(disallowed))).toBe(String(gain))
        if (!disallowed.isZero) expect(gain.isPositive).toBe(false)
      }
    }
  })

  it.each(LOT_METHODS)('%s: lots of a day are those that stand when everything later is left out', (method) => {
    for (const seed of SEEDS.slice(0, 6)) {
      const { events } = history(seed)
      const whole = taxLots(events, { method })
      for (const asOf of [events[0]!.day - 1, events[30]!.day, events[77]!.day, events.at(-1)!.day]) {
        const until = taxLots(
          events.filter(({ day }) => day <= asOf),
          { method },
        )
        expect(taxLots(events, { method, asOf })).toEqual({ ...whole, lotsThen: until.lots })
      }
    }
  })

  it('has wash sales in it', () => {
    const { disposals } = taxLots(history(1).events, { method: 'fifo' })
    expect(disposals.filter(({ washes }) => washes.length > 0).length).toBeGreaterThan(5)
  })

  it('made the same by every method once everything is sold', () => {
    for (const seed of SEEDS) {
      const { events, held, cash, day } = history(seed)
      const last = [...held].flatMap(([ticker, quantity]): LotEvent[] => {
        const sale = { ticker, day: day + 1, side: 'sell', quantity, amount: decimal(7) } as const
        return quantity.isZero ? [] : [{ kind: 'trade', id: ticker, orderId: ticker, ...sale }]
      })
      for (const method of LOT_METHODS) {
        const { lots, disposals } = taxLots([...events, ...last], { method })
        expect(lots).toEqual([])
        expect(String(sumOf(disposals).gain)).toBe(String(cash.plus(decimal(7 * last.length))))
      }
    }
  })
})
