import { type Figure, notAvailable } from './figure.ts'
import type { Trade } from '../trading/trade-log.ts'

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
  openedAt: number
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

/** Share of round trips that made money. */
export const winRate = (trips: readonly RoundTrip[]): Figure =>
  trips.length === 0 ? notAvailable('nothing was sold') : trips.filter(({ profit }) => profit > 0).length / trips.length
