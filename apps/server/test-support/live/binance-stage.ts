import { Decimal } from '@tradewright/core/decimal'
import type { Broker } from '@tradewright/engine/trading/broker'
import { clientOrderId, readClientOrderId } from '@tradewright/engine/trading/client-order-id'
import type { Order, OrderState } from '@tradewright/engine/trading/order'
import { randomUUID } from 'node:crypto'
import { exchangeAccounts } from '../../src/adapters/ccxt/exchange-accounts.ts'
import { exchangeDefinitions } from '../../src/adapters/ccxt/exchanges.ts'
import { RateBuckets } from '../../src/adapters/http/rate-bucket.ts'
import { fetchTransport } from '../../src/adapters/http/transport.ts'
import { RecordedLog } from '../recorded-log.ts'
import { baseOf, type BinanceOrder, type BinanceRefusal, isOpen } from '../stand-ins/binance/account-state.ts'
import { BINANCE_KEYS, type BinanceStandIn, startBinanceStandIn } from '../stand-ins/binance/binance.ts'
import type { Fault, StandInRequest } from '../stand-ins/stand-in.ts'
import type { BrokerStage, PlaceFault } from './broker-stage.ts'
import { ImpatientTiming, type StageMarket } from './alpaca-stage.ts'

const ON_THE_WIRE: Readonly<Partial<Record<PlaceFault, Fault>>> = {
  'answer-lost': 'lost-answer',
  'answer-late': 'lost-and-slow',
  'not-arrived': 'slow',
  'error-500': 'internal-error',
  'limited-429': 'limited',
  reset: 'down',
}

const REFUSAL: BinanceRefusal = {
  status: 400,
  code: -2010,
  msg: 'Account has insufficient balance for requested action.',
}

/** The stories are about stocks: the stand-in has coins of their names, and the port shows them without the dollar. */
const coinOf = (ticker: string): string => `${ticker}-USD`
const stockOf = (ticker: string): string => ticker.replace(/-USD$/, '')
const symbolOf = (ticker: string): string => `${stockOf(ticker)}USDT`

function renamedId(id: string, rename: (ticker: string) => string): string {
  const parts = readClientOrderId(id)
  return parts ? clientOrderId(parts.deploymentKey, parts.decidedFor, rename(parts.ticker), parts.leg, parts.part) : id
}

const shown = <Named extends { readonly ticker?: string | undefined; readonly clientOrderId?: string }>(
  one: Named,
) => ({
  ...one,
  ...(one.ticker !== undefined && { ticker: stockOf(one.ticker) }),
  ...(one.clientOrderId !== undefined && { clientOrderId: renamedId(one.clientOrderId, stockOf) }),
})

const asStocks = (broker: Broker): Broker => ({
  ...broker,
  positions: async () => (await broker.positions()).map(shown),
  place: async (request) =>
    shown(
      await broker.place({
        ...request,
        ticker: coinOf(request.ticker),
        clientOrderId: renamedId(request.clientOrderId, coinOf),
      }),
    ),
  async orderByClientId(id, urgency) {
    const order = await broker.orderByClientId(renamedId(id, coinOf), urgency)
    return order && shown(order)
  },
  async orders({ tickers, ...filter }, urgency) {
    return (await broker.orders({ ...filter, ...(tickers && { tickers: tickers.map(coinOf) }) }, urgency)).map(shown)
  },
  fills: async (since, tickers = []) => (await broker.fills(since, tickers.map(coinOf))).map(shown),
  async activities({ tickers = [], ...query }) {
    const { activities, next } = await broker.activities({ ...query, tickers: tickers.map(coinOf) })
    return { activities: activities.map(shown), next }
  },
  async asset(ticker) {
    const asset = await broker.asset(coinOf(ticker))
    return asset && shown(asset)
  },
})

/** The stand-in of Binance on loopback, reached by the adapter through ccxt and real HTTP. */
export const binanceStage = (market: StageMarket): Promise<BinanceStage> =>
  // As exact as shares, so that the stories end with the same figures.
  stageOf(market, { coins: ['SPY', 'TLT', 'GLD'], stepSize: '0.000000001' }, true)

/** The same with coins under their own tickers, and Binance's own steps. */
export const binanceCoinStage = (market: StageMarket): Promise<BinanceStage> =>
  stageOf(market, { coins: ['BTC', 'ETH'] }, false)

async function stageOf(
  { clock, quotes, cash }: StageMarket,
  options: Parameters<typeof startBinanceStandIn>[1],
  areStocks: boolean,
): Promise<BinanceStage> {
  const skew = { milliseconds: 0 }
  const timing = new ImpatientTiming(clock)
  const standIn = await startBinanceStandIn(() => timing.now() + skew.milliseconds, {
    cash,
    ...options,
  })
  return new BinanceStage(standIn, timing, { quotes, skew, areStocks })
}

interface StageParts {
  readonly quotes: ReadonlyMap<string, Decimal>
  readonly skew: { milliseconds: number }
  /** Coins are shown under the names of stocks. */
  readonly areStocks: boolean
}

export class BinanceStage implements BrokerStage {
  readonly standIn: BinanceStandIn
  readonly broker: Broker
  readonly placeFaults: PlaceFault[] = []
  isAway = false
  holdsFills = false
  quoteAge = 0
  readonly #quotes: ReadonlyMap<string, Decimal>
  readonly #skew: { milliseconds: number }
  readonly #areStocks: boolean

