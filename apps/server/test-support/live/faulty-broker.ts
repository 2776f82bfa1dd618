import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import type { CashActivity } from '@tradewright/engine/trading/account-activity'
import {
  type Broker,
  type BrokerQuote,
  type Fill,
  INSUFFICIENT_FUNDS,
  OPPOSITE_ORDER,
  type TradableAsset,
} from '@tradewright/engine/trading/broker'
import type { Order, OrderRequest } from '@tradewright/engine/trading/order'
import { SimulatedBroker, type SimulatedMarket } from '@tradewright/engine/trading/simulated-broker/simulated-broker'
import type { FillRules } from '@tradewright/engine/trading/simulated-broker/fill'
import { randomUUID } from 'node:crypto'
import type { BrokerStage, PlaceFault } from './broker-stage.ts'

const FAULTS: Readonly<Record<Exclude<PlaceFault, 'refused' | 'rejected' | 'wash-trade'>, [Problem['kind'], string]>> =
  {
    'answer-lost': ['unavailable', 'The broker did not answer in time.'],
    'answer-late': ['unavailable', 'The broker did not answer in time.'],
    'not-arrived': ['unavailable', 'The broker did not answer in time.'],
    'error-500': ['upstream', 'The broker answered with an internal error.'],
    'limited-429': ['limited', 'The broker asks for fewer calls.'],
    reset: ['unavailable', 'The connection to the broker was reset.'],
  }

/** The simulated broker behind a line that can be cut. Orders fill at once unless fills are held back. */
export class FaultyBroker implements Broker, BrokerStage {
  readonly inner: SimulatedBroker
  readonly violations: readonly string[] = []
  readonly #rules: { -readonly [Rule in keyof FillRules]: FillRules[Rule] }
  readonly #rejected = new Map<string, string>()
  readonly #market: SimulatedMarket
  readonly placeFaults: PlaceFault[] = []
  isAway = false
  holdsFills = false
  hidesFills = false
  tellsFillsTimes = 1
  readonly halted = new Set<string>()
  wholeSharesOnly = new Set<string>()
  clockSkew = 0
  /** How old the newest quote is, in milliseconds. */
  quoteAge = 0
  blockedBecause: string | undefined
  buyingPower: Decimal | undefined
  readonly corrections = new Map<string, Decimal>()
  /** Activities of the broker beside its own executions. */
  readonly cashActivities: CashActivity[] = []
  calls = 0

