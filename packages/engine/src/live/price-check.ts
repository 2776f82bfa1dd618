import type { Decimal } from '@tradewright/core/decimal'
import { type Usd, usdPerShare } from '@tradewright/core/money'
import type { UtcMillis } from '@tradewright/core/time'
import type { BrokerQuote } from '../trading/broker.ts'
import { isFresh, middleOf } from './limit-price.ts'

/** How far, in percent, the broker's price of a position may be from the last close before its quote has to confirm it. */
const MAX_MOVE_PCT = 10
/** How far from the middle of a fresh quote it may be then. */
const MAX_QUOTE_DISTANCE_PCT = 5
/** How far from the last close where the broker has no fresh quote. */
const MAX_UNCONFIRMED_MOVE_PCT = 40

interface PricesOfTicker {
  readonly ticker: string
  /** The broker's price of the position. */
  readonly position: Usd
  /** The newest complete close. */
  readonly close: Usd
}

/** Whether a quote has to be asked for before anything is sized by these prices. */
export const needsQuote = ({ position, close }: PricesOfTicker): boolean => movePct(position, close) > MAX_MOVE_PCT

/** Why nothing may be sized by these prices, as a sentence; undefined where the quote confirms that of the position. */
export function priceConflict(
  { ticker, position, close }: PricesOfTicker,
  quote: BrokerQuote | undefined,
  now: UtcMillis,
): string | undefined {
  if (!needsQuote({ ticker, position, close })) return undefined
  const middle = quote && isFresh(quote, now) ? middleOf(quote) : undefined
  const isConfirmed = middle
    ? movePct(position, middle) <= MAX_QUOTE_DISTANCE_PCT
    : movePct(position, close) <= MAX_UNCONFIRMED_MOVE_PCT
  if (isConfirmed) return undefined
  const quoted = middle ? `${usdPerShare(middle)} by its quote` : 'without a quote of the last minutes'
  return `${ticker} has prices that contradict each other: ${usdPerShare(position)} by its position at the broker, ${quoted}, ${usdPerShare(close)} at the last close.`
}

const movePct = (price: Decimal, from: Decimal): number =>
  from.isPositive ? Math.abs(price.minus(from).dividedBy(from).toNumber()) * 100 : Infinity
