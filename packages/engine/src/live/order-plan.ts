import { Decimal } from '@tradewright/core/decimal'
import { type Usd, usd } from '@tradewright/core/money'
import type { Note } from '@tradewright/core/note'
import type { TradableAsset } from '../trading/broker.ts'
import { tradingCosts } from '../trading/costs.ts'
import type { PriceOf, Slice } from '../trading/ledger/books.ts'
import type { OrderSide, OrderSize } from '../trading/order.ts'
import { tradesToReach } from '../trading/sizing.ts'

/** An order that would bring the slice toward its weights. */
export interface SizedOrder {
  readonly ticker: string
  readonly side: OrderSide
  readonly size: OrderSize
  readonly estimatedValue: Usd
}

export interface SizingInput {
  /** Target weights by trading ticker. */
  readonly weights: ReadonlyMap<string, number>
  readonly slice: Slice
  readonly priceOf: PriceOf
  readonly assetOf: (ticker: string) => TradableAsset | undefined
}

export interface Sizing {
  readonly orders: readonly SizedOrder[]
  /** Orders left out, and why. */
  readonly notes: readonly SizingNote[]
}

export type SizingNote = Note<'no-price' | 'not-tradable' | 'insufficient-buying-power' | 'purchases-cut'>

const warning = (code: SizingNote['code'], sentence: string): SizingNote => ({ code, level: 'warning', sentence })

/** Brokers refuse orders of less than a dollar. */
const SMALLEST_ORDER = Decimal.parse('1')

/** Whole shares are bought at a price that may have risen since it was known. */
const PRICE_RESERVE = 1.01

interface Trade {
  readonly ticker: string
  readonly quantity: number
  readonly price: Usd
}

/**
 * Signal to trades by the sizing of the backtest. Costs are not planned here: the slice pays what the broker charges.
 */
function tradesOf({ weights, slice, priceOf }: SizingInput): { trades: Trade[]; unpriced: string[] } {
  const tickers = [...new Set([...weights.keys(), ...slice.positions.keys()])]
  const unpriced = tickers.filter((ticker) => !priceOf(ticker)?.isPositive)
  const priced = tickers.filter((ticker) => !unpriced.includes(ticker))
  const prices = Float64Array.from(priced, (ticker) => priceOf(ticker)!.toNumber())
  const quantities = Float64Array.from(priced, (ticker) => slice.positions.get(ticker)?.toNumber() ?? 0)
  const targets = Float64Array.from(priced, (ticker) => weights.get(ticker) ?? 0)
  const holdings = { cash: slice.cash.toNumber(), quantities }
  const trades = tradesToReach(targets, holdings, prices, { costs: tradingCosts(0), wholeShares: false })
  return {
    trades: priced.map((ticker, i) => ({ ticker, quantity: trades[i]!, price: priceOf(ticker)! })),
    unpriced,
  }
}

/** The first leg. What is no longer wanted at all is sold to the last fraction. */
export function planSales(input: SizingInput): Sizing {
  const notes: SizingNote[] = []
  const { trades, unpriced } = tradesOf(input)
  notes.push(...unpriced.map((ticker) => warning('no-price', `${ticker} has no price and is left as it is.`)))
  const orders = trades.flatMap(({ ticker, quantity, price }): SizedOrder[] => {
    if (quantity >= 0) return []
    const held = input.slice.positions.get(ticker)!
    const asset = input.assetOf(ticker)
    if (!asset?.isTradable) {
      notes.push(warning('not-tradable', `${ticker} cannot be traded now and is left as it is.`))
      return []
    }
    const all = (input.weights.get(ticker) ?? 0) === 0
    const part = smaller(Decimal.fromNumber(-quantity), held)
    const sold = all ? held : asset.isFractionable ? part : wholePart(part)
    const estimatedValue = sold.times(price)
    if (!sold.isPositive || (!all && estimatedValue.isBelow(SMALLEST_ORDER))) return []
    return [{ ticker, side: 'sell', size: { quantity: sold }, estimatedValue }]
  })
  return { orders, notes }
}

export interface BuyingLimits {
  /** The slice's cash, and what it may borrow. */
  readonly spendable: Usd
  /** The account's buying power at the broker. */
  readonly buyingPower: Usd
  /** By how many percent purchases may be cut down to fit instead of being refused. */
  readonly forgivenessPct: number
  /** The broker's charge on top, as a share of the value; 0 when absent. */
  readonly costShare?: number
}

/** The second leg, from what the sales really brought. Dollars where the broker takes them, whole shares elsewhere. */
export function planPurchases(input: SizingInput, limits: BuyingLimits): Sizing {
  const notes: SizingNote[] = []
  const { trades } = tradesOf(input)
  const wanted = trades.filter(({ ticker, quantity }) => {
    if (quantity <= 0) return false
    if (input.assetOf(ticker)?.isTradable) return true
    notes.push(warning('not-tradable', `${ticker} cannot be traded now and is not bought.`))
    return false
  })
  const total = wanted.reduce((sum, { quantity, price }) => sum + quantity * price.toNumber(), 0)
  const share = affordableShare(total, limits, notes)
  const orders = wanted.flatMap(({ ticker, quantity, price }): SizedOrder[] => {
    const value = floorCents(Decimal.fromNumber(quantity * price.toNumber() * share))
    if (value.isBelow(SMALLEST_ORDER)) return []
    if (input.assetOf(ticker)!.isFractionable) {
      return [{ ticker, side: 'buy', size: { notional: value }, estimatedValue: value }]
    }
    const shares = wholePart(value.dividedBy(price.times(Decimal.fromNumber(PRICE_RESERVE))))
    if (!shares.isPositive) return []
    return [{ ticker, side: 'buy', size: { quantity: shares }, estimatedValue: shares.times(price) }]
  })
  return { orders, notes }
}

/** Rounding of prices and quantities is no shortfall. */
const ROUNDING_PCT = 0.1

/** 1 when everything fits, less when the shortfall is forgiven, 0 when it is not. */
function affordableShare(
  total: number,
  { spendable, buyingPower, forgivenessPct, costShare = 0 }: BuyingLimits,
  notes: SizingNote[],
): number {
  if (total === 0) return 1
  const available = Math.max(0, smaller(spendable, buyingPower).toNumber())
  // A slice never owes the costs of what it bought.
  const afterCosts = available / (1 + costShare)
  if (total <= afterCosts) return 1
  const shortfallPct = ((total - available) / total) * 100
  const [asked, had] = [usd(Decimal.fromNumber(total)), usd(Decimal.fromNumber(available))]
  if (shortfallPct > Math.max(forgivenessPct, ROUNDING_PCT)) {
    notes.push({
      code: 'insufficient-buying-power',
      level: 'error',
      sentence:
        `Insufficient buying power: purchases of ${asked} exceed the available ${had} by ${shortfallPct.toFixed(2)} %, ` +
        `more than the forgiveness of ${forgivenessPct} %. Nothing is bought.`,
    })
    return 0
  }
  if (shortfallPct > ROUNDING_PCT) {
    notes.push(warning('purchases-cut', `Purchases of ${asked} are cut down to the available ${had}.`))
  }
  return afterCosts / total
}

const CENTS = 10_000_000n

const floorCents = (amount: Usd): Usd => new Decimal((amount.billionths / CENTS) * CENTS)

const wholePart = (quantity: Decimal): Decimal => new Decimal((quantity.billionths / 1_000_000_000n) * 1_000_000_000n)

const smaller = (a: Decimal, b: Decimal): Decimal => (b.isBelow(a) ? b : a)
