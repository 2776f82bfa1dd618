import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, MINUTE, type UtcMillis } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import {
  type AccountActivity,
  type ActivityPage,
  type ActivityQuery,
  type CashActivity,
  isExternalFlow,
} from '@tradewright/engine/trading/account-activity'
import type { Broker, Fill, OrderFilter, Position, Urgency } from '@tradewright/engine/trading/broker'
import { readClientOrderId } from '@tradewright/engine/trading/client-order-id'
import { clockOf, sessionsOf } from '@tradewright/engine/trading/market-hours'
import { hasEnded, type Order, type OrderRequest } from '@tradewright/engine/trading/order'
import { PageCount } from '../../page-count.ts'
import { type HttpLog, readEach } from '../http/http-client.ts'
import { toExchangeId } from './client-order-ids.ts'
import type { ExchangeClient } from './exchange-client.ts'
import { exchangeProblem } from './failures.ts'
import * as mapping from './mapping.ts'
import * as schema from './schema.ts'
import type { SpotExchange } from './spot-exchange.ts'

/** What is halted or listed anew is known so soon. */
const ASSET_MAX_AGE = 10 * MINUTE
/** 100,000 executions of a market at Binance, 5,000 at Kraken. */
const MAX_TRADE_PAGES = 100
const MAX_SINGLE_MARKETS = 10
/** Client ids of orders that are kept, so that each is asked for once. */
const MAX_KNOWN_ORDERS = 10_000
/** Orders of decisions: the clocks of ours and of the exchange may differ. */
const CLOCK_TOLERANCE = 10 * MINUTE

/** One account at a spot exchange: no margin, no shorts, and one currency that counts as dollars. */
export function exchangeBroker(client: ExchangeClient, log: HttpLog): Broker {
  const account = new ExchangeAccount(client, log)
  return {
    account: () => account.account(),
    positions: () => account.positions(),
    place: (request) => account.place(request),
    orderByClientId: (clientOrderId, urgency) => account.orderByClientId(clientOrderId, urgency),
    cancel: (orderId) => account.cancel(orderId),
    orders: (filter, urgency) => account.orders(filter, urgency),
    fills: (since, tickers) => account.fills(since, tickers),
    clock: () => account.clock(),
    // Coins trade around the clock, whatever this says: deployments are scheduled by the sessions of New York.
    sessions: async (from, last) => sessionsOf(nyse, from, last),
    activities: (query) => account.activities(query),
    equityHistory: (from) => account.equityHistory(from),
    asset: (ticker) => account.asset(ticker),
    refusals: client.definition.refusals,
  }
}

class ExchangeAccount {
  readonly #client: ExchangeClient
  readonly #log: HttpLog
  /** Markets in which orders were placed: where orders are listed per market, these are asked for. */
  readonly #traded = new Set<string>()
  readonly #clientIds = new Map<string, string>()

  constructor(client: ExchangeClient, log: HttpLog) {
    this.#client = client
    this.#log = log
  }

