import type { Clock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import type { Broker } from '@tradewright/engine/trading/broker'
import type { Order } from '@tradewright/engine/trading/order'
import { randomUUID } from 'node:crypto'
import { alpacaBroker } from '../../src/adapters/alpaca/broker.ts'
import { alpacaClient, alpacaHttp } from '../../src/adapters/alpaca/http.ts'
import { toOrder } from '../../src/adapters/alpaca/order-mapping.ts'
import { alpacaQuotes } from '../../src/adapters/alpaca/quotes.ts'
import { AlpacaOrder } from '../../src/adapters/alpaca/schema.ts'
import { toAlpacaSymbol } from '../../src/adapters/alpaca/symbols.ts'
import { RateBuckets } from '../../src/adapters/http/rate-bucket.ts'
import { type Timing, fetchTransport } from '../../src/adapters/http/transport.ts'
import { RecordedLog } from '../recorded-log.ts'
import { isOpen } from '../stand-ins/alpaca/account-state.ts'
import {
  type AlpacaStandIn,
  type AlpacaStandInOptions,
  STAND_IN_KEYS,
  startAlpacaStandIn,
} from '../stand-ins/alpaca/alpaca.ts'
import { orderBody } from '../stand-ins/alpaca/answers.ts'
import type { Fault, StandInRequest } from '../stand-ins/stand-in.ts'
import type { BrokerStage, PlaceFault } from './broker-stage.ts'

/** Each fault on the wire; refusals and rejections are the account's own answers. */
const ON_THE_WIRE: Readonly<Record<Exclude<PlaceFault, 'refused' | 'rejected' | 'wash-trade'>, Fault>> = {
  'answer-lost': 'lost-answer',
  'answer-late': 'lost-and-slow',
  'not-arrived': 'slow',
  'error-500': 'internal-error',
  'limited-429': 'limited',
  reset: 'down',
}

const REFUSAL = { status: 403, body: { code: 40310000, message: 'insufficient buying power' } }

const WASH_TRADE = {
  status: 403,
  body: {
    code: 40310000,
    message: 'potential wash trade detected. use complex orders',
    reject_reason: 'opposite side market/stop order exists',
  },
}

/** Waits take no time, and a request that is never answered times out at once. */
export class ImpatientTiming implements Timing {
  readonly #clock: Clock
  #waited = 0
  #timeouts = new Set<AbortController>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now().getTime() + this.#waited
  }

  get waitedMillis(): number {
    return this.#waited
  }

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.#waited += milliseconds
    await Promise.resolve()
  }

  timeout(): AbortSignal {
    const controller = new AbortController()
    this.#timeouts.add(controller)
    return controller.signal
  }

  expire(): void {
    const expired = this.#timeouts
    this.#timeouts = new Set()
    for (const controller of expired) controller.abort(new DOMException('timed out', 'TimeoutError'))
  }
}

export interface StageMarket {
  readonly clock: Clock
  readonly quotes: ReadonlyMap<string, Decimal>
  readonly cash: string
}

/** The stand-in of Alpaca on loopback, reached by the real adapter through real HTTP. */
export async function alpacaStage(
  { clock, quotes, cash }: StageMarket,
  options: Pick<AlpacaStandInOptions, 'symbols' | 'callsPerMinute'> = {},
): Promise<AlpacaStage> {
  const skew = { milliseconds: 0 }
  const standIn = await startAlpacaStandIn(() => clock.now().getTime() + skew.milliseconds, { cash, ...options })
  standIn.account.multiplier = '1'
  return new AlpacaStage(standIn, clock, quotes, skew)
}

export class AlpacaStage implements BrokerStage {
  readonly standIn: AlpacaStandIn
  readonly broker: Broker
  readonly placeFaults: PlaceFault[] = []
  isAway = false
  holdsFills = false
  readonly #quotes: ReadonlyMap<string, Decimal>
  readonly #skew: { milliseconds: number }
  readonly #timing: ImpatientTiming

  constructor(
    standIn: AlpacaStandIn,
    clock: Clock,
    quotes: ReadonlyMap<string, Decimal>,
    skew: { milliseconds: number },
  ) {
    this.standIn = standIn
    this.#quotes = quotes
    this.#skew = skew
    const timing = new ImpatientTiming(clock)
    this.#timing = timing
    standIn.faultOf = (request) => this.#faultOf(request)
    standIn.onStall = () => timing.expire()
    const surroundings = {
      transport: fetchTransport,
      timing,
      buckets: new RateBuckets(timing),
      log: new RecordedLog(),
    }
    const client = alpacaClient(standIn.url, STAND_IN_KEYS, surroundings)
    const never = new AbortController().signal
    this.broker = alpacaBroker({
      quotes: alpacaQuotes(standIn.url, STAND_IN_KEYS, surroundings, never),
      http: alpacaHttp(client, new AbortController().signal, surroundings.log),
      now: () => clock.now().getTime(),
    })
  }

