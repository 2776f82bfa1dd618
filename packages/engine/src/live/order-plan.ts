import { Decimal } from '@tradewright/core/decimal'
import { type Usd, usd } from '@tradewright/core/money'
import type { Note } from '@tradewright/core/note'
import type { TradableAsset } from '../trading/broker.ts'
import { tradingCosts } from '../trading/costs.ts'
import type { PriceOf, Slice } from '../trading/ledger/books.ts'
import { accountValue } from '../trading/holdings.ts'
import { tradesToReach } from '../trading/sizing.ts'
import type { OrderSide } from '../trading/order.ts'
import { orderName } from './held-orders.ts'
import { floorCents, inSteps, isPurchaseTooSmall, isSaleTooSmall } from './order-size.ts'
import type { SizedOrder } from './sized-order.ts'
import { covers, coversBeforePurchase, reopenedShorts, type Shorting, shortSales, type Trade } from './short-orders.ts'

export interface SizingInput {
  /** Target weights by trading ticker. */
  readonly weights: ReadonlyMap<string, number>
  readonly slice: Slice
  readonly priceOf: PriceOf
  readonly assetOf: (ticker: string) => TradableAsset | undefined
  /** Sold by this decision: bought back, it would only have cost the spread. */
  readonly sold?: ReadonlySet<string>
  /** Tickers among these whose sale was filled: what was sold out of may be sold short now. */
  readonly closed?: ReadonlySet<string>
  /** Absent: there are no short positions. */
  readonly shorting?: Shorting
  /** Why an order is held back, by its name, as a sentence. */
  readonly heldBack?: ReadonlyMap<string, string> | undefined
}

export interface Sizing {
  readonly orders: readonly SizedOrder[]
  /** Orders left out or cut down, and why. */
  readonly notes: readonly SizingNote[]
}

type SizingNote = Note<
  | 'no-price'
  | 'whole-shares'
  | 'not-tradable'
  | 'held-back'
  | 'not-shortable'
  | 'held-otherwise'
  | 'purchases-scaled'
  | 'awaits-settlement'
  | 'insufficient-buying-power'
  | 'purchases-cut'
>

const warning = (code: SizingNote['code'], sentence: string, ticker?: string): SizingNote => ({
  code,
  level: 'warning',
  sentence,
  ...(ticker !== undefined && { ticker }),
})

/** Whether something that was wanted is not ordered, so that the next decision tries again. */
export const isPartial = (notes: readonly Pick<Note, 'level'>[]): boolean => notes.some(({ level }) => level !== 'info')

/** The tickers that cannot be traded now, where they are all that was left out; undefined where anything else was. */
export function waitsFor(notes: readonly Pick<Note, 'level' | 'ticker'>[]): readonly string[] | undefined {
  const tickers = notes.filter(({ level }) => level !== 'info').map(({ ticker }) => ticker)
  return tickers.every((ticker) => ticker !== undefined) ? [...new Set(tickers)] : undefined
}

/** Whole shares are bought at a price that may have risen since it was known. */
export const PRICE_RESERVE = 1.01

/**
 * Signal to trades by the sizing of the backtest. Costs are not planned here: the slice pays what the broker charges. Where
 * nothing is left of a slice that is short, everything is closed: its loss would go on.
 */
function tradesOf({ weights, slice, priceOf }: SizingInput): { trades: Trade[]; unpriced: string[] } {
  const tickers = [...new Set([...weights.keys(), ...slice.positions.keys()])]
  const unpriced = tickers.filter((ticker) => !priceOf(ticker)?.isPositive)
  const priced = tickers.filter((ticker) => !unpriced.includes(ticker))
  const prices = Float64Array.from(priced, (ticker) => priceOf(ticker)!.toNumber())
  const quantities = Float64Array.from(priced, (ticker) => slice.positions.get(ticker)?.toNumber() ?? 0)
  const holdings = { cash: slice.cash.toNumber(), quantities }
  const isLost = quantities.some((quantity) => quantity < 0) && !(accountValue(holdings, prices) > 0)
  const targets = Float64Array.from(priced, (ticker) => (isLost ? 0 : (weights.get(ticker) ?? 0)))
  const trades = isLost
    ? quantities.map((quantity) => -quantity)
    : tradesToReach(targets, holdings, prices, { costs: tradingCosts(0), wholeShares: false })
  return {
    trades: priced.map((ticker, i) => ({
      ticker,
      quantity: trades[i]!,
      price: priceOf(ticker)!,
      held: slice.positions.get(ticker) ?? Decimal.zero,
      weight: targets[i]!,
    })),
    unpriced,
  }
}