  constructor(standIn: BinanceStandIn, timing: ImpatientTiming, { quotes, skew, areStocks }: StageParts) {
    this.standIn = standIn
    this.#quotes = quotes
    this.#skew = skew
    standIn.faultOf = (request) => this.#faultOf(request)
    standIn.onStall = () => timing.expire()
    const surroundings = { transport: fetchTransport, timing, buckets: new RateBuckets(timing), log: new RecordedLog() }
    const definition = exchangeDefinitions.find(({ id }) => id === 'binance')!
    const signal = new AbortController().signal
    const broker = exchangeAccounts(definition, standIn.url, surroundings, signal)(BINANCE_KEYS, true)
    this.#areStocks = areStocks
    this.broker = areStocks ? asStocks(broker) : broker
  }

  get hidesFills(): boolean {
    return this.standIn.quirks.hidesTrades
  }

  set hidesFills(hides: boolean) {
    this.standIn.quirks.hidesTrades = hides
  }

  get tellsFillsTimes(): number {
    return this.standIn.quirks.tradeTimes
  }

  set tellsFillsTimes(times: number) {
    this.standIn.quirks.tradeTimes = times
  }

  get halted(): Set<string> {
    return this.standIn.account.halted
  }

  get clockSkew(): number {
    return this.#skew.milliseconds
  }

  set clockSkew(milliseconds: number) {
    this.#skew.milliseconds = milliseconds
  }

  get blockedBecause(): string | undefined {
    return this.standIn.account.canTrade ? undefined : 'trading is blocked'
  }

  set blockedBecause(reason: string | undefined) {
    this.standIn.account.canTrade = reason === undefined
  }

  get buyingPower(): Decimal | undefined {
    return this.standIn.account.freeLimit
  }

  set buyingPower(limit: Decimal | undefined) {
    this.standIn.account.freeLimit = limit
  }

  get violations(): readonly string[] {
    return this.standIn.violations
  }

  trade(): void {
    for (const [ticker, price] of this.#quotes) this.standIn.account.trade(symbolOf(ticker), String(price))
  }

  fillPart(ticker: string, share: number): void {
    const { account } = this.standIn
    account.partialFill = share
    account.trade(symbolOf(ticker), String(this.#quotes.get(ticker)))
    account.partialFill = 1
  }

  async cancelByHand(ticker: string): Promise<void> {
    const { account } = this.standIn
    for (const order of account.orders)
      if (order.symbol === symbolOf(ticker) && isOpen(order)) account.end(order, 'CANCELED')
  }

  async tradeByHand(side: 'buy' | 'sell', ticker: string, quantity: string): Promise<void> {
    this.#quote()
    const { account } = this.standIn
    account.fillsAtOnce = true
    account.add({
      symbol: symbolOf(ticker),
      clientOrderId: `web_${randomUUID().replaceAll('-', '')}`,
      side: side === 'buy' ? 'BUY' : 'SELL',
      type: 'MARKET',
      timeInForce: 'GTC',
      origQty: Decimal.parse(quantity),
      origQuoteOrderQty: undefined,
      price: Decimal.zero,
    })
  }

  multiplyShares(ticker: string, factor: string): void {
    const { totals } = this.standIn.account
    totals.set(ticker, totals.get(ticker)!.times(Decimal.parse(factor)))
  }

  async ordersTaken(): Promise<Order[]> {
    const orders = this.standIn.account.orders.map(takenOrder)
    return (this.#areStocks ? orders.map(shown) : orders).toReversed()
  }

  async cashHeld(): Promise<Decimal> {
    return this.standIn.account.totalOf('USDT')
  }

  close(): Promise<void> {
    return this.standIn.close()
  }

  #faultOf({ method, path }: StandInRequest): Fault | undefined {
    this.#quote()
    const { account } = this.standIn
    account.fillsAtOnce = !this.holdsFills
    if (this.isAway) return 'down'
    if (method !== 'POST' || path !== '/api/v3/order') return undefined
    const fault = this.placeFaults.shift()
    if (fault === 'refused') account.refuseNext = REFUSAL
    else if (fault === 'rejected') account.rejectsNext = true
    return fault && ON_THE_WIRE[fault]
  }

  #quote(): void {
    const { prices } = this.standIn.account
    for (const [ticker, price] of this.#quotes) prices.set(symbolOf(ticker), price)
  }
}

const STATES: Readonly<Record<BinanceOrder['status'], OrderState>> = {
  NEW: 'accepted',
  PARTIALLY_FILLED: 'partially_filled',
  FILLED: 'filled',
  CANCELED: 'canceled',
  EXPIRED: 'expired',
  REJECTED: 'rejected',
}

const takenOrder = (order: BinanceOrder): Order => ({
  id: `${baseOf(order.symbol)}/USDT:${order.orderId}`,
  clientOrderId: order.clientOrderId,
  ticker: coinOf(baseOf(order.symbol)),
  side: order.side === 'BUY' ? 'buy' : 'sell',
  size: { quantity: order.origQty ?? order.executedQty },
  execution: { type: 'market' },
  timeInForce: 'gtc',
  state: STATES[order.status],
  filledQuantity: order.executedQty,
  averageFillPrice: undefined,
  submittedAt: order.time,
  endedAt: undefined,
  reason: undefined,
})
