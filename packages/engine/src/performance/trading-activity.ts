import { type Figure, notAvailable } from './figure.ts'
import type { Trade } from '../trading/trade-log.ts'
import { mean, type Numbers } from './statistics.ts'

/** A part of a position from the purchase to the sale (or from the short sale to the purchase), at average cost. */
interface RoundTrip {
  readonly ticker: string
  readonly openedAt: number
  readonly closedAt: number
  /** Positive for what was long. */
  readonly quantity: number
  readonly entryPrice: number
  readonly exitPrice: number
  /** After the fees of both ends. */
  readonly profit: number
  /** Profit over what was put in. */
  readonly return: number
}

interface OpenPosition {
  readonly openedAt: number
  quantity: number
  /** Average price and fee per share. */
  price: number
  fee: number
}

/** Pairs sales with purchases. A trade that goes through zero closes one position and opens the opposite one. */
export function roundTrips(trades: readonly Trade[]): RoundTrip[] {
  const open = new Map<string, OpenPosition>()
  const trips: RoundTrip[] = []
  for (const trade of trades) {
    const position = open.get(trade.ticker)
    const left = position && isOpposite(position, trade) ? closePart(position, trade, trips) : trade.quantity
    if (position?.quantity === 0) open.delete(trade.ticker)
    if (left !== 0) addTo(open, trade, left)
  }
  return trips
}

const isOpposite = (position: OpenPosition, trade: Trade): boolean =>
  Math.sign(position.quantity) !== Math.sign(trade.quantity)

/** Gives what is left of the trade when the position is closed. */
function closePart(position: OpenPosition, trade: Trade, trips: RoundTrip[]): number {
  const size = Math.min(Math.abs(position.quantity), Math.abs(trade.quantity))
  const quantity = Math.sign(position.quantity) * size
  const fees = size * position.fee + (size / Math.abs(trade.quantity)) * trade.fee
  const profit = quantity * (trade.price - position.price) - fees
  trips.push({
    ticker: trade.ticker,
    openedAt: position.openedAt,
    closedAt: trade.bar,
    quantity,
    entryPrice: position.price,
    exitPrice: trade.price,
    profit,
    return: profit / (size * position.price),
  })
  position.quantity -= quantity
  return trade.quantity + quantity
}

function addTo(open: Map<string, OpenPosition>, { ticker, bar, price, fee, quantity: all }: Trade, quantity: number) {
  const feePerShare = fee / Math.abs(all)
  const position = open.get(ticker)
  if (!position) return open.set(ticker, { openedAt: bar, quantity, price, fee: feePerShare })
  const total = position.quantity + quantity
  position.price = (position.price * position.quantity + price * quantity) / total
  position.fee = (position.fee * position.quantity + feePerShare * quantity) / total
  position.quantity = total
  return open
}

/** Share of round trips, or of holding periods, that made money. */
export const winRate = (closed: readonly { readonly profit: number }[], whyNone = 'nothing was sold'): Figure =>
  closed.length === 0 ? notAvailable(whyNone) : closed.filter(({ profit }) => profit > 0).length / closed.length

/** A position from its first trade until nothing of it is left. */
interface HoldingPeriod {
  readonly ticker: string
  readonly openedAt: number
  readonly closedAt: number
  /** What every purchase and sale in between earned, after their fees. */
  readonly profit: number
}

/** Below this share of the largest size a position is rounding and not a position. */
const DUST = 1e-9

/** Positions that ended. Sales that only rebalance are part of the period they lie in; a position through zero ends there. */
export function holdingPeriods(trades: readonly Trade[]): HoldingPeriod[] {
  const open = new Map<string, { openedAt: number; quantity: number; largest: number; profit: number }>()
  const periods: HoldingPeriod[] = []
  for (const { ticker, bar, quantity, price, fee } of trades) {
    const held = open.get(ticker) ?? { openedAt: bar, quantity: 0, largest: 0, profit: 0 }
    const after = held.quantity + quantity
    const isDust = Math.abs(after) <= DUST * held.largest
    const turns = !isDust && Math.sign(after) === -Math.sign(held.quantity)
    // What closes a position and opens the opposite one pays its fee for both by size.
    const [closing, left] = turns ? [-held.quantity, after] : [quantity, 0]
    const feeOf = (part: number) => (fee * Math.abs(part)) / Math.abs(quantity)
    const profit = held.profit - closing * price - feeOf(closing)
    if (isDust || turns) {
      periods.push({ ticker, openedAt: held.openedAt, closedAt: bar, profit })
      open.delete(ticker)
      if (turns)
        open.set(ticker, {
          openedAt: bar,
          quantity: left,
          largest: Math.abs(left),
          profit: -left * price - feeOf(left),
        })
    } else {
      open.set(ticker, { ...held, quantity: after, largest: Math.max(held.largest, Math.abs(after)), profit })
    }
  }
  return periods
}

const DAYS_PER_YEAR = 365.25

/**
 * How much of the account is exchanged in a year: half of what was bought and sold after the first bar, over the
 * average value. 1 means that everything was sold once and something else was bought for it.
 */
export function turnover(trades: readonly Trade[], values: Numbers, days: number): Figure {
  const average = mean(values)
  if (!(days > 0)) return notAvailable('the period has no length')
  if (!(average > 0)) return notAvailable('there was nothing to trade')
  const exchanged = trades.reduce(
    (sum, { bar, quantity, price }) => (bar > 0 ? sum + Math.abs(quantity) * price : sum),
    0,
  )
  return (exchanged / 2 / average) * (DAYS_PER_YEAR / days)
}