/** Why an order is not sent whatever it is worth. */
function notSent({ assetOf, heldBack }: SizingInput, side: OrderSide, ticker: string, instead: string) {
  const held = heldBack?.get(orderName({ side, ticker }))
  if (held !== undefined) return warning('held-back', held, ticker)
  return assetOf(ticker)?.isTradable
    ? undefined
    : warning('not-tradable', `${ticker} cannot be traded now and ${instead}.`, ticker)
}

const isExit = ({ weight }: Trade): boolean => weight <= 0

/**
 * The first leg: sales, of borrowed shares, too, and purchases of those that are owed where the ticker is bought after that.
 * What is no longer wanted at all is sold to the last fraction.
 */
export function planSales(input: SizingInput): Sizing {
  const notes: SizingNote[] = []
  const { trades, unpriced } = tradesOf(input)
  notes.push(...unpriced.map((ticker) => warning('no-price', `${ticker} has no price and is left as it is.`)))
  const kept = neededFraction(input, trades)
  const orders = trades.flatMap((trade): SizedOrder[] => {
    const { ticker, quantity, price, held } = trade
    if (quantity >= 0 || !held.isPositive) return []
    const asset = input.assetOf(ticker)
    const why = notSent(input, 'sell', ticker, 'is left as it is')
    if (!asset || why) {
      notes.push(why!)
      return []
    }
    const isAll = isExit(trade)
    // A whole position may hold a fraction of a share that a split left.
    const steps = isAll ? { ...asset, isFractionable: true } : asset
    const sold = inSteps(isAll ? held : smaller(Decimal.fromNumber(-quantity * kept), held), steps)
    if (isSaleTooSmall(asset, sold, price, isAll)) return []
    return [{ ticker, side: 'sell', size: { quantity: sold }, estimatedValue: sold.times(price) }]
  })
  const shorts = shortSales(trades, input.assetOf, input.shorting)
  const others = [...shorts.orders, ...coversBeforePurchase(trades)]
  const held = others.flatMap(({ side, ticker }) => {
    const why = input.heldBack?.get(orderName({ side, ticker }))
    return why === undefined ? [] : [warning('held-back', why, ticker)]
  })
  return {
    orders: [...orders, ...others.filter((order) => !input.heldBack?.has(orderName(order)))],
    notes: [...notes, ...shorts.notes, ...held],
  }
}

/** The fraction of partial sales whose proceeds are spent: purchases below the broker's minimum need no money. */
function neededFraction({ assetOf }: SizingInput, trades: readonly Trade[]): number {
  const valueOf = ({ quantity, price }: Trade) => Math.abs(quantity) * price.toNumber()
  const sum = (some: readonly Trade[]) => some.reduce((total, trade) => total + valueOf(trade), 0)
  const dropped = trades.filter((trade) => {
    const asset = trade.quantity > 0 && !trade.held.isNegative ? assetOf(trade.ticker) : undefined
    return asset && isPurchaseTooSmall(asset, Decimal.fromNumber(valueOf(trade)), trade.price)
  })
  const sales = sum(trades.filter((trade) => trade.quantity < 0 && trade.held.isPositive && !isExit(trade)))
  return sales === 0 || dropped.length === 0 ? 1 : Math.max(0, 1 - sum(dropped) / sales)
}

/** A slice when the orders of the first leg have been filled as estimated. */
export function afterSales({ cash, positions }: Slice, orders: readonly SizedOrder[]): Slice {
  const left = new Map(positions)
  let money = cash
  for (const { ticker, side, size, estimatedValue } of orders) {
    const quantity = 'quantity' in size ? size.quantity : Decimal.zero
    const held = left.get(ticker) ?? Decimal.zero
    const rest = side === 'sell' ? held.minus(quantity) : held.plus(quantity)
    money = side === 'sell' ? money.plus(estimatedValue) : money.minus(estimatedValue)
    if (rest.isZero) left.delete(ticker)
    else left.set(ticker, rest)
  }
  return { cash: money, positions: left }
}

