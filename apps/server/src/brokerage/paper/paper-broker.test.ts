import { ManualClock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import { DAY, dateOf, dayStamp, formatDate, HOUR, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import type { Broker } from '@tradewright/engine/trading/broker'
import type { OrderRequest } from '@tradewright/engine/trading/order'
import type { PaperBar } from '@tradewright/engine/trading/paper-account/paper-market'
import { brokerSuite } from '@tradewright/engine/trading/test-support/broker-suite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { createTestUser } from '../../../test-support/test-user.ts'
import { createAccountRows } from '../../stores/brokerage/brokerage-accounts.ts'
import { createPaperStore } from '../../stores/brokerage/paper-accounts.ts'
import { PAPER_CASH, paperBroker, type PaperRules } from './paper-broker.ts'
import type { PaperPrices, PaperSettings } from './ports.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const decimal = (text: string) => Decimal.parse(text)
const tuesday = dateOf('2024-03-05')
let users = 0

/** A market that knows what a test has told it. */
class ToldPrices implements PaperPrices {
  readonly prices = new Map<string, Decimal>()
  /** When all of them were last known. */
  at = nyse.openOf(tuesday)
  sessionOpen: Decimal | undefined
  halfSpread = 0
  /** Shares of each minute. */
  volume: number | undefined
  readonly sessions: PaperBar[] = []

  async latest(_: number, tickers: readonly string[]) {
    const known = tickers.filter((ticker) => this.prices.has(ticker))
    const { at, sessionOpen, halfSpread, volume } = this
    const since = volume === undefined ? {} : { volumeSince: (from: number) => volume * this.minutesSince(from) }
    return new Map(
      known.map((ticker) => [
        ticker,
        {
          price: this.prices.get(ticker)!,
          isSynthetic: true,
          at,
          halfSpread,
          ...since,
          ...(sessionOpen && { sessionOpen }),
        },
      ]),
    )
  }

  minutesSince: (from: number) => number = () => 1

  async bars(_: number, tickers: readonly string[]) {
    return new Map(tickers.map((ticker) => [ticker, this.sessions]))
  }

  async isKnown(_: number, ticker: string) {
    return ticker === 'SPY'
  }
}

async function open(
  settings: PaperSettings = { tradingCostBps: 0, partialFill: 1, shortBorrowPct: 1 },
  rules: PaperRules = {},
) {
  const clock = new ManualClock(new Date(nyse.openOf(tuesday) + 2 * HOUR))
  const userId = await createTestUser(test.database, `paper-${++users}`)
  const account = await createAccountRows(test.database).insert(
    userId,
    {
      name: 'Paper Account',
      broker: 'paper',
      isPaper: true,
      isDefault: true,
      sealedKeys: null,
      status: 'verified',
      reason: null,
      connectedAt: null,
    },
    clock.now(),
  )
  const store = createPaperStore(test.database)
  await store.open(account.id, PAPER_CASH, settings, clock.now())
  const prices = new ToldPrices()
  const restart = () => paperBroker({ store, prices, clock }, { userId, accountId: account.id }, rules)
  const tradeAt = async (ticker: string, price: string) => {
    clock.advance(MINUTE)
    prices.prices.set(ticker, decimal(price))
  }
  return { broker: restart(), restart, prices, clock, tradeAt }
}

brokerSuite('the built-in paper account', () => open())

const order = (more: Partial<OrderRequest> = {}): OrderRequest => ({
  clientOrderId: 'mine-1',
  ticker: 'SPY',
  side: 'buy',
  size: { quantity: decimal('10') },
  execution: { type: 'market' },
  timeInForce: 'day',
  ...more,
})

describe('a market order at the opening', () => {
  const OPEN = nyse.openOf(tuesday)

  /** The account was opened the day before, which closed at $100. */
  async function atTheOpening() {
    const opened = await open()
    const { clock, prices } = opened
    clock.advance(OPEN + DAY - clock.now().getTime())
    prices.prices.set('SPY', decimal('100'))
    prices.at = dayStamp(tuesday)
    return opened
  }

  it('waits for the first price of the session, and is filled at its opening as a backtest is', async () => {
    const { broker, clock, prices } = await atTheOpening()
    expect(await broker.place(order())).toMatchObject({ state: 'accepted' })
    clock.advance(MINUTE)
    expect((await broker.orders({ state: 'open' })).map(({ state }) => state)).toEqual(['accepted'])
    prices.prices.set('SPY', decimal('106'))
    prices.at = OPEN + DAY
    prices.sessionOpen = decimal('105')
    clock.advance(30_000)
    expect((await broker.fills(OPEN)).map(({ price }) => String(price))).toEqual(['105'])
  })

  it('later in the session is filled at the newest price', async () => {
    const { broker, clock, prices } = await atTheOpening()
    clock.advance(5 * MINUTE)
    prices.prices.set('SPY', decimal('106'))
    prices.at = OPEN + DAY + 4 * MINUTE
    prices.sessionOpen = decimal('105')
    expect(await broker.place(order())).toMatchObject({ state: 'filled', averageFillPrice: decimal('106') })
  })

  it('is filled at the daily bar that comes after it, where there are no minutes, never at the close before it', async () => {
    const { broker, clock, prices } = await atTheOpening()
    await broker.place(order())
    clock.advance(HOUR)
    expect(await broker.fills(OPEN)).toEqual([])
    clock.advance(8 * HOUR)
    expect(await broker.fills(OPEN)).toEqual([])
    prices.sessions.push(bar(tuesday + 1, '104'))
    clock.advance(HOUR)
    expect((await broker.fills(OPEN)).map(({ price }) => String(price))).toEqual(['104'])
  })
})

describe('a built-in account that is filled as in the market', () => {
  const likeTheMarket = async () => {
    const opened = await open({ tradingCostBps: 0, partialFill: 1, shortBorrowPct: 1, fillModel: 'market' })
    const { prices, clock, tradeAt } = opened
    await tradeAt('SPY', '400')
    prices.halfSpread = 0.0005
    prices.volume = 60
    prices.minutesSince = (from) => 1 + Math.floor((clock.now().getTime() - from) / MINUTE)
    return opened
  }

  it('pays half the spread, and quotes it', async () => {
    const { broker } = await likeTheMarket()
    expect(await broker.quote!('SPY')).toMatchObject({ bid: decimal('399.8'), ask: decimal('400.2') })
    expect(await broker.place(order({ size: { quantity: decimal('6') } }))).toMatchObject({
      state: 'filled',
      averageFillPrice: decimal('400.2'),
    })
    const sold = await broker.place(order({ clientOrderId: 'mine-2', side: 'sell', size: { quantity: decimal('6') } }))
    expect(sold.averageFillPrice).toEqual(decimal('399.8'))
    expect(String((await broker.account()).cash)).toBe('99997.6')
  })

  it('gets a tenth of what changes hands, minute by minute', async () => {
    const { broker, clock } = await likeTheMarket()
    expect(await broker.place(order({ size: { quantity: decimal('15') } }))).toMatchObject({
      state: 'partially_filled',
      filledQuantity: decimal('6'),
    })
    const parts = []
    for (let minute = 0; minute < 3; minute++) {
      clock.advance(MINUTE)
      parts.push((await broker.positions())[0]!.quantity.toNumber())
    }
    expect(parts).toEqual([12, 15, 15])
  })

  it('refuses limits in parts of a cent, as exchanges do', async () => {
    const { broker } = await likeTheMarket()
    const limited = (price: string) =>
      broker.place(order({ clientOrderId: price, execution: { type: 'limit', limitPrice: decimal(price) } }))
    await expect(limited('390.005')).rejects.toThrow('the limit price is no multiple of a cent')
    expect((await limited('390.01')).state).toBe('accepted')
  })
})

describe('a built-in account in whole shares with a fee per order', () => {
  const wholeShares = () =>
    open({ tradingCostBps: 0, partialFill: 1, shortBorrowPct: 1 }, { wholeShares: true, feePerOrder: 1 })

  it('buys whole shares alone, and says so of an asset', async () => {
    const { broker, tradeAt } = await wholeShares()
    await tradeAt('SPY', '400')
    expect(await broker.asset('SPY')).toMatchObject({ isFractionable: false })
    for (const size of [{ quantity: decimal('2.5') }, { notional: decimal('1000') }]) {
      await expect(broker.place(order({ size }))).rejects.toMatchObject({
        kind: 'invalid',
        message: expect.stringContaining('only whole shares can be bought'),
      })
    }
    expect((await broker.place(order())).state).toBe('filled')
  })

  it('takes its fee once for each order, of a purchase and of a sale', async () => {
    const { broker, tradeAt } = await wholeShares()
    await tradeAt('SPY', '400')
    await broker.place(order())
    expect(String((await broker.account()).cash)).toBe('95999')
    await broker.place(order({ clientOrderId: 'mine-2', side: 'sell' }))
    expect(String((await broker.account()).cash)).toBe('99998')
  })
})

const bar = (day: number, close: string, more: Partial<PaperBar> = {}): PaperBar => ({
  day,
  open: decimal(close),
  close: decimal(close),
  dividend: undefined,
  split: undefined,
  ...more,
})

describe('shares that are sold short in the built-in account', () => {
  const sell = (quantity: string, id = 'short-1') =>
    order({ clientOrderId: id, side: 'sell', size: { quantity: decimal(quantity) } })

  it('are whole ones of what is not held, up to twice the equity, and are bought back to the last one', async () => {
    const { broker, tradeAt } = await open()
    await tradeAt('SPY', '400')
    expect(await broker.asset('SPY')).toMatchObject({ isShortable: true })
    await expect(broker.place(sell('1.5'))).rejects.toThrow('fractional orders cannot be sold short')
    expect((await broker.place(sell('501'))).reason).toBe('insufficient buying power')
    expect((await broker.place(sell('100', 'short-2'))).state).toBe('filled')
    const { cash, equity, buyingPower, isShortingAllowed } = await broker.account()
    expect([cash, equity, buyingPower].map(String)).toEqual(['140000', '100000', '140000'])
    expect(isShortingAllowed).toBe(true)
    for (const size of [{ quantity: decimal('101') }, { notional: decimal('50000') }])
      await expect(broker.place(order({ clientOrderId: 'much', size }))).rejects.toThrow('insufficient qty available')
    await tradeAt('SPY', '380')
    expect((await broker.place(order({ clientOrderId: 'back', size: { quantity: decimal('100') } }))).state).toBe(
      'filled',
    )
    expect(String((await broker.account()).equity)).toBe('102000')
    await broker.place(order({ clientOrderId: 'long' }))
    await expect(broker.place(sell('11', 'beyond'))).rejects.toThrow('insufficient qty available')
  })

  it('cost a 252nd of their rate at each opening, by the close before, and pay what goes ex', async () => {
    const { broker, prices, clock, tradeAt } = await open({ tradingCostBps: 0, partialFill: 1, shortBorrowPct: 2.52 })
    await tradeAt('SPY', '400')
    await broker.place(sell('100'))
    prices.sessions.push(bar(tuesday, '410'), bar(tuesday + 1, '405', { dividend: decimal('1.5') }))
    clock.advance(nyse.openOf(tuesday + 1) + MINUTE - clock.now().getTime())
    // 100 x 410 x 2.52 % / 252, and 150 of dividends.
    expect(String((await broker.account()).cash.rounded(6))).toBe('139845.9')
    const { activities } = await broker.activities({ kind: 'cash', order: 'oldest-first' })
    const booked = activities.flatMap((one) => (one.kind === 'cash' && one.type !== 'JNLC' ? [one] : []))
    expect(booked.map(({ type, description }) => `${type} ${description}`)).toEqual([
      'INT Borrow cost of 100 SPY',
      'DIV Dividend of -100 SPY',
    ])
    expect(booked.map(({ netAmount }) => netAmount.toNumber())).toEqual([-4.1, -150])
  })
})

describe('what goes ex on a day with polls during its session', () => {
  const wednesday = tuesday + 1
  /** Instants the account is polled at, each by a new process. */
  const polls = [0, 1, 2, 3].flatMap((days) => [
    nyse.openOf(tuesday + days) - HOUR,
    nyse.openOf(tuesday + days) + HOUR,
    nyse.closeOf(tuesday + days) + MINUTE,
  ])
  const arrivals: [string, number][] = [
    ['before the session', nyse.openOf(wednesday) - 2 * HOUR],
    ['during the session', nyse.openOf(wednesday) + 2 * HOUR],
    ['with the close', nyse.closeOf(wednesday)],
    ['after the poll of the close', nyse.closeOf(wednesday) + HOUR],
    ['two sessions later', nyse.closeOf(wednesday + 1) + HOUR],
  ]

  async function polledAccount(arrival: number, trade?: (broker: Broker, at: number) => Promise<void>) {
    const { broker, restart, prices, clock, tradeAt } = await open()
    await tradeAt('SPY', '400')
    await broker.place(order())
    const actions = { dividend: decimal('0.75'), split: decimal('2') }
    for (const at of polls.filter((one) => one > clock.now().getTime())) {
      clock.advance(at - clock.now().getTime())
      prices.prices.set('SPY', decimal(at < nyse.openOf(wednesday) ? '400' : '200'))
      const hasArrived = at >= arrival
      prices.sessions.splice(0, Infinity, bar(tuesday, '400'))
      if (hasArrived) prices.sessions.push(bar(wednesday, '200', actions))
      await trade?.(restart(), at)
      await Promise.all([restart().positions(), restart().account()])
    }
    const last = restart()
    const { activities } = await last.activities({ kind: 'cash', order: 'oldest-first' })
    const booked = activities.flatMap((one) =>
      one.kind === 'cash' && one.type !== 'JNLC' ? [[one.type, formatDate(one.day), String(one.netAmount)]] : [],
    )
    const [held] = await last.positions()
    const { cash, equity } = await last.account()
    return { booked, held, cash: String(cash), equity: String(equity) }
  }

  it.each(arrivals)('is booked once when the data arrive %s', async (_, arrival) => {
    const { booked, held, cash, equity } = await polledAccount(arrival)
    expect(booked).toEqual([
      ['SPLIT', '2024-03-06', '0'],
      ['DIV', '2024-03-06', '15'],
    ])
    expect([String(held?.quantity), String(held?.averageEntryPrice)]).toEqual(['20', '200'])
    expect([cash, equity]).toEqual(['96015', '100015'])
  })

  it.each(arrivals)('belongs to the shares held before the opening when the data arrive %s', async (_, arrival) => {
    const exDay = nyse.openOf(wednesday) + HOUR
    const { booked, held, cash } = await polledAccount(arrival, async (broker, at) => {
      if (at !== exDay) return
      await broker.place(order({ clientOrderId: 'mine-2', size: { quantity: decimal('6') } }))
      await broker.place(order({ clientOrderId: 'mine-3', side: 'sell', size: { quantity: decimal('4') } }))
    })
    expect(booked).toEqual([
      ['SPLIT', '2024-03-06', '0'],
      ['DIV', '2024-03-06', '15'],
    ])
    expect([String(held?.quantity), String(held?.averageEntryPrice)]).toEqual(['22', '200'])
    expect(cash).toBe('95615')
  })

  it.each(arrivals)('leaves what a sale of the shares known then left, when the data arrive %s', async (_, arrival) => {
    const exDay = nyse.openOf(wednesday) + HOUR
    const { booked, held, cash } = await polledAccount(arrival, async (broker, at) => {
      if (at === exDay) await broker.place(order({ clientOrderId: 'mine-2', side: 'sell' }))
    })
    expect(booked.map(([type, , amount]) => [type, amount])).toEqual([
      ['SPLIT', '0'],
      ['DIV', '15'],
    ])
    expect(String(held?.quantity)).toBe('10')
    expect(cash).toBe('98015')
  })
})

describe('the built-in paper account', () => {
  it('keeps everything over a restart', async () => {
    const { broker, restart, tradeAt } = await open({ tradingCostBps: 1, partialFill: 1, shortBorrowPct: 1 })
    await tradeAt('SPY', '400')
    const placed = await broker.place(order({ size: { quantity: decimal('2.5') } }))
    expect(placed.state).toBe('filled')
    const again = restart()
    expect(await again.orderByClientId('mine-1')).toEqual(placed)
    expect(String((await again.account()).cash)).toBe('98999.9')
    expect((await again.positions())[0]).toMatchObject({ ticker: 'SPY', isSynthetic: true })
  })

  it('says how old the last known price is that it values and trades at', async () => {
    const { broker, prices, tradeAt } = await open()
    await tradeAt('SPY', '400')
    expect(await broker.asset('SPY')).not.toHaveProperty('oldPrice')
    await broker.place(order())
    expect((await broker.positions())[0]).not.toHaveProperty('oldPrice')
    prices.at = nyse.openOf(tuesday - 40)
    const old = { day: tuesday - 40, ageDays: 40 }
    expect(await broker.asset('SPY')).toMatchObject({ isTradable: true, oldPrice: old })
    expect((await broker.positions())[0]).toMatchObject({ price: decimal('400'), oldPrice: old })
  })

  it('books its opening, its costs and its dividends as activities', async () => {
    const { broker, prices, clock, tradeAt } = await open({ tradingCostBps: 10, partialFill: 1, shortBorrowPct: 1 })
    await tradeAt('SPY', '400')
    await broker.place(order())
    const wednesday = dateOf('2024-03-06')
    prices.sessions.push(
      { day: tuesday, open: decimal('399'), close: decimal('401'), dividend: undefined, split: undefined },
      { day: wednesday, open: decimal('201'), close: decimal('202'), dividend: decimal('0.75'), split: decimal('2') },
    )
    clock.advance(48 * HOUR)
    const { activities } = await broker.activities({ kind: 'cash', order: 'oldest-first' })
    expect(
      activities.map((one) => one.kind === 'cash' && [one.type, formatDate(one.day), String(one.netAmount)]),
    ).toEqual([
      ['JNLC', '2024-03-05', '100000'],
      ['FEE', '2024-03-05', '-4'],
      ['SPLIT', '2024-03-06', '0'],
      ['DIV', '2024-03-06', '15'],
    ])
    const external = await broker.activities({ kind: 'external', order: 'newest-first' })
    expect(external.activities).toHaveLength(1)
    const history = await broker.equityHistory(tuesday)
    expect(history.map(({ day, equity }) => [formatDate(day), String(equity)])).toEqual([
      ['2024-03-05', '100006'],
      ['2024-03-06', '100051'],
    ])
    expect(String((await broker.account()).lastEquity)).toBe('100051')
    // After the close the day still counts from the close before it: a limit on the loss of a day sees the whole day.
    prices.sessions.push({
      day: dateOf('2024-03-07'),
      open: decimal('202'),
      close: decimal('150'),
      dividend: undefined,
      split: undefined,
    })
    clock.advance(6 * HOUR)
    expect(formatDate((await broker.equityHistory(tuesday)).at(-1)!.day)).toBe('2024-03-07')
    expect(String((await broker.account()).lastEquity)).toBe('100051')
  })

  it('holds an order of the night until the opening', async () => {
    const { broker, prices, clock } = await open()
    prices.prices.set('SPY', decimal('400'))
    clock.advance(8 * HOUR)
    expect((await broker.place(order())).state).toBe('accepted')
    prices.sessions.push({
      day: tuesday + 1,
      open: decimal('405'),
      close: decimal('406'),
      dividend: undefined,
      split: undefined,
    })
    clock.advance(24 * HOUR)
    expect(String((await broker.fills(0))[0]?.price)).toBe('405')
  })

  it('fills in parts when it was opened so, until the order is whole', async () => {
    const { broker, tradeAt } = await open({ tradingCostBps: 0, partialFill: 0.5, shortBorrowPct: 1 })
    await tradeAt('SPY', '400')
    expect((await broker.place(order())).state).toBe('partially_filled')
    const quantities = []
    for (let i = 0; i < 3; i++) {
      await tradeAt('SPY', '400')
      quantities.push(String((await broker.orderByClientId('mine-1'))?.filledQuantity))
    }
    expect(quantities).toEqual(['7.5', '8.75', '9.375'])
  })

  it('sells only what is held, and not twice', async () => {
    const { broker, tradeAt } = await open()
    await tradeAt('SPY', '400')
    await broker.place(order())
    const high = { type: 'limit', limitPrice: decimal('500') } as const
    await broker.place(
      order({ clientOrderId: 'mine-2', side: 'sell', execution: high, size: { quantity: decimal('6') } }),
    )
    const more = order({ clientOrderId: 'mine-3', side: 'sell', size: { quantity: decimal('5') } })
    await expect(broker.place(more)).rejects.toMatchObject({
      kind: 'invalid',
      message: 'The broker refused the order: insufficient qty available for order (requested: 5, available: 4).',
    })
  })

  it('refuses a ticker without prices', async () => {
    const { broker } = await open()
    await expect(broker.place(order({ ticker: 'ZZZZ' }))).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('takes what is there and leaves the rest when told so', async () => {
    const { broker, tradeAt } = await open({ tradingCostBps: 0, partialFill: 0.5, shortBorrowPct: 1 })
    await tradeAt('SPY', '400')
    const placed = await broker.place(order({ timeInForce: 'ioc' }))
    expect([placed.state, String(placed.filledQuantity)]).toEqual(['canceled', '5'])
  })

  it('books each order and each execution once when many come at the same moment', async () => {
    const { broker, restart, tradeAt } = await open()
    await tradeAt('SPY', '100')
    const requests = Array.from({ length: 12 }, (_, i) =>
      order({ clientOrderId: `mine-${i % 6}`, size: { quantity: decimal('1') } }),
    )
    const outcomes = await Promise.allSettled(requests.map((request) => restart().place(request)))
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    expect(refusals).toHaveLength(6)
    for (const refusal of refusals) expect(refusal).toMatchObject({ kind: 'conflict' })
    const fills = await broker.fills(0)
    expect(new Set(fills.map(({ executionId }) => executionId)).size).toBe(6)
    expect(String((await broker.account()).cash)).toBe('99400')
  })
})
