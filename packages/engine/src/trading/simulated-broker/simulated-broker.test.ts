import { ManualClock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import { dateOf, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { nyse } from '../../market/trading-calendar.ts'
import { brokerSuite } from '../test-support/broker-suite.ts'
import { freeOfCosts, tradingCosts, type TradingCosts } from '../costs.ts'
import { simulate } from '../simulation.ts'
import { tradesToReach } from '../sizing.ts'
import { tableOf } from '../test-support/price-tables.ts'
import { SimulatedBroker } from './simulated-broker.ts'
import { applySplit, openAccount } from './state.ts'
import { acceptOrder } from './accept.ts'
import { expireOrders, fillOrders } from './fill.ts'

const decimal = (text: string) => Decimal.parse(text)
const noon = nyse.openOf(dateOf('2024-03-05')) + 2 * HOUR

function simulated(costs: TradingCosts, cash = '100000') {
  const quotes = new Map([['SPY', decimal('400')]])
  const market = {
    clock: new ManualClock(new Date(noon)),
    calendar: nyse,
    quote: (ticker: string) => quotes.get(ticker),
  }
  return { quotes, broker: new SimulatedBroker(decimal(cash), market, { costs, leverageLimit: 1 }) }
}

brokerSuite('the simulated broker', async () => {
  const { broker, quotes } = simulated(freeOfCosts)
  const tradeAt = async (ticker: string, price: string) => {
    quotes.set(ticker, decimal(price))
    broker.trade()
  }
  return { broker, tradeAt }
})

const market = { type: 'market' } as const
const buy = (quantity: string, ticker = 'SPY') => ({
  clientOrderId: `${ticker}-${quantity}`,
  ticker,
  side: 'buy' as const,
  size: { quantity: decimal(quantity) },
  execution: market,
  timeInForce: 'day' as const,
})

const quote = () => decimal('100')

describe('the simulated broker', () => {
  const rules = { costs: freeOfCosts, leverageLimit: 1 }

  it('waits for a limit, and fills dollars as a fraction of a share', () => {
    const limit = { ...buy('1'), execution: { type: 'limit', limitPrice: decimal('99') } as const }
    const [waiting] = acceptOrder(openAccount(decimal('1000')), limit, 0)
    expect(fillOrders(waiting, quote, rules, 1).fills).toEqual([])
    expect(fillOrders(waiting, () => decimal('98.5'), rules, 1).fills).toHaveLength(1)
    const [notional] = acceptOrder(openAccount(decimal('1000')), { ...buy('1'), size: { notional: decimal('250') } }, 0)
    expect(String(fillOrders(notional, quote, rules, 1).fills[0]?.quantity)).toBe('2.5')
  })

  it('fills in parts when asked to, and never more than was ordered', () => {
    let [state] = acceptOrder(openAccount(decimal('1000')), buy('4'), 0)
    state = fillOrders(state, quote, { ...rules, partialFill: 0.5 }, 1)
    expect(state.orders.get('SPY-4')?.state).toBe('partially_filled')
    for (let i = 0; i < 60; i++) state = fillOrders(state, quote, { ...rules, partialFill: 0.5 }, 2 + i)
    expect(String(state.positions.get('SPY')?.quantity)).toBe('4')
    expect(state.orders.get('SPY-4')?.state).toBe('filled')
  })

  it('charges a fee per order once, and fills parts in whole shares where asked to', () => {
    let [state] = acceptOrder(openAccount(decimal('1000')), buy('5'), 0)
    const whole = { ...rules, partialFill: 0.5, wholeShares: true, feePerOrder: 1 }
    for (let i = 0; i < 9; i++) state = fillOrders(state, quote, whole, 1 + i)
    expect(state.fills.map(({ quantity, fee }) => [String(quantity), String(fee)])).toEqual([
      ['2', '1'],
      ['1', '0'],
      ['1', '0'],
      ['1', '0'],
    ])
    expect(String(state.cash)).toBe('499')
  })

  it('lets what was not filled die with the session, and splits what is held', () => {
    const [state] = acceptOrder(openAccount(decimal('1000')), buy('4'), 0)
    expect(expireOrders(state, 5).orders.get('SPY-4')).toMatchObject({ state: 'expired', endedAt: 5 })
    const split = applySplit(fillOrders(state, quote, rules, 1), 'SPY', decimal('4'))
    expect(split.positions.get('SPY')).toEqual({ quantity: decimal('16'), averageEntryPrice: decimal('25') })
  })
})

describe('the same decisions', () => {
  it('end at the same account value through the broker as in the bar loop, to the cent', async () => {
    const closes = { SPY: [400, 410, 395, 402, 420], TLT: [90, 91, 92.5, 91, 89] }
    const table = tableOf(closes)
    const rules = { costs: tradingCosts(5), wholeShares: false }
    const weights = Float64Array.of(0.6, 0.4)
    const looped = simulate(table, {
      startValue: 100_000,
      decide: (bar) => (bar === 0 ? weights : undefined),
      fillTiming: 'same_close',
      costs: rules.costs,
      rebalances: new Uint8Array(5).fill(1),
    })

    const { broker, quotes } = simulated(rules.costs)
    for (let bar = 0; bar < 5; bar++) {
      const prices = Float64Array.of(closes.SPY[bar]!, closes.TLT[bar]!)
      table.tickers.forEach((ticker, i) => quotes.set(ticker, Decimal.fromNumber(prices[i]!)))
      const held = new Map((await broker.positions()).map(({ ticker, quantity }) => [ticker, quantity.toNumber()]))
      const cash = (await broker.account()).cash.toNumber()
      const quantities = Float64Array.from(table.tickers, (ticker) => held.get(ticker) ?? 0)
      const trades = tradesToReach(weights, { cash, quantities }, prices, rules)
      for (const [i, quantity] of trades.entries()) {
        if (quantity === 0) continue
        await broker.place({
          ...buy('1', table.tickers[i]),
          clientOrderId: `${bar}-${i}`,
          side: quantity > 0 ? 'buy' : 'sell',
          size: { quantity: Decimal.fromNumber(Math.abs(quantity)) },
        })
      }
      broker.trade()
      const equity = (await broker.account()).equity.toNumber()
      expect(Math.abs(equity - looped.values[bar]!)).toBeLessThan(0.005)
    }
  })
})