  constructor(cash: string, market: SimulatedMarket, rules: FillRules) {
    this.#market = market
    this.#rules = { ...rules }
    this.inner = new SimulatedBroker(Decimal.parse(cash), market, this.#rules)
  }

  get broker(): Broker {
    return this
  }

  trade(): void {
    this.inner.trade()
  }

  fillPart(ticker: string, share: number): void {
    this.#rules.partialFill = share
    this.#rules.isInTurn = (order) => order.ticker === ticker
    this.inner.trade()
    delete this.#rules.partialFill
    delete this.#rules.isInTurn
  }

  async cancelByHand(ticker: string): Promise<void> {
    const open = await this.inner.orders({ state: 'open', tickers: [ticker] })
    for (const { id } of open) await this.inner.cancel(id)
  }

  async tradeByHand(side: 'buy' | 'sell', ticker: string, quantity: string): Promise<void> {
    await this.inner.place({
      clientOrderId: `by-hand-${randomUUID()}`,
      ticker,
      side,
      size: { quantity: Decimal.parse(quantity) },
      execution: { type: 'market' },
      timeInForce: 'day',
    })
    this.inner.trade()
  }

  multiplyShares(ticker: string, factor: string): void {
    this.corrections.set(ticker, Decimal.parse(factor))
  }

  ordersTaken(): Promise<Order[]> {
    return this.inner.orders({ state: 'all' }).then((orders) => orders.map((order) => this.#seen(order)))
  }

  async cashHeld(): Promise<Decimal> {
    return (await this.inner.account()).cash
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async place(request: OrderRequest): Promise<Order> {
    this.#call()
    const fault = this.placeFaults.shift()
    const open = await this.inner.orders({ state: 'open', tickers: [request.ticker] })
    if (fault === 'wash-trade' || open.some(({ side }) => side !== request.side)) {
      throw new Problem('invalid', OPPOSITE_ORDER, 'The broker refused the order: potential wash trade detected.')
    }
    if (fault === 'refused') throw new Problem('denied', INSUFFICIENT_FUNDS, 'insufficient buying power')
    if (fault === 'rejected') {
      const { id } = await this.inner.place(request)
      await this.inner.cancel(id)
      this.#rejected.set(id, 'asset halted')
    } else if (fault === undefined || fault.startsWith('answer-')) {
      await this.inner.place(request)
      if (!this.holdsFills) this.inner.trade()
    }
    if (fault && fault !== 'rejected') throw new Problem(FAULTS[fault][0], 'broker.fault', FAULTS[fault][1])
    return this.#seen((await this.inner.orderByClientId(request.clientOrderId))!)
  }

  async orderByClientId(id: string): Promise<Order | undefined> {
    this.#call()
    const order = await this.inner.orderByClientId(id)
    return order && this.#seen(order)
  }

  async cancel(id: string): Promise<void> {
    this.#call()
    return this.inner.cancel(id)
  }

  async orders(filter: Parameters<Broker['orders']>[0]): Promise<Order[]> {
    this.#call()
    return (await this.inner.orders(filter)).map((order) => this.#seen(order))
  }

  async fills(since: number): Promise<Fill[]> {
    this.#call()
    if (this.hidesFills) return []
    const fills = await this.inner.fills(since)
    return fills.flatMap((fill) => Array.from({ length: this.tellsFillsTimes }, () => fill))
  }

  async account(): ReturnType<Broker['account']> {
    this.#call()
    const account = await this.inner.account()
    return { ...account, blockedBecause: this.blockedBecause, buyingPower: this.buyingPower ?? account.buyingPower }
  }

  /** A split, or shares that vanish: what the broker says about a position without any execution. */
  async positions(): ReturnType<Broker['positions']> {
    this.#call()
    const positions = await this.inner.positions()
    return positions.map((position) => {
      const factor = this.corrections.get(position.ticker)
      if (!factor) return position
      const quantity = position.quantity.times(factor)
      const price = position.price.dividedBy(factor)
      return Object.assign({}, position, { quantity, price, marketValue: quantity.times(price) })
    })
  }

  async clock(): ReturnType<Broker['clock']> {
    this.#call()
    const clock = await this.inner.clock()
    return { ...clock, now: clock.now + this.clockSkew }
  }

  async sessions(...days: Parameters<Broker['sessions']>): ReturnType<Broker['sessions']> {
    this.#call()
    return this.inner.sessions(...days)
  }

  async activities(query: Parameters<Broker['activities']>[0]): ReturnType<Broker['activities']> {
    this.#call()
    const page = await this.inner.activities(query)
    return query.kind === 'cash' ? { ...page, activities: [...page.activities, ...this.cashActivities] } : page
  }

  async equityHistory(from: number): ReturnType<Broker['equityHistory']> {
    return this.inner.equityHistory(from)
  }

  async asset(ticker: string): Promise<TradableAsset | undefined> {
    this.#call()
    if (!this.#market.quote(ticker)) return undefined
    const asset = await this.inner.asset(ticker)
    return (
      asset && {
        ...asset,
        isTradable: !this.halted.has(ticker),
        isFractionable: !this.wholeSharesOnly.has(ticker),
        hasFractionalLimits: !this.wholeSharesOnly.has(ticker),
      }
    )
  }

  async quote(ticker: string): Promise<BrokerQuote | undefined> {
    this.#call()
    const quote = await this.inner.quote(ticker)
    return quote && { ...quote, at: quote.at - this.quoteAge }
  }

  #seen(order: Order): Order {
    const reason = this.#rejected.get(order.id)
    return reason === undefined ? order : { ...order, state: 'rejected', reason }
  }

  #call(): void {
    this.calls++
    if (this.isAway) throw new Problem('unavailable', 'broker.away', 'The broker cannot be reached.')
  }
}
