import { Decimal } from '@tradewright/core/decimal'
import { dateOf, formatDate, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { nyse } from '../../market/trading-calendar.ts'
import { freeOfCosts, tradingCosts } from '../costs.ts'
import type { OrderRequest } from '../order.ts'
import { simulate } from '../simulation.ts'
import { tableOf } from '../test-support/price-tables.ts'
import { acceptOrder } from '../simulated-broker/accept.ts'
import { type BrokerState, openAccount } from '../simulated-broker/state.ts'
import type { PaperBar, PaperMarket } from './paper-market.ts'
import { awaitsPrice, passesAuction, settleAccount } from './settle.ts'

const decimal = (text: string) => Decimal.parse(text)
const rules = { costs: freeOfCosts, leverageLimit: 1 }

const bar = (date: string, open: string, close: string, more: Partial<PaperBar> = {}): PaperBar => ({
  day: dateOf(date),
  open: decimal(open),
  close: decimal(close),
  dividend: undefined,
  split: undefined,
  ...more,
})

const marketOf = (bars: readonly PaperBar[], latest?: string): PaperMarket => ({
  calendar: nyse,
  bars: new Map([['SPY', bars]]),
  latest: () => (latest === undefined ? undefined : decimal(latest)),
})

const order = (more: Partial<OrderRequest> = {}): OrderRequest => ({
  clientOrderId: 'mine-1',
  ticker: 'SPY',
  side: 'buy',
  size: { quantity: decimal('10') },
  execution: { type: 'market' },
  timeInForce: 'day',
  ...more,
})

const after = (state: BrokerState, request: OrderRequest, at: number) => acceptOrder(state, request, at)[0]

/** Friday evening, after the close. */
const friday = nyse.closeOf(dateOf('2024-03-01')) + HOUR
const monday = nyse.openOf(dateOf('2024-03-04'))
const empty = openAccount(decimal('100000'))

describe('a paper account that is settled', () => {
  it('fills an order of the evening at the next opening, and not before', () => {
    const waiting = after(empty, order(), friday)
    const closed = settleAccount(waiting, { from: friday, to: friday + HOUR }, marketOf([], '400'), rules)
    expect(closed.state.fills).toEqual([])
    const bars = [bar('2024-03-04', '402', '405')]
    const opened = settleAccount(waiting, { from: friday, to: monday + 8 * HOUR }, marketOf(bars, '406'), rules)
    expect(opened.state.fills.map(({ price, at }) => [String(price), at])).toEqual([['402', monday]])
  })

  it('agrees with a backtest at the next open over an overnight gap, to the cent', () => {
    // Decided at Friday's close of 400; Monday opens at 420 and has traded on at 431 when the order is looked at.
    const prices = tableOf({ SPY: [400, 425] }, { opens: { SPY: [399, 420] } })
    const bought = { costs: tradingCosts(5), startValue: 10_000, fillTiming: 'next_open' } as const
    const backtest = simulate(prices, { ...bought, decide: (bar) => (bar === 0 ? Float64Array.of(1) : undefined) })
    const shares = Decimal.fromNumber(backtest.trades[0]!.quantity)
    const market = {
      ...marketOf([], '431'),
      isOfSession: () => true,
      sessionOpen: () => decimal('420'),
    }
    const asked = after(openAccount(decimal('10000')), order({ size: { quantity: shares } }), monday)
    const paper = settleAccount(asked, { from: monday, to: monday + 45_000 }, market, {
      ...rules,
      costs: tradingCosts(5),
    })
    expect(paper.state.fills.map(({ price }) => String(price))).toEqual(['420'])
    const value = paper.state.cash.plus(shares.times(decimal('425')))
    expect(value.toNumber()).toBeCloseTo(backtest.values[1]!, 2)
  })

  it('waits at the opening for a price of the session: the close before it is none', () => {
    const market = { ...marketOf([], '400'), isOfSession: () => false }
    const asked = after(empty, order(), monday)
    const { state } = settleAccount(asked, { from: monday, to: monday + 45_000 }, market, rules)
    expect(state.fills).toEqual([])
  })

  it('agrees with that backtest also where both pay half a spread', () => {
    const half = 0.0005
    const halfSpread = {
      fee: () => 0,
      slippage: (quantity: number, price: number) => price * (1 + Math.sign(quantity) * half),
    }
    const prices = tableOf({ SPY: [400, 425] }, { opens: { SPY: [399, 420] } })
    const bought = { costs: halfSpread, startValue: 10_000, fillTiming: 'next_open' } as const
    const backtest = simulate(prices, { ...bought, decide: (bar) => (bar === 0 ? Float64Array.of(0.9) : undefined) })
    const shares = Decimal.fromNumber(backtest.trades[0]!.quantity)
    const market = { ...marketOf([], '431'), sessionOpen: () => decimal('420'), halfSpread: () => half }
    const asked = after(openAccount(decimal('10000')), order({ size: { quantity: shares } }), monday)
    const range = { from: monday, to: monday + 45_000 }
    const paper = settleAccount(asked, range, market, { ...rules, volumeShare: 0.1 })
    expect(paper.state.fills.map(({ price }) => String(price))).toEqual(['420.21'])
    expect(paper.state.cash.plus(shares.times(decimal('425'))).toNumber()).toBeCloseTo(backtest.values[1]!, 2)
  })

  it('fills an order by its part of what changes hands, minute by minute, and not the rest at the close', () => {
    const asked = after(empty, order({ size: { quantity: decimal('100') } }), monday + HOUR)
    const volumes = [180, 555, 9000].map((volume, i) => ({ volume, to: monday + HOUR + i * 60_000 }))
    let state = asked
    const held: string[] = []
    for (const { volume, to } of volumes.slice(0, 2)) {
      const market = { ...marketOf([], '400'), volumeSince: () => volume }
      ;({ state } = settleAccount(state, { from: to, to }, market, { ...rules, volumeShare: 0.1 }))
      held.push(String(state.positions.get('SPY')?.quantity))
    }
    expect(held).toEqual(['18', '55'])
    const evening = nyse.closeOf(dateOf('2024-03-04')) + HOUR
    const market = marketOf([bar('2024-03-04', '402', '405')])
    const closed = settleAccount(state, { from: volumes[1]!.to, to: evening }, market, { ...rules, volumeShare: 0.1 })
    expect(closed.state.orders.get('mine-1')).toMatchObject({ state: 'expired', filledQuantity: decimal('55') })
  })

  it('fills nothing of what does not trade, and a limit only where the spread reaches it', () => {
    const limit = { type: 'limit', limitPrice: decimal('400.05') } as const
    const asked = after(empty, order({ execution: limit }), monday + HOUR)
    const range = { from: monday + HOUR, to: monday + HOUR }
    const settle = (state: BrokerState, more: Partial<PaperMarket>) =>
      settleAccount(state, range, { ...marketOf([], '400'), ...more }, { ...rules, volumeShare: 0.1 }).state.fills
    expect(settle(asked, { halfSpread: () => 0.001 })).toEqual([])
    expect(settle(asked, { halfSpread: () => 0.0001 }).map(({ price }) => String(price))).toEqual(['400.04'])
    const halted = after(empty, order(), monday + HOUR)
    expect(settle(halted, { volumeSince: () => 0 })).toEqual([])
  })

  it('fills an order for what has no prices by the minute at the daily bar that comes after it, for days', () => {
    const asked = after(empty, order(), monday + HOUR)
    const yesterday = { isOfSession: () => false }
    const evening = nyse.closeOf(dateOf('2024-03-04')) + HOUR
    const during = settleAccount(
      asked,
      { from: monday + HOUR, to: monday + 2 * HOUR },
      { ...marketOf([], '400'), ...yesterday },
      rules,
    )
    expect(during.state.fills).toEqual([])
    const waiting = settleAccount(
      during.state,
      { from: monday + 2 * HOUR, to: evening },
      { ...marketOf([], '400'), ...yesterday },
      rules,
    )
    expect(waiting.state.orders.get('mine-1')?.state).toBe('accepted')
    expect(awaitsPrice(waiting.state, nyse, evening)).toBe(true)
    const bars = [bar('2024-03-04', '402', '405')]
    const morning = { from: evening, to: evening + 12 * HOUR }
    const filled = settleAccount(waiting.state, morning, { ...marketOf(bars, '405'), ...yesterday }, rules)
    expect(filled.state.fills.map(({ price }) => String(price))).toEqual(['405'])
    const week = { from: evening, to: evening + 6 * 24 * HOUR }
    const given = settleAccount(waiting.state, week, { ...marketOf([], '400'), ...yesterday }, rules)
    expect(given.state.orders.get('mine-1')?.state).toBe('expired')
  })

  it('fills orders for an auction at its price, also when that is known only later', () => {
    const opening = after(empty, order({ timeInForce: 'opg' }), friday)
    const early = { from: friday, to: monday + 60_000 }
    const unknown = settleAccount(opening, early, marketOf([], '403'), rules)
    expect(unknown.state.fills).toEqual([])
    const later = { from: monday + 60_000, to: monday + 120_000 }
    const market = { ...marketOf([], '403'), sessionOpen: () => decimal('402.5') }
    const opened = settleAccount(unknown.state, later, market, rules)
    expect(opened.state.fills.map(({ price }) => String(price))).toEqual(['402.5'])

    const closing = after(empty, order({ timeInForce: 'cls' }), monday + HOUR)
    const evening = nyse.closeOf(dateOf('2024-03-04')) + HOUR
    const waiting = settleAccount(closing, { from: monday + HOUR, to: evening }, marketOf([], '404'), rules)
    expect(waiting.state.orders.get('mine-1')?.state).toBe('accepted')
    const bars = [bar('2024-03-04', '402', '405')]
    const closed = settleAccount(waiting.state, { from: evening, to: evening + HOUR }, marketOf(bars, '404'), rules)
    expect(closed.state.fills.map(({ price }) => String(price))).toEqual(['405'])
    expect(awaitsPrice(waiting.state, nyse, evening)).toBe(true)
    expect(awaitsPrice(closed.state, nyse, evening)).toBe(false)
  })

  it('fills at the newest price while the market is open, with the costs', () => {
    const waiting = after(empty, order(), monday + HOUR)
    const range = { from: monday + HOUR, to: monday + 2 * HOUR }
    const { state } = settleAccount(waiting, range, marketOf([], '400'), { ...rules, costs: tradingCosts(5) })
    expect(String(state.fills[0]?.fee)).toBe('2')
    expect(String(state.cash)).toBe('95998')
  })

  it('lets a day order die at the close, and keeps one that is good till cancelled', () => {
    const limit = { type: 'limit', limitPrice: decimal('300') } as const
    const day = after(empty, order({ execution: limit }), friday)
    const both = after(day, order({ clientOrderId: 'mine-2', execution: limit, timeInForce: 'gtc' }), friday)
    const bars = [bar('2024-03-04', '402', '405')]
    const { state } = settleAccount(both, { from: friday, to: monday + 12 * HOUR }, marketOf(bars), rules)
    expect([...state.orders.values()].map((one) => one.state)).toEqual(['expired', 'accepted'])
  })

  it('keeps orders for the auctions out of the hours between', () => {
    const opening = after(empty, order({ timeInForce: 'opg' }), monday + HOUR)
    const both = after(opening, order({ clientOrderId: 'mine-2', timeInForce: 'cls' }), monday + HOUR)
    const during = settleAccount(both, { from: monday + HOUR, to: monday + 2 * HOUR }, marketOf([], '400'), rules)
    expect(during.state.fills).toEqual([])
    const bars = [bar('2024-03-04', '402', '405')]
    const { state } = settleAccount(both, { from: monday + HOUR, to: monday + 12 * HOUR }, marketOf(bars), rules)
    expect(state.fills.map(({ clientOrderId, price }) => [clientOrderId, String(price)])).toEqual([['mine-2', '405']])
  })

  it('catches up on days without a poll: splits, dividends and closes in their order', () => {
    const held = {
      ...empty,
      positions: new Map([['SPY', { quantity: decimal('10'), averageEntryPrice: decimal('400') }]]),
    }
    const bars = [
      bar('2024-03-04', '402', '404'),
      bar('2024-03-05', '202', '203', { split: decimal('2'), dividend: decimal('0.5') }),
      bar('2024-03-06', '204', '206'),
    ]
    const to = nyse.closeOf(dateOf('2024-03-06'))
    const { state, dividends, splits, closes } = settleAccount(held, { from: friday, to }, marketOf(bars), rules)
    expect(String(state.positions.get('SPY')?.quantity)).toBe('20')
    expect(splits.map(({ day, ratio }) => [formatDate(day), String(ratio)])).toEqual([['2024-03-05', '2']])
    expect(dividends.map(({ day, amount }) => [formatDate(day), String(amount)])).toEqual([['2024-03-05', '10']])
    expect(closes.map(({ day, equity }) => [formatDate(day), String(equity)])).toEqual([
      ['2024-03-04', '104040'],
      ['2024-03-05', '104070'],
      ['2024-03-06', '104130'],
    ])
  })

  it('comes to the same end however often it is polled', () => {
    const waiting = after(empty, order({ size: { quantity: decimal('7.5') } }), friday)
    const bars = [bar('2024-03-04', '402', '404'), bar('2024-03-05', '405', '399', { dividend: decimal('1.25') })]
    const to = nyse.closeOf(dateOf('2024-03-05')) + HOUR
    const atOnce = settleAccount(waiting, { from: friday, to }, marketOf(bars), rules)
    let state = waiting
    for (let from = friday; from < to; from += HOUR) {
      ;({ state } = settleAccount(state, { from, to: Math.min(to, from + HOUR) }, marketOf(bars), rules))
    }
    expect(String(state.cash)).toBe(String(atOnce.state.cash))
    expect(state.positions).toEqual(atOnce.state.positions)
  })

  it('trades coins around the clock', () => {
    const coin = after(empty, order({ ticker: 'BTC-USD', size: { notional: decimal('600') } }), friday)
    const { state } = settleAccount(coin, { from: friday, to: friday + HOUR }, marketOf([], '60000'), rules)
    expect(String(state.positions.get('BTC-USD')?.quantity)).toBe('0.01')
  })

  it('needs daily bars only when an auction was passed', () => {
    expect(passesAuction(nyse, friday, monday - 1)).toBe(false)
    expect(passesAuction(nyse, friday, monday)).toBe(true)
    expect(passesAuction(nyse, monday, monday + HOUR)).toBe(false)
  })
})
