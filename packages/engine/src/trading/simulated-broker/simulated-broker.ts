import type { Clock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { type EpochDay, epochDayOf } from '@tradewright/core/time'
import type { TradingCalendar } from '../../market/trading-calendar.ts'
import type { ActivityPage, ActivityQuery, EquityDay } from '../account-activity.ts'
import type {
  Broker,
  BrokerAccount,
  BrokerQuote,
  MarketClock,
  MarketSession,
  OrderFilter,
  Position,
} from '../broker.ts'
import { clockOf, sessionsOf } from '../market-hours.ts'
import { hasEnded, type Order, type OrderRequest } from '../order.ts'
import { acceptOrder, cancelOrder } from './accept.ts'
import { exposureOf, type FillRules, fillOrders } from './fill.ts'
import { tradeActivities } from './trade-activities.ts'
import { type BrokerState, equityOf, openAccount, payDividend, type Quote } from './state.ts'

export interface SimulatedMarket {
  readonly clock: Clock
  readonly calendar: TradingCalendar
  readonly quote: Quote
}

const isForAuction = ({ timeInForce }: Order): boolean => timeInForce === 'opg' || timeInForce === 'cls'

/** A broker in memory: orders wait until `trade` is called with the market's prices at that moment. */
export class SimulatedBroker implements Broker {
  readonly #market: SimulatedMarket
  readonly #rules: FillRules
  readonly #openedAt: number
  readonly #equities = new Map<EpochDay, Usd>()
  #state: BrokerState

  constructor(startingCash: Usd, market: SimulatedMarket, rules: FillRules) {
    this.#market = market
    this.#rules = rules
    this.#state = openAccount(startingCash)
    this.#openedAt = this.#now()
    this.#value()
  }

  /** The market moves: open orders are filled at the quotes of now. */
  trade(): void {
    const isInTurn = (order: Order) => !isForAuction(order) && (this.#rules.isInTurn?.(order) ?? true)
    this.#state = fillOrders(this.#state, this.#market.quote, { ...this.#rules, isInTurn }, this.#now())
    this.#value()
  }

  /** An auction takes place at the quotes of now: orders for it are filled. */
  auction(timeInForce: 'opg' | 'cls'): void {
    const isInTurn = (order: Order) => order.timeInForce === timeInForce
    this.#state = fillOrders(this.#state, this.#market.quote, { ...this.#rules, isInTurn }, this.#now())
    this.#value()
  }

  payDividend(ticker: string, perShare: Usd): void {
    this.#state = payDividend(this.#state, ticker, perShare)
  }

  account(): Promise<BrokerAccount> {
    const equity = equityOf(this.#state, this.#market.quote)
    const { leverageLimit } = this.#rules
    const exposure = exposureOf(this.#state, this.#market.quote)
    const buyingPower = equity.times(Decimal.fromNumber(leverageLimit)).minus(exposure)
    return Promise.resolve({
      id: 'simulated',
      currency: 'USD',
      cash: this.#state.cash,
      equity,
      lastEquity: undefined,
      buyingPower: buyingPower.isNegative ? Decimal.zero : buyingPower,
      openedAt: this.#openedAt,
      leverageLimit,
      isShortingAllowed: true,
      blockedBecause: undefined,
    })
  }

  positions(): Promise<Position[]> {
    const positions = [...this.#state.positions].map(([ticker, { quantity, averageEntryPrice }]) => {
      const price = this.#market.quote(ticker) ?? averageEntryPrice
      return { ticker, quantity, averageEntryPrice, price, marketValue: quantity.times(price) }
    })
    return Promise.resolve(positions)
  }

  async place(request: OrderRequest): Promise<Order> {
    const [state, order] = acceptOrder(this.#state, request, this.#now())
    this.#state = state
    return order
  }

  orderByClientId(clientOrderId: string): Promise<Order | undefined> {
    return Promise.resolve(this.#state.orders.get(clientOrderId))
  }

  async cancel(orderId: string): Promise<void> {
    this.#state = cancelOrder(this.#state, orderId, this.#now())
  }

  orders({ state, since = Number.NEGATIVE_INFINITY, tickers }: OrderFilter): Promise<Order[]> {
    const wanted = [...this.#state.orders.values()].filter(
      (order) =>
        (state === 'all' || hasEnded(order.state) === (state === 'closed')) &&
        order.submittedAt >= since &&
        (!tickers || tickers.includes(order.ticker)),
    )
    return Promise.resolve(wanted.toReversed())
  }

  fills(since: number): ReturnType<Broker['fills']> {
    return Promise.resolve(this.#state.fills.filter(({ at }) => at >= since))
  }

  clock(): Promise<MarketClock> {
    return Promise.resolve(clockOf(this.#market.calendar, this.#now()))
  }

  sessions(from: EpochDay, last: EpochDay): Promise<MarketSession[]> {
    return Promise.resolve(sessionsOf(this.#market.calendar, from, last))
  }

  activities(query: ActivityQuery): Promise<ActivityPage> {
    return Promise.resolve({ activities: tradeActivities(this.#state.fills, query), next: undefined })
  }

  equityHistory(from: EpochDay): Promise<EquityDay[]> {
    const days = [...this.#equities].map(([day, equity]) => ({ day, equity, externalFlow: undefined }))
    return Promise.resolve(days.filter(({ day }) => day >= from).sort((a, b) => a.day - b.day))
  }

  asset(ticker: string): ReturnType<Broker['asset']> {
    if (!this.#market.quote(ticker)) return Promise.resolve(undefined)
    const all = {
      isTradable: true,
      isFractionable: true,
      hasFractionalLimits: true,
      isMarginable: true,
      isShortable: true,
    }
    return Promise.resolve({ ticker, ...all })
  }

  /** Bid and ask are the price it trades at. */
  quote(ticker: string): Promise<BrokerQuote | undefined> {
    const price = this.#market.quote(ticker)
    return Promise.resolve(price && { bid: price, ask: price, at: this.#now() })
  }

  /** The last value of a day is its equity. */
  #value(): void {
    this.#equities.set(epochDayOf(this.#now()), equityOf(this.#state, this.#market.quote))
  }

  #now(): number {
    return this.#market.clock.now().getTime()
  }
}
