import { Decimal } from '@tradewright/core/decimal'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { isMarketOpen } from '@tradewright/engine/trading/market-hours'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { activityId, type StandInActivity, uuid } from './activities.ts'

export interface StandInOrder {
  readonly id: string
  readonly clientOrderId: string
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  readonly qty: Decimal | undefined
  readonly notional: Decimal | undefined
  readonly type: string
  readonly timeInForce: string
  readonly limitPrice: Decimal | undefined
  readonly createdAt: number
  status: string
  filledQty: Decimal
  filledValue: Decimal
  endedAt: number | undefined
  rejectReason: string | undefined
  replaces?: string
  replacedBy?: string
}

interface StandInActionPart {
  readonly type: string
  readonly symbol: string
  readonly qty?: string
  readonly amount?: string
  readonly description?: string
  readonly price?: string
}

interface HistoryDay {
  readonly date: string
  readonly equity: number | null
}

const OPEN = new Set(['accepted', 'new', 'pending_new', 'partially_filled'])

export const isOpen = ({ status }: StandInOrder): boolean => OPEN.has(status)
export const isCoin = (symbol: string): boolean => symbol.includes('/')
export const decimal = (text: string | number): Decimal => Decimal.parse(String(text))

/** One account at the stand-in: everything in it may be read and changed by a test. */
export class AlpacaAccountState {
  /** The broker's own name for it, whatever keys open it. */
  id: string
  readonly orders: StandInOrder[] = []
  /** Ascending by id. */
  readonly activities: StandInActivity[] = []
  readonly positions = new Map<string, { qty: Decimal; cost: Decimal }>()
  readonly prices = new Map<string, Decimal>()
  /** What it values positions at, where that is not the price. */
  readonly wrongPrices = new Map<string, Decimal>()
  readonly untradable = new Set<string>()
  /** In a trading halt: orders are taken and rest. */
  readonly halted = new Set<string>()
  /** Shares that Alpaca cannot borrow easily. */
  readonly hardToBorrow = new Set<string>()
  /** Set, it replaces the history that the account would tell by itself. */
  history: readonly HistoryDay[] | undefined
  cash: Decimal
  lastEquity: Decimal
  multiplier = '2'
  /** Set, it allows no more than this, whatever the account is worth. */
  buyingPowerLimit: Decimal | undefined
  /** The proceeds of sales of stocks count as settled at once; otherwise when `settleSales` is called. */
  settlesAtOnce = true
  unsettled = Decimal.zero
  /** Charged for trading coins, as a share: in the coin for purchases, in dollars for sales. */
  coinFee = Decimal.zero
  status = 'ACTIVE'
  areKeysRevoked = false
  /** More keys of the same account; their secret is the same. */
  readonly otherKeyIds = new Set<string>()
  isShortingEnabled = false
  tradingBlocked = false
  createdAt: string
  /** Market orders are filled when they arrive, while the market is open and a price is known. */
  fillsAtOnce = false
  /** The share of what is open that one trade fills. */
  partialFill = 1
  /** The next order is taken and then rejected for this reason. */
  rejectNext: string | undefined
  /** The next order is refused with this answer. */
  refuseNext: { status: number; body: object } | undefined
  /** Called for executions and ends. */
  onOrder: (event: string, order: StandInOrder) => void = () => {}
  readonly #now: () => number
  #ids = 0

  constructor(id: string, cash: string, now: () => number) {
    this.id = id
    this.cash = decimal(cash)
    this.lastEquity = this.cash
    this.#now = now
    this.createdAt = new Date(now() - 30 * 86_400_000).toISOString()
  }

  get now(): number {
    return this.#now()
  }

  get equity(): Decimal {
    return [...this.positions].reduce((sum, [symbol, { qty }]) => sum.plus(qty.times(this.priceOf(symbol))), this.cash)
  }

  get buyingPower(): Decimal {
    if (this.buyingPowerLimit) return this.buyingPowerLimit
    const invested = [...this.positions].reduce(
      (sum, [symbol, { qty }]) => sum.plus(qty.absolute().times(this.priceOf(symbol))),
      Decimal.zero,
    )
    const power = this.equity.times(decimal(this.multiplier)).minus(invested)
    return power.isNegative ? Decimal.zero : power
  }

