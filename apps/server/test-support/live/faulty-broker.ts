import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import type { CashActivity } from '@tradewright/engine/trading/account-activity'
import type { Broker, Fill, TradableAsset } from '@tradewright/engine/trading/broker'
import type { Order, OrderRequest } from '@tradewright/engine/trading/order'
import { SimulatedBroker, type SimulatedMarket } from '@tradewright/engine/trading/simulated-broker/simulated-broker'
import type { FillRules } from '@tradewright/engine/trading/simulated-broker/fill'

/** What may go wrong when an order is sent. */
export type PlaceFault =
  /** It was taken, but nobody heard. */
  | 'answer-lost'
  /** It never arrived. */
  | 'not-arrived'
  | 'error-500'
  | 'limited-429'
  | 'reset'
  /** The broker refuses it with a reason. */
  | 'refused'

const FAULTS: Readonly<Record<Exclude<PlaceFault, 'refused'>, [Problem['kind'], string]>> = {
  'answer-lost': ['unavailable', 'The broker did not answer in time.'],
  'not-arrived': ['unavailable', 'The broker did not answer in time.'],
  'error-500': ['upstream', 'The broker answered with an internal error.'],
  'limited-429': ['limited', 'The broker asks for fewer calls.'],
  reset: ['unavailable', 'The connection to the broker was reset.'],
}

/** The simulated broker behind a line that can be cut. Orders fill at once unless fills are held back. */
export class FaultyBroker implements Broker {
  readonly inner: SimulatedBroker
  readonly #market: SimulatedMarket
  /** Taken in order, one per order sent. */
  readonly placeFaults: PlaceFault[] = []
  /** Any other call fails while this is set. */
  isAway = false
  holdsFills = false
  /** Executions that are not listed yet, although they happened. */
  hidesFills = false
  /** Every execution is told so many times. */
  tellsFillsTimes = 1
  halted = new Set<string>()
  wholeSharesOnly = new Set<string>()
  clockSkew = 0
  blockedBecause: string | undefined
  readonly corrections = new Map<string, Decimal>()
  /** What the broker lists beside its own executions. */
  readonly cashActivities: CashActivity[] = []
  calls = 0

  constructor(cash: string, market: SimulatedMarket, rules: FillRules) {
    this.#market = market
    this.inner = new SimulatedBroker(Decimal.parse(cash), market, rules)
  }

  trade(): void {
    this.inner.trade()
  }

  async place(request: OrderRequest): Promise<Order> {
    this.#call()
    const fault = this.placeFaults.shift()
    if (fault === 'refused') throw new Problem('denied', 'broker.refused', 'insufficient buying power')
    if (fault === undefined || fault === 'answer-lost') {
      await this.inner.place(request)
      if (!this.holdsFills) this.inner.trade()
    }
    if (fault) throw new Problem(FAULTS[fault][0], 'broker.fault', FAULTS[fault][1])
    return (await this.inner.orderByClientId(request.clientOrderId))!
  }

  async orderByClientId(id: string): Promise<Order | undefined> {
    this.#call()
    return this.inner.orderByClientId(id)
  }

  async cancel(id: string): Promise<void> {
    this.#call()
    return this.inner.cancel(id)
  }

  async orders(filter: Parameters<Broker['orders']>[0]): Promise<Order[]> {
    this.#call()
    return this.inner.orders(filter)
  }

  async fills(since: number): Promise<Fill[]> {
    this.#call()
    if (this.hidesFills) return []
    const fills = await this.inner.fills(since)
    return fills.flatMap((fill) => Array.from({ length: this.tellsFillsTimes }, () => fill))
  }

  async account(): ReturnType<Broker['account']> {
    this.#call()
    return { ...(await this.inner.account()), blockedBecause: this.blockedBecause }
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
      }
    )
  }

  #call(): void {
    this.calls++
    if (this.isAway) throw new Problem('unavailable', 'broker.away', 'The broker cannot be reached.')
  }
}