export interface BuyingLimits {
  /** The slice's cash, and what it may borrow. Purchases are scaled to it. */
  readonly spendable: Usd
  /** The account's, where proceeds of sales cannot be spent before they are settled; purchases wait for the rest. */
  readonly settledCash?: Usd | undefined
  /** The account's buying power at the broker, which refuses what exceeds it. */
  readonly buyingPower: Usd
  /** The same for what cannot be bought on margin. */
  readonly nonMarginableBuyingPower?: Usd | undefined
  /** By how many percent purchases may be cut down to fit the buying power instead of being left out. */
  readonly forgivenessPct: number
  /** The broker's charge on top, as a fraction of the value; 0 when absent. */
  readonly costRate?: number
}

interface Purchase {
  readonly asset: TradableAsset
  readonly price: Usd
  /** In dollars. */
  readonly value: number
}

/**
 * The second leg, from what the sales really brought. Dollars where the broker takes them, whole shares elsewhere. Shares that
 * are owed come first: they are given back whatever else can be paid.
 */
export function planPurchases(input: SizingInput, limits: BuyingLimits): Sizing {
  const notes: SizingNote[] = []
  const { trades } = tradesOf(input)
  const owed = givenBack(input, trades, notes)
  const paid = owed.reduce((sum, { estimatedValue }) => sum.plus(estimatedValue), Decimal.zero)
  const charged = paid.times(Decimal.fromNumber(1 + (limits.costRate ?? 0)))
  const wanted = wantedPurchases(input, trades, notes)
  const scaled = withinCash(wanted, { ...limits, spendable: limits.spendable.minus(charged) }, notes)
  const bought = withinBuyingPower(scaled, limits, notes)
  const shorts = reopenedShorts(trades, input.assetOf, input.shorting, input.closed ?? new Set())
  return { orders: [...owed, ...bought.flatMap(toOrder), ...shorts.orders], notes: [...notes, ...shorts.notes] }
}

/** Not what this decision has sold: it would only have cost the spread. */
function givenBack(input: SizingInput, trades: readonly Trade[], notes: SizingNote[]): SizedOrder[] {
  return covers(trades.filter(({ ticker }) => !input.sold?.has(ticker))).filter(({ ticker }) => {
    const why = notSent(input, 'buy', ticker, 'is left as it is')
    if (why) notes.push(why)
    return !why
  })
}

function wantedPurchases(input: SizingInput, trades: readonly Trade[], notes: SizingNote[]): Purchase[] {
  return trades.flatMap(({ ticker, quantity, price, held, weight }) => {
    if (quantity <= 0 || weight <= 0 || input.sold?.has(ticker)) return []
    if (held.isNegative || input.shorting?.heldByOthers(ticker).isNegative) {
      const why = held.isNegative ? 'it is still short' : 'the account is short of it outside of this deployment'
      notes.push(warning('held-otherwise', `${ticker} is not bought: ${why}.`))
      return []
    }
    const asset = input.assetOf(ticker)
    const why = notSent(input, 'buy', ticker, 'is not bought')
    if (asset && !why) return [{ asset, price, value: quantity * price.toNumber() }]
    notes.push(why!)
    return []
  })
}

function toOrder({ asset, price, value: wanted }: Purchase): SizedOrder[] {
  const { ticker } = asset
  const value = floorCents(Decimal.fromNumber(wanted))
  if (isPurchaseTooSmall(asset, value, price)) return []
  if (asset.isFractionable) return [{ ticker, side: 'buy', size: { notional: value }, estimatedValue: value }]
  const shares = inSteps(value.dividedBy(price.times(Decimal.fromNumber(PRICE_RESERVE))), asset)
  if (!shares.isPositive) return []
  return [{ ticker, side: 'buy', size: { quantity: shares }, estimatedValue: shares.times(price) }]
}

/** Rounding of prices and quantities is no shortfall. */
const ROUNDING_PCT = 0.1

const sumOf = (purchases: readonly Purchase[]): number => purchases.reduce((sum, { value }) => sum + value, 0)

const times = (purchases: readonly Purchase[], fraction: number): readonly Purchase[] =>
  fraction === 1 ? purchases : purchases.map((one) => ({ ...one, value: one.value * fraction }))

const dollars = (amount: number): string => usd(Decimal.fromNumber(amount))