  /** How long the adapter has waited for its allowance or between tries. */
  get waitedMillis(): number {
    return this.#timing.waitedMillis
  }

  get hidesFills(): boolean {
    return this.standIn.quirks.hidesFills
  }

  set hidesFills(hides: boolean) {
    this.standIn.quirks.hidesFills = hides
  }

  get tellsFillsTimes(): number {
    return this.standIn.quirks.fillTimes
  }

  set tellsFillsTimes(times: number) {
    this.standIn.quirks.fillTimes = times
  }

  get halted(): Set<string> {
    return this.standIn.account.untradable
  }

  get quoteAge(): number {
    return this.standIn.quirks.quoteAge
  }

  set quoteAge(milliseconds: number) {
    this.standIn.quirks.quoteAge = milliseconds
  }

  get clockSkew(): number {
    return this.#skew.milliseconds
  }

  set clockSkew(milliseconds: number) {
    this.#skew.milliseconds = milliseconds
  }

  get blockedBecause(): string | undefined {
    return this.standIn.account.tradingBlocked ? 'trading is blocked' : undefined
  }

  set blockedBecause(reason: string | undefined) {
    this.standIn.account.tradingBlocked = reason !== undefined
  }

  get buyingPower(): Decimal | undefined {
    return this.standIn.account.buyingPowerLimit
  }

  set buyingPower(limit: Decimal | undefined) {
    this.standIn.account.buyingPowerLimit = limit
  }

  get violations(): readonly string[] {
    return this.standIn.violations
  }

  trade(): void {
    this.#quote()
    const { account } = this.standIn
    for (const [ticker, price] of this.#quotes) account.trade(toAlpacaSymbol(ticker), String(price))
  }

  fillPart(ticker: string, share: number): void {
    const { account } = this.standIn
    account.partialFill = share
    account.trade(toAlpacaSymbol(ticker), String(this.#quotes.get(ticker)))
    account.partialFill = 1
  }

  async cancelByHand(ticker: string): Promise<void> {
    const { account } = this.standIn
    for (const order of account.orders)
      if (order.symbol === toAlpacaSymbol(ticker) && isOpen(order)) account.end(order, 'canceled')
  }

  async tradeByHand(side: 'buy' | 'sell', ticker: string, quantity: string): Promise<void> {
    this.#quote()
    const { account } = this.standIn
    account.fillsAtOnce = true
    account.add({
      clientOrderId: `by-hand-${randomUUID()}`,
      symbol: toAlpacaSymbol(ticker),
      side,
      qty: Decimal.parse(quantity),
      notional: undefined,
      type: 'market',
      timeInForce: 'day',
      limitPrice: undefined,
    })
  }

  multiplyShares(ticker: string, factor: string): void {
    const { positions } = this.standIn.account
    const { qty, cost } = positions.get(ticker)!
    positions.set(ticker, { qty: qty.times(Decimal.parse(factor)), cost })
  }

  async ordersTaken(): Promise<Order[]> {
    const { orders } = this.standIn.account
    return orders
      .filter(({ replacedBy }) => replacedBy === undefined)
      .map((order) => this.#withPredecessors(toOrder(AlpacaOrder.parse(orderBody(order))), order.replaces))
      .toReversed()
  }

  /** An order that was replaced by hand is still the one that was sent. */
  #withPredecessors(order: Order, replaces: string | undefined): Order {
    const before = this.standIn.account.orders.find(({ id }) => id === replaces)
    if (!before) return order
    const filledQuantity = order.filledQuantity.plus(before.filledQty)
    return this.#withPredecessors({ ...order, clientOrderId: before.clientOrderId, filledQuantity }, before.replaces)
  }

  async cashHeld(): Promise<Decimal> {
    return this.standIn.account.cash
  }

  close(): Promise<void> {
    return this.standIn.close()
  }

  #faultOf({ method, path }: StandInRequest): Fault | undefined {
    this.#quote()
    const { account } = this.standIn
    account.fillsAtOnce = !this.holdsFills
    if (this.isAway) return 'down'
    if (method !== 'POST' || path !== '/v2/orders') return undefined
    const fault = this.placeFaults.shift()
    if (fault === 'refused') account.refuseNext = REFUSAL
    else if (fault === 'wash-trade') account.refuseNext = WASH_TRADE
    else if (fault === 'rejected') account.rejectNext = 'asset halted'
    else if (fault) return ON_THE_WIRE[fault]
    return undefined
  }

  /** The market of the world is the market of the stand-in. */
  #quote(): void {
    const { prices } = this.standIn.account
    const quoted = new Map([...this.#quotes].map(([ticker, price]) => [toAlpacaSymbol(ticker), price]))
    for (const symbol of prices.keys()) if (!quoted.has(symbol)) prices.delete(symbol)
    for (const [symbol, price] of quoted) prices.set(symbol, price)
  }
}
