import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { PriceOf } from '../trading/ledger/books.ts'
import type { NettedTrade } from '../trading/ledger/netting-entries.ts'

interface Wish {
  readonly ticker: string
  readonly quantity: Decimal
}

/** A deployment that decides now, with the orders it would send. */
export interface NettingParty {
  readonly deploymentId: number
  readonly cash: Usd
  readonly sales: readonly Wish[]
  /** What the sales and the cash would buy. */
  readonly purchases: readonly Wish[]
}

interface NettingRules {
  readonly priceOf: PriceOf
  /** As much of a quantity as can be traded: whole shares where there are no fractions. */
  readonly inSteps: (ticker: string, quantity: Decimal) => Decimal
}

/** Less than this is left to the market. */
const MIN_VALUE = Decimal.parse('1')

/**
 * Trades between deployments of one account that would otherwise send opposite orders in the same second, which costs
 * the spread twice and which brokers refuse as wash trades. Sellers and buyers meet in the order of their ids. No
 * deployment pays more than it has when all of them are booked: two fully invested ones may swap.
 */
export function netTrades(parties: readonly NettingParty[], rules: NettingRules): NettedTrade[] {
  const ordered = parties.toSorted((a, b) => a.deploymentId - b.deploymentId)
  const tickers = new Set(ordered.flatMap(({ sales }) => sales.map(({ ticker }) => ticker)))
  const matched = [...tickers].sort().flatMap((ticker) => matchesOf(ordered, ticker, rules))
  return affordable(matched, ordered, rules).filter((trade) => !valueOf(trade).isBelow(MIN_VALUE))
}

const valueOf = ({ quantity, price }: NettedTrade): Usd => quantity.times(price)

interface Remaining {
  readonly deploymentId: number
  quantity: Decimal
}

function matchesOf(
  parties: readonly NettingParty[],
  ticker: string,
  { priceOf, inSteps }: NettingRules,
): NettedTrade[] {
  const price = priceOf(ticker)
  if (!price?.isPositive) return []
  const remaining = (wishes: (party: NettingParty) => readonly Wish[]): Remaining[] =>
    parties.flatMap((party) =>
      wishes(party)
        .filter((wish) => wish.ticker === ticker)
        .map(({ quantity }) => ({ deploymentId: party.deploymentId, quantity })),
    )
  const sellers = remaining(({ sales }) => sales)
  const buyers = remaining(({ purchases }) => purchases)
  const matches: NettedTrade[] = []
  for (const seller of sellers) {
    for (const buyer of buyers) {
      const quantity = inSteps(ticker, smaller(seller.quantity, buyer.quantity))
      if (!quantity.isPositive || seller.deploymentId === buyer.deploymentId) continue
      seller.quantity = seller.quantity.minus(quantity)
      buyer.quantity = buyer.quantity.minus(quantity)
      matches.push({ ticker, quantity, price, seller: seller.deploymentId, buyer: buyer.deploymentId })
    }
  }
  return matches
}

const MAX_ROUNDS = 20

/** Cuts the purchases of those who could not pay, which may leave a seller with less to pay with, and so on. */
function affordable(
  matched: readonly NettedTrade[],
  parties: readonly NettingParty[],
  { inSteps }: NettingRules,
): readonly NettedTrade[] {
  let trades = matched
  for (let round = 0; ; round++) {
    const fractions = new Map(parties.map((party) => [party.deploymentId, payableFraction(party, trades)]))
    const short = [...fractions].filter(([, fraction]) => fraction < 1).map(([id]) => id)
    if (short.length === 0) return trades
    // It converges; where that takes long, those who are short buy from the market.
    const isLast = round >= MAX_ROUNDS
    trades = trades.flatMap((trade) => {
      const fraction = fractions.get(trade.buyer)!
      if (fraction >= 1) return [trade]
      const part = isLast ? Decimal.zero : trade.quantity.times(Decimal.fromNumber(fraction * WITHIN))
      const quantity = inSteps(trade.ticker, part)
      return quantity.isPositive ? [{ ...trade, quantity }] : []
    })
  }
}

/** A hair less than the exact fraction: rounding must not leave a billionth of a dollar owed. */
const WITHIN = 1 - 1e-12

function payableFraction({ deploymentId, cash }: NettingParty, trades: readonly NettedTrade[]): number {
  const sum = (some: readonly NettedTrade[]) => some.reduce((total, trade) => total.plus(valueOf(trade)), Decimal.zero)
  const paid = sum(trades.filter(({ buyer }) => buyer === deploymentId))
  const available = cash.plus(sum(trades.filter(({ seller }) => seller === deploymentId)))
  if (paid.isZero || !available.isBelow(paid)) return 1
  return available.isPositive ? available.toNumber() / paid.toNumber() : 0
}

const smaller = (a: Decimal, b: Decimal): Decimal => (b.isBelow(a) ? b : a)
