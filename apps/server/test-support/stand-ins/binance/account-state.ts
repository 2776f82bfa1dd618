import { Decimal } from '@tradewright/core/decimal'

export interface BinanceOrder {
  readonly orderId: number
  readonly symbol: string
  readonly clientOrderId: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'MARKET' | 'LIMIT'
  readonly timeInForce: string
  readonly origQty: Decimal | undefined
  readonly origQuoteOrderQty: Decimal | undefined
  readonly price: Decimal
  readonly time: number
  status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'REJECTED'
  executedQty: Decimal
  cummulativeQuoteQty: Decimal
  updateTime: number
}

export interface BinanceTrade {
  readonly id: number
  readonly symbol: string
  readonly orderId: number
  readonly price: Decimal
  readonly qty: Decimal
  readonly commission: Decimal
  readonly commissionAsset: string
  readonly time: number
  readonly isBuyer: boolean
}

export interface BinanceRefusal {
  readonly status: number
  readonly code: number
  readonly msg: string
}

const INSUFFICIENT: BinanceRefusal = {
  status: 400,
  code: -2010,
  msg: 'Account has insufficient balance for requested action.',
}

export const decimal = (text: string | number): Decimal => Decimal.parse(String(text))

export const isOpen = ({ status }: BinanceOrder): boolean => status === 'NEW' || status === 'PARTIALLY_FILLED'

const QUOTE = 'USDT'

export const baseOf = (symbol: string): string => symbol.slice(0, -QUOTE.length)

type NewOrder = Pick<
  BinanceOrder,
  'symbol' | 'clientOrderId' | 'side' | 'type' | 'timeInForce' | 'origQty' | 'origQuoteOrderQty' | 'price'
>

/** A spot account at the stand-in. All of it may be read and changed by a test. */
export class BinanceAccountState {
  readonly uid = 354937868
  readonly totals = new Map<string, Decimal>()
  readonly prices = new Map<string, Decimal>()
  readonly orders: BinanceOrder[] = []
  readonly trades: BinanceTrade[] = []
  /** Symbols that do not trade now. */
  readonly halted = new Set<string>()
  canTrade = true
  /** Set, no more of the money is free. */
  freeLimit: Decimal | undefined
  /** Quantities are multiples of this. */
  stepSize = decimal('0.00001')
  /** Charged as a share: in the coin for purchases, in money for sales, or in this asset if it is named. */
  commission = Decimal.zero
  commissionAsset: string | undefined
  fillsAtOnce = false
  /** The share of what is open that one trade fills. */
  partialFill = 1
  /** The next order is refused with this. */
  refuseNext: BinanceRefusal | undefined
  /** The next order is taken, and then rejected. */
  rejectsNext = false
  readonly #now: () => number
  #ids = 27

  constructor(cash: string, now: () => number) {
    this.totals.set(QUOTE, decimal(cash))
    this.#now = now
  }

  totalOf(asset: string): Decimal {
    return this.totals.get(asset) ?? Decimal.zero
  }

  /** What open orders hold is locked. */
  lockedOf(asset: string): Decimal {
    const held = this.orders.filter(isOpen).reduce((sum, order) => sum.plus(this.#heldBy(order, asset)), Decimal.zero)
    const total = this.totalOf(asset)
    const beyond = asset === QUOTE && this.freeLimit ? total.minus(this.freeLimit) : Decimal.zero
    const locked = held.isBelow(beyond) ? beyond : held
    return total.isBelow(locked) ? total : locked
  }

  add(order: NewOrder): BinanceOrder | BinanceRefusal {
    const refusal = this.refuseNext ?? this.#unpaid(order)
    this.refuseNext = undefined
    if (refusal) return refusal
    const now = this.#now()
    const taken: BinanceOrder = {
      ...order,
      orderId: ++this.#ids,
      time: now,
      status: this.rejectsNext ? 'REJECTED' : 'NEW',
      executedQty: Decimal.zero,
      cummulativeQuoteQty: Decimal.zero,
      updateTime: now,
    }
    this.rejectsNext = false
    this.orders.push(taken)
    const price = this.prices.get(order.symbol)
    if (this.fillsAtOnce && price && isOpen(taken)) this.#fillAt(taken, price)
    return taken
  }

  /** The market trades at this price, and open orders with it. */
  trade(symbol: string, price: string): void {
    this.prices.set(symbol, decimal(price))
    for (const order of this.orders.filter((one) => one.symbol === symbol && isOpen(one)))
      this.#fillAt(order, decimal(price))
  }

  end(order: BinanceOrder, status: BinanceOrder['status']): void {
    order.status = status
    order.updateTime = this.#now()
  }

  #heldBy(order: BinanceOrder, asset: string): Decimal {
    if (order.side === 'SELL') {
      return asset === baseOf(order.symbol) ? order.origQty!.minus(order.executedQty) : Decimal.zero
    }
    return asset === QUOTE ? this.#costOf(order).minus(order.cummulativeQuoteQty) : Decimal.zero
  }

  #costOf({ symbol, origQty, origQuoteOrderQty, price }: NewOrder): Decimal {
    const market = this.prices.get(symbol) ?? Decimal.zero
    return origQuoteOrderQty ?? origQty!.times(price.isZero ? market : price)
  }

  #unpaid(order: NewOrder): BinanceRefusal | undefined {
    const asset = order.side === 'BUY' ? QUOTE : baseOf(order.symbol)
    const free = this.totalOf(asset).minus(this.lockedOf(asset))
    return free.isBelow(order.side === 'BUY' ? this.#costOf(order) : order.origQty!) ? INSUFFICIENT : undefined
  }

  #fillAt(order: BinanceOrder, price: Decimal): void {
    const { side, origQty, origQuoteOrderQty, price: limit } = order
    const isReached = limit.isZero || !(side === 'BUY' ? limit.isBelow(price) : price.isBelow(limit))
    if (!isReached) return
    const whole = origQty ?? this.inSteps(origQuoteOrderQty!.dividedBy(price))
    const left = whole.minus(order.executedQty)
    const part = this.partialFill < 1 ? this.inSteps(left.times(Decimal.fromNumber(this.partialFill))) : left
    if (side === 'BUY' && this.totalOf(QUOTE).isBelow(part.times(price))) return this.end(order, 'EXPIRED')
    this.#execute(order, part, price)
    const isDone = order.executedQty.equals(whole)
    this.end(order, isDone ? 'FILLED' : 'PARTIALLY_FILLED')
  }

  inSteps(quantity: Decimal): Decimal {
    const step = this.stepSize.billionths
    return new Decimal((quantity.billionths / step) * step)
  }

  #execute(order: BinanceOrder, qty: Decimal, price: Decimal): void {
    const value = qty.times(price)
    const base = baseOf(order.symbol)
    const isBuyer = order.side === 'BUY'
    this.#move(base, isBuyer ? qty : qty.negated())
    this.#move(QUOTE, isBuyer ? value.negated() : value)
    const asset = this.commissionAsset ?? (isBuyer ? base : QUOTE)
    const commission = (asset === base ? qty : value).times(this.commission).rounded(8)
    this.#move(asset, commission.negated())
    order.executedQty = order.executedQty.plus(qty)
    order.cummulativeQuoteQty = order.cummulativeQuoteQty.plus(value)
    this.trades.push({
      id: ++this.#ids,
      symbol: order.symbol,
      orderId: order.orderId,
      price,
      qty,
      commission,
      commissionAsset: asset,
      time: this.#now(),
      isBuyer,
    })
  }

  #move(asset: string, amount: Decimal): void {
    this.totals.set(asset, this.totalOf(asset).plus(amount))
  }
}
