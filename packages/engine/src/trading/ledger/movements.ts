import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import { type CashActivity, isExternalFlow } from '../account-activity.ts'
import type { PositionDifference } from './compare.ts'
import { type Entry, transfer } from './entry.ts'
import { coinFeeEntries, feeEntries, isFee, type PartyTrade } from './fees.ts'

/** No broker takes more than this for trading a coin. */
const LARGEST_COIN_FEE = Decimal.parse('0.005')

/**
 * Shares and coins that moved without an execution, as far as they explain what the broker holds: a movement whose
 * effect the books know already explains nothing and is not booked a second time.
 */
export function movementEntries(
  { broker, books }: PositionDifference,
  movements: readonly CashActivity[],
  trades: readonly PartyTrade[],
): Entry[] {
  let left = broker.minus(books)
  return movements.flatMap((activity) => {
    const { quantity } = activity
    // Splits and mergers concern all holders of the shares; they are not one party's movement.
    if (!quantity || !(isFee(activity) || isExternalFlow(activity))) return []
    if (quantity.isNegative !== left.isNegative || left.absolute().isBelow(quantity.absolute())) return []
    left = left.minus(quantity)
    return isFee(activity) ? coinFeeEntries(activity, quantity.negated(), trades) : [transferEntry(activity, quantity)]
  })
}

const transferEntry = (activity: CashActivity, quantity: Decimal): Entry => ({
  type: 'EXTERNAL_FLOW',
  key: `activity:${activity.id}`,
  at: activity.at,
  deploymentId: undefined,
  legs: transfer('market', 'unallocated', activity.ticker!, quantity),
  amount: activity.netAmount.absolute(),
  direction: quantity.isNegative ? 'out' : 'in',
  note: activity.description || `${activity.ticker} was transferred`,
})

/** Purchases whose fee in the coin may be what is missing; none where it is too much to be a fee. */
export function purchasesBehindCoinFee(
  { ticker, broker, books }: PositionDifference,
  trades: readonly PartyTrade[],
): PartyTrade[] {
  const missing = books.minus(broker)
  if (!missing.isPositive || tickerKind(ticker) !== 'crypto') return []
  const bought = trades.filter((trade) => trade.ticker === ticker && trade.side === 'buy')
  const quantity = bought.reduce((sum, trade) => sum.plus(trade.quantity), Decimal.zero)
  return quantity.times(LARGEST_COIN_FEE).isBelow(missing) ? [] : bought
}

/** A coin's fee is taken at once and listed at the end of the day: the missing quantity is booked to the buyers. */
export function unlistedCoinFee(
  { ticker, broker, books }: PositionDifference,
  purchases: readonly PartyTrade[],
  price: Usd | undefined,
  at: UtcMillis,
): Entry[] {
  const missing = books.minus(broker)
  const activity: CashActivity = {
    kind: 'cash',
    id: `coin-fee:${purchases.at(-1)!.executionId}`,
    at,
    day: epochDayOf(at),
    type: 'CFEE',
    netAmount: missing.times(price ?? Decimal.zero).negated(),
    description: `Fee of buying ${ticker}, taken in the coin`,
    ticker,
    quantity: missing.negated(),
  }
  return coinFeeEntries(activity, missing, purchases)
}

/** Sales of coins whose fee may be the cash that is missing; none where it is too much to be a fee. */
export function salesBehindCoinFee(missing: Usd, trades: readonly PartyTrade[]): PartyTrade[] {
  const sold = trades.filter(({ ticker, side }) => side === 'sell' && tickerKind(ticker) === 'crypto')
  const value = sold.reduce((sum, trade) => sum.plus(trade.value), Decimal.zero)
  return missing.isPositive && !value.times(LARGEST_COIN_FEE).isBelow(missing) ? sold : []
}

/** Taken from the proceeds at once and listed at the end of the day: the missing cash is booked to the sellers. */
export function unlistedSaleFee(missing: Usd, sales: readonly PartyTrade[], at: UtcMillis): Entry[] {
  const tickers = [...new Set(sales.map(({ ticker }) => ticker))]
  const activity: CashActivity = {
    kind: 'cash',
    id: `sale-fee:${sales.at(-1)!.executionId}`,
    at,
    day: epochDayOf(at),
    type: 'CFEE',
    netAmount: missing.negated(),
    description: `Fee of selling ${tickers.join(', ')}`,
    ticker: undefined,
  }
  return feeEntries(activity, sales)
}
