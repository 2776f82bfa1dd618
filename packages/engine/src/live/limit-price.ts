import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { OrderExecution } from '@tradewright/core/order-types'
import { MINUTE, type UtcMillis } from '@tradewright/core/time'
import type { BrokerQuote, TradableAsset } from '../trading/broker.ts'
import type { OrderSide } from '../trading/order.ts'

/** An older quote says nothing about the market of now. */
const MAX_QUOTE_AGE = 2 * MINUTE

export const isFresh = ({ at }: BrokerQuote, now: UtcMillis): boolean => now - at <= MAX_QUOTE_AGE

export const middleOf = ({ bid, ask }: Pick<BrokerQuote, 'bid' | 'ask'>): Usd | undefined =>
  bid?.isPositive && ask?.isPositive ? bid.plus(ask).dividedBy(TWO) : undefined

/**
 * A marketable limit is the offer and the collar, a limit the middle of the quote. Rounded to the broker's steps in the
 * direction that is never worse. Undefined where the quote has no such offer.
 */
export function limitPriceOf(
  { type, collarPct }: Pick<OrderExecution, 'type' | 'collarPct'>,
  side: OrderSide,
  quote: BrokerQuote,
  asset: Pick<TradableAsset, 'priceStep'> | undefined,
): Usd | undefined {
  const offer = side === 'buy' ? quote.ask : quote.bid
  const collar = Decimal.fromNumber(1 + (side === 'buy' ? collarPct : -collarPct) / 100)
  const price = type === 'collar' ? (offer?.isPositive ? offer.times(collar) : undefined) : middleOf(quote)
  if (!price) return undefined
  // Below a dollar stocks are quoted in hundredths of a cent.
  const step = (asset?.priceStep ?? (price.isBelow(ONE) ? HUNDREDTH_OF_A_CENT : CENT)).billionths
  const steps = price.billionths / step
  const isExact = steps * step === price.billionths
  return new Decimal((side === 'buy' || isExact ? steps : steps + 1n) * step)
}

const ONE = Decimal.parse('1')
const TWO = Decimal.parse('2')
const CENT = Decimal.parse('0.01')
const HUNDREDTH_OF_A_CENT = Decimal.parse('0.0001')
