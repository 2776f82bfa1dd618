import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { tickerKind } from '@tradewright/core/ticker-kind'
import type { CashActivity } from '@tradewright/engine/trading/account-activity'
import { isFee, type PartyTrade, tradesBehind } from '@tradewright/engine/trading/ledger/fees'
import { salesBehindCoinFee, unlistedSaleFee } from '@tradewright/engine/trading/ledger/movements'
import type { LiveStores } from '../../ports/database.ts'
import { recentTrades } from './book-movements.ts'
import type { BrokerSnapshot } from './broker-snapshot.ts'

const keyOf = ({ executionId }: PartyTrade): string => `sale-fee:${executionId}`

const unpaidOf = async (
  { books }: Pick<LiveStores, 'books'>,
  accountId: number,
  sales: readonly PartyTrade[],
  at: Date,
): Promise<PartyTrade[]> => {
  const fresh = await books.see(
    accountId,
    sales.map((sale) => ({ key: keyOf(sale), at })),
  )
  return sales.filter((sale) => fresh.has(keyOf(sale)))
}

/** Books cash that is missing after sales of coins as their fee, once per sale; true where it was booked. */
export async function bookSaleFee(
  stores: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  missing: Usd,
  { prices, at }: { readonly prices: ReadonlyMap<string, Decimal>; readonly at: Date },
): Promise<boolean> {
  const sold = missing.isPositive ? salesBehindCoinFee(missing, await recentTrades(stores, accountId, snapshot)) : []
  // Sales that paid already explain nothing; without them the missing cash may be too much to be a fee.
  const unpaid = salesBehindCoinFee(missing, await unpaidOf(stores, accountId, sold, at))
  if (unpaid.length === 0) return false
  await stores.books.post(accountId, unlistedSaleFee(missing, unpaid, at.getTime()), prices)
  return true
}

/** The trades that a listed fee is still to be charged to: sales of coins that paid when they were filled do not pay again. */
export async function unchargedTrades(
  stores: Pick<LiveStores, 'books'>,
  accountId: number,
  activity: CashActivity,
  trades: readonly PartyTrade[],
): Promise<readonly PartyTrade[] | 'paid'> {
  if (!isFee(activity) || activity.ticker === undefined || tickerKind(activity.ticker) !== 'crypto') return trades
  const sales = tradesBehind(activity, trades).filter(({ side }) => side === 'sell')
  if (sales.length === 0) return trades
  const unpaid = await unpaidOf(stores, accountId, sales, new Date(activity.at))
  return unpaid.length === 0 ? 'paid' : unpaid
}