  /** What may be spent without margin: settled cash. */
  get nonMarginableBuyingPower(): Decimal {
    const settled = this.cash.minus(this.unsettled)
    return settled.isNegative ? Decimal.zero : settled
  }

  /** A session has passed since the last sales. */
  settleSales(): void {
    this.unsettled = Decimal.zero
  }

  priceOf(symbol: string): Decimal {
    const held = this.positions.get(symbol)
    return this.prices.get(symbol) ?? (held ? held.cost.dividedBy(held.qty) : Decimal.zero)
  }

  isOpenFor(symbol: string): boolean {
    return isCoin(symbol) || isMarketOpen(nyse, this.#now())
  }

  /** Money from or to the outside, a dividend, a fee: whatever the code says. */
  book(type: string, amount: string, date = formatDate(epochDayOf(this.#now())), more: object = {}): void {
    this.cash = this.cash.plus(decimal(amount))
    this.load([
      {
        id: activityId(`${date}T00:00:00Z`, ++this.#ids),
        activity_type: type,
        date,
        net_amount: amount,
        status: 'executed',
        ...more,
      },
    ])
  }

  /**
   * A corporate action or an event of an option, in its parts: shares and money move, and each part is listed as Alpaca
   * does. Answers the ids.
   */
  act(parts: readonly StandInActionPart[], group?: string): string[] {
    const date = formatDate(epochDayOf(this.#now()))
    const listed = parts.map(({ type, symbol, qty = '0', amount = '0', ...more }) => {
      this.move(symbol, qty)
      this.cash = this.cash.plus(decimal(amount))
      return {
        id: activityId(`${date}T00:00:00Z`, ++this.#ids),
        activity_type: type,
        date,
        symbol,
        qty,
        net_amount: amount,
        status: 'executed',
        ...(group !== undefined && { group_id: group }),
        ...more,
      }
    })
    this.load(listed)
    return listed.map(({ id }) => id)
  }

  /** Shares come or go without an execution, and nothing tells why. */
  move(symbol: string, qty: string): void {
    const { qty: held, cost } = this.positions.get(symbol) ?? { qty: Decimal.zero, cost: Decimal.zero }
    const total = held.plus(decimal(qty))
    if (total.isZero) this.positions.delete(symbol)
    else this.positions.set(symbol, { qty: total, cost })
  }

  /** Changes an activity that is listed, as a broker does that corrects or cancels it. */
  change(id: string, changes: object): void {
    const place = this.activities.findIndex((activity) => activity.id === id)
    this.activities[place] = { ...this.activities[place]!, ...changes }
  }

  /** Activities of the past, without touching the cash. */
  load(activities: readonly StandInActivity[]): void {
    this.activities.push(...activities)
    this.activities.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** The market trades at this price, and open orders of the symbol with it. */
  trade(symbol: string, price: string): void {
    this.prices.set(symbol, decimal(price))
    for (const order of this.orders.filter((one) => one.symbol === symbol && isOpen(one)))
      this.#fillAt(order, decimal(price))
  }

  /** A part of an order, or all of it, is executed. */
  fill(clientOrderId: string, qty: string, price: string): void {
    const order = this.orders.find((one) => one.clientOrderId === clientOrderId)
    if (!order) throw new Error(`the stand-in has no order ${clientOrderId}`)
    this.#execute(order, decimal(qty), decimal(price))
  }

  add(
    order: Omit<StandInOrder, 'id' | 'createdAt' | 'status' | 'filledQty' | 'filledValue' | 'endedAt' | 'rejectReason'>,
  ): StandInOrder {
    const taken: StandInOrder = {
      ...order,
      id: uuid(++this.#ids),
      createdAt: this.#now(),
      status: this.isOpenFor(order.symbol) ? 'new' : 'accepted',
      filledQty: Decimal.zero,
      filledValue: Decimal.zero,
      endedAt: undefined,
      rejectReason: undefined,
    }
    this.orders.push(taken)
    if (this.rejectNext !== undefined) this.end(taken, 'rejected', this.rejectNext)
    this.rejectNext = undefined
    const price = this.prices.get(taken.symbol)
    const isForAuction = taken.timeInForce === 'opg' || taken.timeInForce === 'cls'
    if (this.fillsAtOnce && price && isOpen(taken) && this.isOpenFor(taken.symbol) && !isForAuction)
      this.#fillAt(taken, price)
    return taken
  }

  /** As a user does in Alpaca's app: another order, with ids of its own, takes the place of an open one. */
  replace(order: StandInOrder, qty: string): StandInOrder {
    const { symbol, side, type, timeInForce, limitPrice } = order
    order.status = 'replaced'
    order.endedAt = this.#now()
    const clientOrderId = uuid(++this.#ids)
    const size = { qty: decimal(qty), notional: undefined }
    const next = this.add({ clientOrderId, symbol, side, type, timeInForce, limitPrice, ...size, replaces: order.id })
    order.replacedBy = next.id
    return next
  }

  end(order: StandInOrder, status: string, reason?: string): void {
    order.status = status
    order.endedAt = this.#now()
    order.rejectReason = reason
    this.onOrder(status, order)
  }

  #fillAt(order: StandInOrder, price: Decimal): void {
    if (this.halted.has(order.symbol)) return
    const { limitPrice, side } = order
    if (limitPrice && (side === 'buy' ? limitPrice.isBelow(price) : price.isBelow(limitPrice))) return
    const wanted = (order.qty ?? order.notional!.dividedBy(price)).minus(order.filledQty)
    const part = this.partialFill < 1 ? wanted.times(Decimal.fromNumber(this.partialFill)) : wanted
    const cost = part.times(price)
    if (side === 'buy' && this.buyingPower.isBelow(cost)) return this.end(order, 'canceled')
    this.#execute(order, part, price)
  }

  #execute(order: StandInOrder, qty: Decimal, price: Decimal): void {
    const fee = isCoin(order.symbol) ? qty.times(this.coinFee) : Decimal.zero
    const traded = order.side === 'buy' ? qty : qty.negated()
    this.cash = this.cash.minus(traded.times(price))
    if (order.side === 'sell') this.cash = this.cash.minus(fee.times(price))
    if (order.side === 'sell' && !this.settlesAtOnce) this.unsettled = this.unsettled.plus(qty.times(price))
    const signed = order.side === 'buy' ? qty.minus(fee) : traded
    const held = this.positions.get(order.symbol) ?? { qty: Decimal.zero, cost: Decimal.zero }
    const total = held.qty.plus(signed)
    if (total.isZero) this.positions.delete(order.symbol)
    else this.positions.set(order.symbol, { qty: total, cost: costAfter(held, signed, price) })
    if (!this.prices.has(order.symbol)) this.prices.set(order.symbol, price)
    order.filledQty = order.filledQty.plus(qty)
    order.filledValue = order.filledValue.plus(qty.times(price))
    const wanted = order.qty ?? order.notional!.dividedBy(price)
    const isWhole = !order.filledQty.isBelow(wanted)
    order.status = isWhole ? 'filled' : 'partially_filled'
    if (isWhole) order.endedAt = this.#now()
    const at = new Date(this.#now()).toISOString()
    this.load([
      {
        id: activityId(at, ++this.#ids),
        activity_type: 'FILL',
        transaction_time: at,
        type: isWhole ? 'fill' : 'partial_fill',
        price: String(price),
        qty: String(qty),
        side: order.side,
        symbol: order.symbol,
        leaves_qty: String(isWhole ? 0 : wanted.minus(order.filledQty)),
        order_id: order.id,
        cum_qty: String(order.filledQty),
        order_status: order.status,
      },
    ])
    this.onOrder(isWhole ? 'fill' : 'partial_fill', order)
  }
}

function costAfter(held: { qty: Decimal; cost: Decimal }, signed: Decimal, price: Decimal): Decimal {
  if (held.qty.isZero || held.qty.isNegative === signed.isNegative) return held.cost.plus(signed.times(price))
  return held.cost.times(held.qty.plus(signed).dividedBy(held.qty))
}