  async account() {
    const balance = await this.#balance()
    const { definition } = this.#client
    return mapping.toAccount(balance, await this.#positionsOf(balance), definition)
  }

  async positions(): Promise<Position[]> {
    return this.#positionsOf(await this.#balance())
  }

  async place(request: OrderRequest): Promise<Order> {
    const { definition } = this.#client
    const symbol = await this.#marketOf(request)
    // Exchanges take an id again once its order has ended.
    if (await this.orderByClientId(request.clientOrderId)) throw taken(definition.name)
    this.#traded.add(symbol)
    const clientId = toExchangeId(request.clientOrderId, definition.maxClientIdLength)
    const { side, size, execution } = request
    const amount = 'quantity' in size ? String(size.quantity) : undefined
    const price = execution.type === 'limit' ? String(execution.limitPrice) : undefined
    const signedAt = this.#client.now()
    const send = async (exchange: SpotExchange) => {
      const params = definition.orderParams(clientId, request, this.#client.now())
      const sent = await exchange.createOrder(symbol, execution.type, side, amount, price, params)
      const whole = schema.Order.safeParse(sent)
      // Some confirm an order with its number alone.
      return whole.success && whole.data.clientOrderId !== undefined
        ? whole.data
        : schema.Order.parse(await exchange.fetchOrder(schema.OrderId.parse(sent).id, symbol))
    }
    try {
      const sent = await this.#client.ask(send, { priority: 'order', isRepeatable: false })
      return mapping.toOrder(sent, definition)
    } catch (error) {
      const problem = exchangeProblem(error, 'order', definition.name)
      // Its fate is asked for next: until then a request that is still on its way must have arrived, or be too old.
      if (problem instanceof Problem && problem.kind === 'unavailable') await this.#client.untilInvalid(signedAt)
      throw problem
    }
  }

  async orderByClientId(clientOrderId: string, urgency?: Urgency): Promise<Order | undefined> {
    const { definition } = this.#client
    const ours = readClientOrderId(clientOrderId)
    const known = ours ? mapping.symbolOf(ours.ticker, definition) : undefined
    const clientId = toExchangeId(clientOrderId, definition.maxClientIdLength)
    const since = (ours?.decidedFor ?? this.#client.now()) - CLOCK_TOLERANCE
    const symbols = known === undefined && definition.listsPerMarket ? [...this.#traded] : [known]
    for (const symbol of symbols) {
      const sent = await this.#find((exchange) => definition.findOrder(exchange, { clientId, symbol, since }), urgency)
      if (sent !== undefined) return { ...mapping.toOrder(sent, definition), clientOrderId }
    }
    return undefined
  }

  async cancel(orderId: string): Promise<void> {
    const { definition } = this.#client
    const { id, symbol } = mapping.readId(definition, orderId)
    try {
      await this.#client.ask((exchange) => exchange.cancelOrder(id, symbol), { priority: 'cancel' })
    } catch (error) {
      const problem = exchangeProblem(error, 'order', definition.name)
      const isGone = problem instanceof Problem && (problem.kind === 'missing' || problem.kind === 'invalid')
      throw isGone ? new Problem('conflict', problem.code, problem.message, { cause: problem }) : problem
    }
  }

  async orders({ state, since = 0, tickers }: OrderFilter, urgency?: Urgency): Promise<Order[]> {
    const { definition } = this.#client
    const wanted = tickers && new Set(tickers)
    const sent = state === 'open' ? await this.#openOrders(tickers, urgency) : await this.#allOrders(since, tickers)
    return sent
      .map((order) => mapping.toOrder(order, definition))
      .filter((order) => state === 'all' || hasEnded(order.state) === (state === 'closed'))
      .filter(({ submittedAt, ticker }) => submittedAt >= since && (!wanted || wanted.has(ticker)))
      .sort((a, b) => b.submittedAt - a.submittedAt)
  }

  async fills(since: UtcMillis, tickers: readonly string[] = []): Promise<Fill[]> {
    const { definition } = this.#client
    const trades = await this.#trades(since, tickers)
    const fills: Fill[] = []
    for (const trade of trades) fills.push(mapping.toFill(trade, await this.#clientIdOf(trade), definition))
    return fills
  }

  async clock() {
    return clockOf(nyse, await this.#client.time().catch(this.#rethrow))
  }

  /** All on one page: an exchange has no list of everything that could be paged through. */
  async activities({ kind, since = 0, order, tickers = [] }: ActivityQuery): Promise<ActivityPage> {
    const found: AccountActivity[] = []
    const { definition } = this.#client
    if (kind !== 'external') {
      for (const trade of await this.#trades(since, tickers)) {
        const activity =
          kind === 'trades' ? mapping.toTradeActivity(trade, definition) : mapping.toCoinFee(trade, definition)
        if (activity) found.push(activity)
      }
    }
    if (kind !== 'trades')
      found.push(...(await this.#flows(since)).filter((one) => kind === 'cash' || isExternalFlow(one)))
    found.sort((a, b) => a.at - b.at)
    return { activities: order === 'newest-first' ? found.toReversed() : found, next: undefined }
  }

  /** Exchanges keep no history of an account: today is all there is, and the days are kept as they pass. */
  async equityHistory(from: number) {
    const today = epochDayOf(this.#client.now())
    if (today < from) return []
    return [{ day: today, equity: (await this.account()).equity, externalFlow: undefined }]
  }

  async asset(ticker: string) {
    const symbol = mapping.symbolOf(ticker, this.#client.definition)
    const markets = await this.#client.markets(ASSET_MAX_AGE).catch(this.#rethrow)
    const market = symbol === undefined ? undefined : markets.get(symbol)
    return market && mapping.toAsset(market)
  }

  readonly #rethrow = (error: unknown): never => {
    throw exchangeProblem(error, 'question', this.#client.definition.name)
  }

  async #ask<Answer>(call: (exchange: SpotExchange) => Promise<Answer>, urgency?: Urgency): Promise<Answer> {
    return this.#client.ask(call, { priority: urgency?.isUrgent ? 'cancel' : 'read' }).catch(this.#rethrow)
  }

  /** Undefined where the exchange does not know it. */
  async #find(call: (exchange: SpotExchange) => Promise<unknown>, urgency?: Urgency) {
    try {
      const sent = await this.#ask(call, urgency)
      return sent === undefined ? undefined : this.#read(schema.Order, sent)
    } catch (error) {
      if (error instanceof Problem && error.kind === 'missing') return undefined
      throw error
    }
  }

  #read<Answer>(reader: { parse(sent: unknown): Answer }, sent: unknown): Answer {
    try {
      return reader.parse(sent)
    } catch (error) {
      return this.#rethrow(error)
    }
  }

  async #balance(): Promise<schema.Balance> {
    return this.#read(schema.Balance, await this.#ask((exchange) => exchange.fetchBalance()))
  }

  /** Coins that have no market here for dollars have no price and are left out. */
  async #positionsOf({ total }: schema.Balance): Promise<Position[]> {
    const markets = await this.#client.markets().catch(this.#rethrow)
    const { quote } = this.#client.definition
    const held = Object.entries(total).flatMap(([coin, quantity]) => {
      const symbol = `${coin}/${quote}`
      return quantity?.isPositive && markets.has(symbol) ? [{ coin, symbol, quantity }] : []
    })
    if (held.length === 0) return []
    const symbols = held.map(({ symbol }) => symbol)
    const prices = this.#read(schema.Tickers, await this.#ask((exchange) => exchange.fetchTickers(symbols)))
    return held.map(({ coin, symbol, quantity }) =>
      mapping.toPosition(coin, quantity, prices[symbol]?.last ?? Decimal.zero),
    )
  }

  async #marketOf({ ticker, timeInForce }: OrderRequest): Promise<string> {
    const { definition } = this.#client
    const symbol = mapping.symbolOf(ticker, definition)
    const markets = await this.#client.markets().catch(this.#rethrow)
    if (symbol === undefined || !markets.has(symbol)) {
      throw new Problem(
        'invalid',
        'broker.no-market',
        `${definition.name} has no market for ${ticker} in ${definition.quote}.`,
      )
    }
    if (timeInForce === 'opg' || timeInForce === 'cls') {
      throw new Problem('invalid', 'broker.no-auction', `${definition.name} has no opening and closing auctions.`)
    }
    return symbol
  }

  /** Asks one market after the other where few are wanted: at Binance the list of all costs as much as 13 of them. */
  async #openOrders(tickers: readonly string[] | undefined, urgency?: Urgency): Promise<schema.Order[]> {
    const { definition } = this.#client
    const isFew = definition.listsPerMarket && tickers !== undefined && tickers.length <= MAX_SINGLE_MARKETS
    const symbols = isFew ? tickers.flatMap((ticker) => mapping.symbolOf(ticker, definition) ?? []) : [undefined]
    const found: unknown[] = []
    for (const symbol of symbols) {
      found.push(...(await this.#ask((exchange) => exchange.fetchOpenOrders(symbol), urgency)))
    }
    return this.#readOrders(found)
  }

  async #allOrders(since: number, tickers: readonly string[] = []): Promise<schema.Order[]> {
    const symbols = this.#client.definition.listsPerMarket ? await this.#marketsOf(tickers) : [undefined]
    const found: unknown[] = []
    for (const symbol of symbols) {
      found.push(...(await this.#ask((exchange) => exchange.fetchOrders(symbol, since || undefined))))
    }
    return this.#readOrders(found)
  }

  #readOrders(elements: readonly unknown[]): schema.Order[] {
    const own = elements.filter((order) => this.#isOwn(order))
    return readEach(schema.Order, { service: this.#client.definition.id, list: 'orders', elements: own }, this.#log)
  }

  /** Orders and executions of other currencies are no concern of this account. */
  readonly #isOwn = (sent: unknown): boolean =>
    String((sent as { symbol?: unknown } | null)?.symbol).endsWith(`/${this.#client.definition.quote}`)

  /** Markets that may have orders or executions: of coins that are held, that were traded, or that are asked for. */
  async #marketsOf(tickers: readonly string[]): Promise<string[]> {
    const { definition } = this.#client
    const markets = await this.#client.markets().catch(this.#rethrow)
    const { total } = await this.#balance()
    const held = Object.keys(total).filter((coin) => total[coin]?.isPositive)
    const asked = tickers.flatMap((ticker) => mapping.symbolOf(ticker, definition) ?? [])
    const all = [...held.map((coin) => `${coin}/${definition.quote}`), ...asked, ...this.#traded]
    return [...new Set(all)].filter((symbol) => markets.has(symbol))
  }

  /** Oldest first, each once. */
  async #trades(since: UtcMillis, tickers: readonly string[]): Promise<schema.Trade[]> {
    const { definition } = this.#client
    const symbols = definition.listsPerMarket ? await this.#marketsOf(tickers) : [undefined]
    const found: unknown[] = []
    for (const symbol of symbols) found.push(...(await this.#tradesIn(symbol, since)))
    const own = found.filter(this.#isOwn)
    const read = readEach(schema.Trade, { service: definition.id, list: 'executions', elements: own }, this.#log)
    const once = new Map(read.map((trade) => [`${trade.symbol} ${trade.id}`, trade]))
    return [...once.values()].filter(({ timestamp }) => timestamp >= since).sort((a, b) => a.timestamp - b.timestamp)
  }

  async #tradesIn(symbol: string | undefined, since: UtcMillis): Promise<unknown[]> {
    const { definition } = this.#client
    const pages = new PageCount(
      MAX_TRADE_PAGES,
      'executions',
      (reason) =>
        new Problem('upstream', 'broker.malformed', `${definition.name} sent a list that is too long: ${reason}.`),
    )
    return this.#ask(async (exchange) => {
      const found: unknown[] = []
      for await (const page of definition.trades(exchange, symbol, since)) {
        pages.next()
        found.push(...page)
      }
      return found
    })
  }

  /** Executions name the exchange's order only. */
  async #clientIdOf({ order, symbol }: schema.Trade): Promise<string> {
    const { definition } = this.#client
    const key = mapping.idIn(definition, symbol, order)
    const known = this.#clientIds.get(key)
    if (known !== undefined) return known
    const found = await this.#find((exchange) => exchange.fetchOrder(order, symbol))
    const clientOrderId = found ? mapping.toOrder(found, definition).clientOrderId : key
    if (this.#clientIds.size >= MAX_KNOWN_ORDERS) this.#clientIds.clear()
    this.#clientIds.set(key, clientOrderId)
    return clientOrderId
  }

  /** A sandbox has no deposits and withdrawals. */
  async #flows(since: UtcMillis): Promise<CashActivity[]> {
    const { definition, isPaper } = this.#client
    if (isPaper || !definition.listsFlows) return []
    const from = since > 0 ? since : undefined
    const elements = [
      ...(await this.#ask((exchange) => exchange.fetchDeposits(undefined, from))),
      ...(await this.#ask((exchange) => exchange.fetchWithdrawals(undefined, from))),
    ]
    const read = readEach(schema.Flow, { service: definition.id, list: 'deposits', elements }, this.#log)
    return read.flatMap((flow) => mapping.toFlow(flow, definition) ?? []).filter(({ at }) => at >= since)
  }
}

const taken = (name: string): Problem =>
  new Problem('conflict', 'broker.order-refused', `${name} already has an order with this id.`)