interface Shortfall {
  /** The fraction of the purchases that the limit leaves. */
  readonly fraction: number
  readonly total: number
  readonly available: number
  readonly missingPct: number
}

/** A slice never owes the costs of what it bought. */
function shortfallOf(purchases: readonly Purchase[], limit: Usd, costRate: number): Shortfall {
  const total = sumOf(purchases)
  const available = Math.max(0, limit.toNumber())
  const fraction = total === 0 ? 1 : Math.min(1, available / (1 + costRate) / total)
  return { fraction, total, available, missingPct: total === 0 ? 0 : Math.max(0, ((total - available) / total) * 100) }
}

/**
 * Purchases are sized to the weights at prices that have moved since the sales: what they exceed the cash by is no
 * reason to buy nothing, and the slice is invested all the same.
 */
function withinCash(
  wanted: readonly Purchase[],
  { spendable, settledCash, costRate = 0 }: BuyingLimits,
  notes: SizingNote[],
): readonly Purchase[] {
  const own = shortfallOf(wanted, spendable, costRate)
  const affordable = times(wanted, own.fraction)
  const isTold = affordable.some(
    ({ asset, price, value }) => !isPurchaseTooSmall(asset, Decimal.fromNumber(value), price),
  )
  if (own.missingPct > ROUNDING_PCT && isTold) {
    const sentence = `Purchases of ${dollars(own.total)} are scaled to the ${dollars(own.available)} that are there.`
    notes.push({ code: 'purchases-scaled', level: 'info', sentence })
  }
  if (settledCash === undefined) return affordable
  const settled = shortfallOf(affordable, settledCash, costRate)
  if (settled.missingPct > ROUNDING_PCT) {
    const waiting = dollars(settled.total - settled.available)
    const sentence = `Of purchases of ${dollars(settled.total)}, ${waiting} wait until earlier sales are settled.`
    notes.push(warning('awaits-settlement', sentence))
  }
  return times(affordable, settled.fraction)
}

/** What the broker would refuse is cut down where that is forgiven, and left out where it is not. */
function withinBuyingPower(
  wanted: readonly Purchase[],
  { buyingPower, nonMarginableBuyingPower, forgivenessPct, costRate = 0 }: BuyingLimits,
  notes: SizingNote[],
): readonly Purchase[] {
  const isApart = ({ asset }: Purchase) => nonMarginableBuyingPower !== undefined && !asset.isMarginable
  const apart = wanted.filter(isApart)
  const names = apart.map(({ asset }) => asset.ticker).join(', ')
  const nonMarginable = {
    what: `purchases of ${names} of`,
    why: ', which cannot be bought on margin,',
    end: 'None of it is bought.',
  }
  const all = { what: 'purchases of', why: '', end: 'Nothing is bought.' }
  const fraction = nonMarginableBuyingPower
    ? forgivenFraction(shortfallOf(apart, nonMarginableBuyingPower, costRate), forgivenessPct, nonMarginable, notes)
    : 1
  const allowed = wanted.map((one) => (isApart(one) ? { ...one, value: one.value * fraction } : one))
  return times(allowed, forgivenFraction(shortfallOf(allowed, buyingPower, costRate), forgivenessPct, all, notes))
}

interface Wording {
  readonly what: string
  readonly why: string
  readonly end: string
}

/** 1 when everything fits, less when the shortfall is forgiven, 0 when it is not. */
function forgivenFraction(
  { fraction, total, available, missingPct }: Shortfall,
  forgivenessPct: number,
  { what, why, end }: Wording,
  notes: SizingNote[],
): number {
  if (missingPct > Math.max(forgivenessPct, ROUNDING_PCT)) {
    notes.push({
      code: 'insufficient-buying-power',
      level: 'error',
      sentence:
        `Insufficient buying power: ${what} ${dollars(total)}${why} exceed the available ${dollars(available)} ` +
        `by ${missingPct.toFixed(2)}%, more than the forgiveness of ${forgivenessPct}%. ${end}`,
    })
    return 0
  }
  if (missingPct > ROUNDING_PCT) {
    const sentence = `${what[0]!.toUpperCase()}${what.slice(1)} ${dollars(total)} are cut down to the available ${dollars(available)}.`
    notes.push(warning('purchases-cut', sentence))
  }
  return fraction
}

const smaller = (a: Decimal, b: Decimal): Decimal => (b.isBelow(a) ? b : a)
